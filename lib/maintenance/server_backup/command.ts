import { noIsolation } from "../../execution/process/isolation.ts";
import type { RunEnvironment } from "../../execution/run/environment.ts";
import { tryCommand } from "../../execution/process/try_command.ts";

/** A command that the server runs after each backup. */
export interface BackupCommand {
  /** For `sh -c`. */
  text: string;
  limitMs: number;
}

/** The outcome of a backup, as its command learns it. */
export interface BackedUp {
  path: string;
  /** 0 for a backup that failed. */
  bytes: number;
  error: string | null;
}

/**
 * Runs the command of the operator, outside of the isolation of tasks and without the secrets of
 * the server. Throws the last line of its error output if it fails or takes too long.
 */
export async function runBackupCommand(
  environment: RunEnvironment,
  { text, limitMs }: BackupCommand,
  { path, bytes, error }: BackedUp,
  stop: AbortSignal,
): Promise<void> {
  const variables = {
    ...environment.variables,
    CALLBOARD_BACKUP_FILE: path,
    CALLBOARD_BACKUP_BYTES: String(bytes),
    CALLBOARD_BACKUP_RESULT: error === null ? "ok" : "failed",
    CALLBOARD_BACKUP_ERROR: error ?? "",
  };
  const { works, complaint } = await tryCommand(
    { ...environment, variables, isolation: noIsolation },
    ["sh", "-c", text],
    { limitMs, stop },
  );
  stop.throwIfAborted();
  if (!works) throw new Error(complaint);
}
