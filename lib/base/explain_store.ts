import { dirname } from "node:path";
import { operatorCommand } from "./machine/operator_command.ts";
import { ConfigError } from "./settings/settings.ts";

/** Whether SQLite has found damage in the store while it was read. */
export const saysDamaged = (error: unknown): boolean =>
  !(error instanceof ConfigError) && /malformed|not a database/i.test(messageOf(error));

/**
 * Returns a ConfigError that explains what is wrong with the store's file, as far as SQLite and the
 * file system report, and what to do.
 */
export function explainStore(path: string, error: unknown): ConfigError {
  if (error instanceof ConfigError) return error;
  const reason = lookAt(path) ??
    STORE_REASONS.find(([pattern]) => pattern.test(messageOf(error)))?.[1]() ?? messageOf(error);
  return new ConfigError(`The store ${path} cannot be opened: ${reason}`, { cause: error });
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Returns what SQLite does not say: what stands where the file should be. Null for a file. */
function lookAt(path: string): string | null {
  try {
    const { isFile, isDirectory } = Deno.statSync(path);
    if (isDirectory) return "it is a folder";
    return isFile ? null : "it is not a file";
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? lookAtFolder(dirname(path)) : null;
  }
}

function lookAtFolder(folder: string): string | null {
  try {
    return Deno.statSync(folder).isDirectory ? null : "its folder is a file";
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? "its folder is missing" : null;
  }
}

const STORE_REASONS: [RegExp, () => string][] = [
  [
    /malformed|not a database|corrupt|already exists|no such (table|column)/i,
    () =>
      "it is damaged, or not a store. Move the data folder away, and restore a backup into an " +
      `empty one: ${operatorCommand("restore --from FILE")}`,
  ],
  [
    /unable to open|cannot open|denied|not permitted/i,
    () => "its folder is missing, or this account is not allowed to read and write there",
  ],
  [/readonly|read-only/i, () => "it, or its folder, is read-only"],
  [/disk is full|no space/i, () => "the disk is full"],
  [/disk i\/o error/i, () => "the disk cannot be read or written"],
];
