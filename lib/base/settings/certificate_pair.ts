import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import type { Config } from "./config.ts";
import { ConfigError } from "./settings.ts";
import { readCertificates, readFile } from "./settings_file.ts";

/** A certificate with its chain and its private key, in PEM. */
export interface CertificatePair {
  cert: string;
  key: string;
}

/** Reads the files of a certificate. Throws ConfigError if they are not those of one. */
export async function readCertificatePair(
  { certificate, key }: NonNullable<Config["tls"]>,
): Promise<CertificatePair> {
  const pair = {
    cert: await readCertificates("CALLBOARD_TLS_CERT", certificate),
    key: await readFile("CALLBOARD_TLS_KEY", key),
  };
  if (parseCertificate(pair.cert).checkPrivateKey(parseKey(pair.key))) return pair;
  throw new ConfigError(
    "CALLBOARD_TLS_CERT and CALLBOARD_TLS_KEY cannot be used: " +
      "the key is that of another certificate",
  );
}

function parseCertificate(text: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch (error) {
    throw new ConfigError("CALLBOARD_TLS_CERT is damaged", { cause: error });
  }
}

function parseKey(text: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch (error) {
    throw new ConfigError(
      "CALLBOARD_TLS_KEY must be a private key in PEM format, without a passphrase",
      { cause: error },
    );
  }
}
