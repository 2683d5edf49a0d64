import { join } from "node:path";
import { replaceFile } from "../../base/machine/replace_file.ts";

/** Steps of a backup, each with its own outcome. */
const BACKUP_STEPS = ["backup", "upload", "command", "test"] as const;
export type BackupStep = (typeof BACKUP_STEPS)[number];

/** The latest outcome of a step. */
export interface StepOutcome {
  at: string;
  /** Name of the backup. */
  name: string;
  /** The reason of a failure, for administrators; null for a success. */
  error: string | null;
  /** Where it went, or what it found. */
  detail?: string;
}

export type BackupReport = Partial<Record<BackupStep, StepOutcome>>;

const fileIn = (dataDir: string) => join(dataDir, "backup_report.json");
const ERROR_MAX = 500;

/** Returns the latest outcomes; none if there are none, or nothing readable about them. */
export async function readBackupReport(dataDir: string): Promise<BackupReport> {
  try {
    const report: unknown = JSON.parse(await Deno.readTextFile(fileIn(dataDir)));
    return typeof report === "object" && report !== null ? report : {};
  } catch {
    return {};
  }
}

/**
 * Stores the outcome of a step. The store cannot hold it, because backups are copies of the store.
 * One loop calls this, one step after the other.
 */
export async function noteStep(
  dataDir: string,
  step: BackupStep,
  outcome: StepOutcome,
): Promise<void> {
  const report = await readBackupReport(dataDir);
  const error = outcome.error?.slice(0, ERROR_MAX) ?? null;
  await replaceFile(fileIn(dataDir), JSON.stringify({ ...report, [step]: { ...outcome, error } }));
}

/** Returns the first step that follows a backup and whose latest outcome is a failure. */
export const failedBackupStep = (report: BackupReport): Exclude<BackupStep, "backup"> | null =>
  BACKUP_STEPS.filter((step) => step !== "backup").find((step) => report[step]?.error) ?? null;

/** State of the folder of automatic backups. */
export interface BackupState {
  /** Whether they have not succeeded at their last two times. */
  overdue: boolean;
  /** Number of those that are left to people, because no rotation removes them. */
  left: number;
  /** The step after the latest backup that failed; null for none. */
  failed: ReturnType<typeof failedBackupStep>;
}
