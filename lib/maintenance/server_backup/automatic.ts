import { basename, join } from "node:path";
import type { SecretKeys } from "../../access/secret_keys.ts";
import type { Clock } from "../../base/time/clock.ts";
import type { Config } from "../../base/settings/config.ts";
import type { Log } from "../../base/log.ts";
import { paths } from "../../base/paths.ts";
import { type BackupState, failedBackupStep, readBackupReport } from "./backup_report.ts";
import type { RunEnvironment } from "../../execution/run/environment.ts";
import { queueNotice } from "../../events/notices.ts";
import { periodicKind } from "../../jobs/kind.ts";
import { endPeriodic } from "../../jobs/put.ts";
import { type AnyWorker, worker } from "../../jobs/worker.ts";
import type { Store } from "../../store/store.ts";
import { transact } from "../../store/transact.ts";
import type { AutomaticBackups } from "./automatic_settings.ts";
import type { BackUpOptions } from "./back_up.ts";
import { createFollowUp } from "./follow_up.ts";
import { inWorker } from "./in_worker.ts";
import { removeLeftCopy } from "./copy_folder.ts";
import { identifyStore, type StoreIdentity } from "../store_identity.ts";
import {
  countLeft,
  isOverdue,
  latestBackup,
  nameAt,
  removeOldBackups,
  removePartialBackups,
} from "./backup_files.ts";

/** Message of the worker when it is done. */
export type BackupAnswer = { bytes: number } | { error: string };

interface Deps {
  kv: Store;
  clock: Clock;
  config: Pick<Config, "dataDir" | "kv" | "version">;
  log: Log;
  /** Environment of the command that runs after each backup. */
  environment: RunEnvironment;
}

/** A failure is often a full disk or a missing mount, which someone has to notice first. */
const AGAIN_MS = 10 * 60_000;
const BACKUP_MS_MAX = 6 * 3_600_000;

const backupKind = periodicKind("automatic_backups");

/**
 * Backs up the server at the times of its settings. A time that passed while no server ran is made
 * up for at the start.
 */
export function backupWorker<D extends Deps>(
  settings: AutomaticBackups,
  secretKeys: SecretKeys,
): AnyWorker<D> {
  let begun: Backups | undefined;
  return worker<Record<never, never>, D>({
    kind: backupKind,
    everyMs: AGAIN_MS,
    attempts: Infinity,
    waitsMs: [AGAIN_MS],
    limitMs: BACKUP_MS_MAX,
    parallel: 1,
    async run(deps, job) {
      begun ??= startBackups(deps, settings, secretKeys);
      await removePartialBackups(settings.folder);
      await removeLeftCopy(deps.config.dataDir);
      await begun.backUpIfDue(job.signal);
      const waitMs = await begun.untilNext(job.signal);
      if (waitMs >= AGAIN_MS) return;
      const at = new Date(deps.clock.now().getTime() + waitMs);
      await transact(deps.kv, (op) => job.again(op, at));
    },
  });
}

/** Removes the work of settings that the server no longer has. */
export const endBackups = ({ kv }: Pick<Deps, "kv">): Promise<void> => endPeriodic(kv, backupKind);

type Backups = ReturnType<typeof startBackups>;

function startBackups(deps: Deps, settings: AutomaticBackups, secretKeys: SecretKeys) {
  const { clock, config, log } = deps;
  const { cron, folder, keep, passphrase, workFactor, command } = settings;
  const followUp = createFollowUp(deps, settings);
  const lastTime = lastBackupOrStart(folder, clock);
  const noteOverdue = overdueNotices(deps);

  async function backUpIfDue(stop: AbortSignal): Promise<void> {
    const now = clock.now();
    const store = await identifyStore(deps);
    const last = await lastTime(store, now);
    const due = cron.nextRun(last);
    if (due === null || due > now) return;
    const to = join(folder, nameAt(now, store));
    const options = { config, store, secretKeys, passphrase, to, workFactor };
    try {
      const { bytes } = await backUp(options, stop);
      log("info", "automatic_backup_written", { to, bytes });
      await followUp.note("backup", basename(to), null, folder);
      await noteOverdue(false);
      if (command) await followUp.command(command, { path: to, bytes, error: null }, stop);
      await removeOldBackups(folder, store, keep, now);
    } catch (error) {
      stop.throwIfAborted();
      await noteOverdue(isOverdue(cron, last, now));
      const reason = error instanceof Error ? error.message : String(error);
      await followUp.note("backup", basename(to), reason);
      const failed = { path: to, bytes: 0, error: reason };
      if (command) await followUp.command(command, failed, stop);
      throw error;
    }
  }

  /** Does what follows a backup. Resolves to the milliseconds until there is more to do. */
  async function untilNext(stop: AbortSignal): Promise<number> {
    const store = await identifyStore(deps);
    const next = cron.nextRun(await lastTime(store, clock.now()));
    const waitMs = await followUp(store, stop);
    return Math.min(waitMs, next === null ? Infinity : next.getTime() - clock.now().getTime());
  }

  return { backUpIfDue, untilNext };
}

/**
 * Returns a function that returns the time of the latest backup, or that of this call if there is
 * none. A clock that was set back must not delay the first backup until it is right again.
 */
function lastBackupOrStart(folder: string, clock: Clock) {
  let started = clock.now();
  return async (store: StoreIdentity, now: Date): Promise<Date> => {
    if (now < started) started = now;
    return await latestBackup(folder, store, now) ?? started;
  };
}

/**
 * Returns a function that returns the state of automatic backups. Without a backup, the time of the
 * last one counts from now.
 */
export function backupWatch(
  backups: Pick<AutomaticBackups, "cron" | "folder"> | null,
  deps: Pick<Deps, "kv" | "clock" | "config">,
): () => Promise<BackupState> {
  if (backups === null) return () => Promise.resolve({ overdue: false, left: 0, failed: null });
  const { cron, folder } = backups;
  const lastTime = lastBackupOrStart(folder, deps.clock);
  const look = async (): Promise<BackupState> => {
    const now = deps.clock.now();
    const store = await identifyStore(deps);
    const overdue = isOverdue(cron, await lastTime(store, now), now);
    const failed = failedBackupStep(await readBackupReport(deps.config.dataDir));
    return { overdue, left: await countLeft(folder, store), failed };
  };
  let looking: Promise<BackupState> | null = null;
  // Each look at a folder that hangs keeps one of Deno's few threads for files.
  return () => looking ??= look().finally(() => looking = null);
}

/** Returns when automatic backups run; null without them. */
export const backupPlanOf = (backups: Pick<AutomaticBackups, "cron" | "testCron"> | null) =>
  backups && {
    nextBackup: (now: Date) => backups.cron.nextRun(now),
    nextTest: (now: Date) => backups.testCron?.nextRun(now) ?? null,
  };

/** Returns a function that stores a notice each time that the backups become overdue. */
function overdueNotices(deps: Pick<Deps, "kv" | "clock">) {
  let isNoted = false;
  return async (isOld: boolean): Promise<void> => {
    if (isOld && !isNoted) {
      const op = deps.kv.atomic();
      queueNotice(op, deps, {
        event: "backup_too_old",
        project_id: null,
        template_id: null,
        title: { key: "alerts.title.backup_too_old" },
        path: paths.adminHealth(),
      });
      await op.commit();
    }
    isNoted = isOld;
  };
}

function backUp(options: BackUpOptions, stop: AbortSignal): Promise<{ bytes: number }> {
  const { dataDir, kv, version } = options.config;
  const message = { ...options, config: { dataDir, kv, version } };
  return inWorker(new URL("./backup_worker.ts", import.meta.url), message, stop);
}
