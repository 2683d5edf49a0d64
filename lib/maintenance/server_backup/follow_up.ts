import { basename, join } from "node:path";
import { ConfigError } from "../../base/settings/settings.ts";
import type { Clock } from "../../base/time/clock.ts";
import type { Config } from "../../base/settings/config.ts";
import type { Log } from "../../base/log.ts";
import { paths } from "../../base/paths.ts";
import { whyOf } from "../../base/why.ts";
import { queueNotice } from "../../events/notices.ts";
import type { RunEnvironment } from "../../execution/run/environment.ts";
import { type BackupStep, noteStep, readBackupReport } from "./backup_report.ts";
import type { StoreIdentity } from "../store_identity.ts";
import type { AutomaticBackups } from "./automatic_settings.ts";
import { latestBackupName } from "./backup_files.ts";
import type { VerifyOptions } from "./verify.ts";
import { type BackedUp, type BackupCommand, runBackupCommand } from "./command.ts";
import { removeLeftTest, testFolder } from "./copy_folder.ts";
import { inWorker } from "./in_worker.ts";
import { bucketAddress, uploadBackups } from "./upload.ts";
import type { Store } from "../../store/store.ts";

interface Deps {
  kv: Store;
  clock: Clock;
  config: Pick<Config, "dataDir">;
  log: Log;
  environment: RunEnvironment;
}

type Settings = Pick<
  AutomaticBackups,
  "folder" | "keep" | "passphrase" | "bucket" | "testCron"
>;

/** A step that failed is tried again after this time. A test has its own times. */
const AGAIN_MS = 10 * 60_000;

/** Returns functions that store the outcomes of steps, log them, and report failures. */
function createNotes(deps: Deps) {
  const { kv, clock, config: { dataDir }, log } = deps;

  async function note(step: BackupStep, name: string, error: string | null, detail?: string) {
    const before = (await readBackupReport(dataDir))[step];
    await noteStep(dataDir, step, { at: clock.now().toISOString(), name, error, detail });
    if (step === "backup") return;
    const fields = { backup: name, ...detail && { detail }, ...error !== null && { error } };
    log(
      error === null ? "info" : "error",
      `backup_${step}_${error === null ? "done" : "failed"}`,
      fields,
    );
    if (error === null || before?.error) return;
    const op = kv.atomic();
    queueNotice(op, deps, {
      event: "backup_too_old",
      project_id: null,
      template_id: null,
      title: { key: `alerts.title.backup_${step}` },
      path: paths.adminBackups(),
    });
    await op.commit();
  }

  /** Does a step, and notes its outcome. After `stop`, nothing is noted. */
  async function run(
    step: BackupStep,
    name: string,
    stop: AbortSignal,
    work: () => Promise<string | undefined>,
  ): Promise<void> {
    try {
      const detail = await work();
      await note(step, name, null, detail);
    } catch (error) {
      if (stop.aborted) return;
      await note(step, name, error instanceof ConfigError ? error.message : whyOf(error).text);
    }
  }

  return { note, run };
}

/**
 * Returns a function that uploads and tests backups when that is due, and resolves to the
 * milliseconds until it is due again. Its members do the same for what else follows a backup. A
 * failure is stored and reported, and stops no later backup.
 */
export function createFollowUp(deps: Deps, settings: Settings) {
  const { clock, config: { dataDir }, environment } = deps;
  const { folder, keep, passphrase, bucket, testCron } = settings;
  const started = clock.now();

  const { note, run } = createNotes(deps);

  async function upload(store: StoreIdentity, name: string, stop: AbortSignal): Promise<number> {
    if (!bucket) return Infinity;
    const { upload: done } = await readBackupReport(dataDir);
    const isDone = done?.name === name && done.error === null &&
      done.detail === bucketAddress(bucket);
    if (isDone) return Infinity;
    const isEarly = done?.error && clock.now().getTime() - Date.parse(done.at) < AGAIN_MS / 2;
    if (isEarly) return AGAIN_MS;
    await run("upload", name, stop, async () => {
      await uploadBackups({ bucket, folder, dataDir, store, keep, now: clock.now(), stop });
      return bucketAddress(bucket);
    });
    return AGAIN_MS;
  }

  async function test(name: string, stop: AbortSignal): Promise<number> {
    if (!testCron) return Infinity;
    const { test: done } = await readBackupReport(dataDir);
    const due = testCron.nextRun(done ? new Date(done.at) : started);
    if (due === null) return Infinity;
    const waitMs = due.getTime() - clock.now().getTime();
    if (waitMs > 0) return waitMs;
    await run("test", name, stop, async () => {
      const inFolder = testFolder(dataDir);
      await Deno.mkdir(inFolder, { mode: 0o700 });
      const options: VerifyOptions = { passphrase, from: join(folder, name), inFolder };
      const module = new URL("./verify_worker.ts", import.meta.url);
      try {
        return String((await inWorker<{ rows: number }>(module, options, stop)).rows);
      } finally {
        await removeLeftTest(dataDir);
      }
    });
    return AGAIN_MS;
  }

  const followUp = async (store: StoreIdentity, stop: AbortSignal): Promise<number> => {
    await removeLeftTest(dataDir);
    const name = await latestBackupName(folder, store, clock.now());
    if (name === null) return Infinity;
    return Math.min(await upload(store, name, stop), await test(name, stop));
  };
  return Object.assign(followUp, {
    note,
    command: (command: BackupCommand, outcome: BackedUp, stop: AbortSignal) =>
      run("command", basename(outcome.path), stop, async () => {
        await runBackupCommand(environment, command, outcome, stop);
        return undefined;
      }),
  });
}
