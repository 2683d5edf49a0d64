import { X509Certificate } from "node:crypto";
import { type CertificatePair, readCertificatePair } from "../../base/settings/certificate_pair.ts";
import type { Config } from "../../base/settings/config.ts";
import { describeError, type Log } from "../../base/log.ts";
import { sleep } from "../../base/time/pause.ts";
import { ConfigError } from "../../base/settings/settings.ts";

/** The certificate of a server that speaks TLS. */
export interface ServerCertificate {
  readonly pair: CertificatePair;
  /** Reason why the files do not have the certificate in use; null if they do. */
  readonly problem: string | null;
  /** Reads the files again now. */
  renew(): Promise<void>;
  /** Passes each new pair on. One that is refused with an error does not replace the old one. */
  follow(use: (pair: CertificatePair) => void): void;
}

/** Files are compared at this interval. Tools replace them some weeks before the end. */
const EVERY_MS = 10_000;

/** Reads the certificate of the settings, and follows its files. Throws ConfigError. */
export async function openCertificate(
  files: NonNullable<Config["tls"]>,
  log: Log,
): Promise<ServerCertificate> {
  let pair = await readPair(files);
  let problem: string | null = null;
  let use: (pair: CertificatePair) => void = () => {};

  async function renew(): Promise<void> {
    try {
      const found = await readPair(files);
      if (found.cert !== pair.cert || found.key !== pair.key) {
        use(found);
        pair = found;
        log("info", "certificate_renewed", { until: endOf(found) });
      }
      problem = null;
    } catch (error) {
      const { message } = error as Error;
      if (message !== problem) log("error", "certificate_kept", describeError(error));
      problem = message;
    }
  }

  async function watch(): Promise<never> {
    for (;;) {
      await sleep(EVERY_MS, { ref: false });
      await renew();
    }
  }

  return {
    get pair() {
      return pair;
    },
    get problem() {
      return problem ?? expiry(pair);
    },
    renew,
    follow(handler) {
      use = handler;
      watch().catch((error) => log("error", "certificate_kept", describeError(error)));
    },
  };
}

async function readPair(files: NonNullable<Config["tls"]>) {
  const pair = await readCertificatePair(files);
  try {
    // Nothing else shows before the port is open whether Deno can use them.
    using _probe = Deno.listenTls({ hostname: "127.0.0.1", port: 0, ...pair });
  } catch (error) {
    const { message: why } = error as Error;
    throw new ConfigError(`CALLBOARD_TLS_CERT and CALLBOARD_TLS_KEY cannot be used: ${why}`);
  }
  return pair;
}

const endOf = ({ cert }: CertificatePair): string =>
  new Date(new X509Certificate(cert).validTo).toISOString();

const expiry = (pair: CertificatePair): string | null =>
  Date.parse(endOf(pair)) < Date.now() ? `the certificate has expired on ${endOf(pair)}` : null;
