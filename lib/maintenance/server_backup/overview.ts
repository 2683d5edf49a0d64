import type { AdminScope } from "../../access/scope.ts";
import type { Deps } from "../../access/deps.ts";
import { inLimit } from "../../base/time/abort.ts";
import { type BackupReport, readBackupReport } from "./backup_report.ts";
import { listBackups } from "./backup_files.ts";

/** Automatic backups of this server, for its administrators. */
export interface BackupOverview {
  /** The folder of backups; null without automatic ones. */
  folder: string | null;
  /** The backups there, the latest first. Null if the folder cannot be read. */
  files: { name: string; time: string; size: number }[] | null;
  report: BackupReport;
  /** The next times; null for none. */
  nextBackup: string | null;
  nextTest: string | null;
}

/** Times of this server's plan. */
export interface BackupPlan {
  nextBackup(now: Date): Date | null;
  nextTest(now: Date): Date | null;
}

const SHOWN_MAX = 50;
const ANSWER_MS_MAX = 3_000;

/** Returns the latest backups, what became of them, and what comes next. */
export async function readBackups(
  { deps }: AdminScope<Deps & { backupPlan: BackupPlan | null }>,
): Promise<BackupOverview> {
  const { clock, backupPlan: plan, config: { backupFolder: folder, dataDir } } = deps;
  const now = clock.now();
  // A folder that hangs must not hold up the page.
  const slow = () => new Error("slow folder");
  const files = folder === null
    ? null
    : await inLimit(listBackups(folder), ANSWER_MS_MAX, slow).catch(() => null);
  return {
    folder,
    files: files && files.slice(0, SHOWN_MAX)
      .map(({ name, time, size }) => ({ name, time: time.toISOString(), size })),
    report: await readBackupReport(dataDir),
    nextBackup: plan?.nextBackup(now)?.toISOString() ?? null,
    nextTest: plan?.nextTest(now)?.toISOString() ?? null,
  };
}
