import type { SecretBox } from "../../access/secret_box.ts";
import type { Config } from "../../base/config.ts";
import { Ended } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { migrate, pendingSteps, type UpgradeProgress } from "../../maintenance/migrations.ts";
import { explainListening } from "./listen.ts";
import { answerUpgrading } from "./upgrade_answers.ts";

/** Interval between two lines of the log in milliseconds. */
const TELL_MS = 5_000;

interface UpgradeOptions {
  kv: Deno.Kv;
  secrets: SecretBox;
  config: Pick<Config, "host" | "port" | "basePath">;
  log: Log;
}

/**
 * Migrates the store to the current version. Meanwhile the port is open and shows the progress.
 * Throws `Ended` if the process is asked to stop. The next start then continues from there.
 */
export async function upgradeStore({ kv, secrets, config, log }: UpgradeOptions): Promise<void> {
  const steps = await pendingSteps(kv);
  if (steps === 0) return await migrate(kv, secrets);
  const began = performance.now();
  const progress: UpgradeProgress = { step: 1, steps, name: "", rows: 0 };
  const stop = new AbortController();
  const end = () =>
    stop.abort(new Ended("Stopped during an upgrade. The next start continues it."));
  const timer = setInterval(() => log("info", "upgrade", { ...progress }), TELL_MS);
  const port = openPort(config, progress);
  for (const signal of SIGNALS) Deno.addSignalListener(signal, end);
  log("info", "upgrade_started", { steps });
  try {
    await migrate(kv, secrets, undefined, { progress, stop: stop.signal });
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

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** Serves only the progress of the upgrade until it is closed. */
function openPort({ host, port, basePath }: UpgradeOptions["config"], progress: UpgradeProgress) {
  const over = new AbortController();
  try {
    const server = Deno.serve(
      { hostname: host, port, signal: over.signal, onListen() {} },
      (request) => answerUpgrading(request, basePath, progress),
    );
    return {
      async close() {
        over.abort();
        await server.finished;
      },
    };
  } catch (error) {
    throw explainListening({ host, port }, error);
  }
}
