import type { SecretBox } from "../../access/secret_box.ts";
import type { Clock } from "../../base/time/clock.ts";
import { type Config, isShared } from "../../base/settings/config.ts";
import { Ended } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { ServiceManager } from "../../base/machine/service_manager.ts";
import { operatorCommand } from "../../base/machine/operator_command.ts";
import {
  LaterStoreError,
  migrate,
  type Migration,
  pendingSteps,
  type UpgradeProgress,
} from "../../maintenance/migrations.ts";
import { copyBeforeUpgrade, findUsableCopy } from "../../maintenance/upgrade_copies.ts";
import { upgradeAlone } from "../../maintenance/upgrade_lease.ts";
import {
  identifyStore,
  noteWriter,
  readStoreIdentity,
  type StoreIdentity,
} from "../../maintenance/store_identity.ts";
import type { ServerCertificate } from "./certificate.ts";
import { explainListening } from "./listen.ts";
import { claimSocket, releaseSocket, restrictSocket } from "./unix_socket.ts";
import { answerUpgrading } from "./upgrade_answers.ts";
import type { Store } from "../../store/store.ts";

/** Interval between two lines of the log in milliseconds. */
const TELL_MS = 5_000;
/** Time that a service manager gives an upgrade after each progress. */
const EXTENSION_USEC = 300_000_000;

interface UpgradeOptions {
  kv: Store;
  clock: Clock;
  secrets: SecretBox;
  config: Pick<
    Config,
    | "host"
    | "port"
    | "socket"
    | "tls"
    | "basePath"
    | "dataDir"
    | "kv"
    | "upgradeBackup"
    | "metricsToken"
    | "version"
  >;
  certificate: ServerCertificate | null;
  manager: ServiceManager;
  log: Log;
  /** Those of this version, unless a test has its own. */
  migrations?: readonly Migration[];
}

/**
 * Copies a store that is a file, and migrates it to the current version. Servers that share a store
 * take turns. Meanwhile the port is open and shows the progress. Throws `Ended` if the process is
 * asked to stop. The next start then continues from there.
 */
export async function upgradeStore(options: UpgradeOptions): Promise<void> {
  const { kv, secrets, config, migrations } = options;
  const { version, steps } = await pendingSteps(kv, migrations).catch((error) =>
    adviseCopy(options, error)
  );
  const store = await identifyStore(options);
  if (steps > 0) await upgrade(options, store, { version, steps });
  else await migrate(kv, secrets, migrations);
  await noteWriter(kv, config.version);
}

async function upgrade(
  options: UpgradeOptions,
  store: StoreIdentity,
  { version, steps }: { version: number; steps: number },
): Promise<void> {
  const { kv, secrets, config, certificate, log, migrations } = options;
  const began = performance.now();
  const progress: UpgradeProgress = { copied: null, step: 1, steps, name: "", rows: 0 };
  const stop = new AbortController();
  const end = () =>
    stop.abort(new Ended("Stopped during an upgrade. The next start continues it."));
  let before = "";
  const timer = setInterval(() => {
    log("info", "upgrade", { ...progress });
    const now = JSON.stringify(progress);
    const STATUS = `Upgrading the database: step ${progress.step} of ${steps}`;
    if (now !== before) options.manager.notify({ EXTEND_TIMEOUT_USEC: EXTENSION_USEC, STATUS });
    before = now;
  }, TELL_MS);
  const port = await openPort(config, certificate, progress);
  for (const signal of SIGNALS) Deno.addSignalListener(signal, end);
  log("info", "upgrade_started", { steps });
  try {
    const onProgress = (copied: number | null) => progress.copied = copied;
    await copyBeforeUpgrade(options, { store, version, stop: stop.signal, onProgress });
    const work = () => migrate(kv, secrets, migrations, { progress, stop: stop.signal });
    const onWait = () => log("info", "upgrade_waits", { reason: "another server upgrades" });
    // A file has one server, which a lease would keep from continuing after it was killed.
    await (isShared(config) ? upgradeAlone({ ...options, stop, onWait }, work) : work());
    const seconds = Math.round((performance.now() - began) / 1000);
    log("info", "upgrade_finished", { seconds });
  } catch (error) {
    if (error instanceof Ended) log("info", "upgrade_stopped", { ...progress });
    throw error;
  } finally {
    for (const signal of SIGNALS) Deno.removeSignalListener(signal, end);
    clearInterval(timer);
    await port.close();
  }
}

/** Rethrows the refusal of a later store with the copy that this version can go back to. */
async function adviseCopy({ kv, config }: UpgradeOptions, error: unknown): Promise<never> {
  const isLater = error instanceof LaterStoreError;
  const store = await readStoreIdentity(kv);
  const copy = isLater && await findUsableCopy(config, store, error.version);
  if (!copy) throw error;
  throw new LaterStoreError(
    error.version,
    error.writer,
    "go back to the copy from before the upgrade: " +
      operatorCommand(`restore --upgrade-copy ${copy}`),
  );
}

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** Serves only the progress of the upgrade until it is closed. */
async function openPort(
  config: UpgradeOptions["config"],
  certificate: ServerCertificate | null,
  progress: UpgradeProgress,
) {
  const { host, port, socket } = config;
  const over = new AbortController();
  const common = { signal: over.signal, onListen() {} };
  const answer = (request: Request) => answerUpgrading(request, config, progress);
  try {
    if (socket) await claimSocket(socket);
    const server = socket
      ? Deno.serve({ ...common, path: socket.path }, answer)
      : Deno.serve({ ...common, hostname: host, port, ...certificate?.pair }, answer);
    if (socket) await restrictSocket(socket);
    return {
      async close() {
        over.abort();
        await server.finished;
        if (socket) await releaseSocket(socket);
      },
    };
  } catch (error) {
    throw explainListening(config, error);
  }
}
