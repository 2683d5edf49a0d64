import { type Config, isShared } from "../base/settings/config.ts";
import { openDataFolder } from "../base/machine/data_folder.ts";
import { operatorCommand } from "../base/machine/operator_command.ts";
import { ConfigError } from "../base/settings/settings.ts";
import { rowKeys } from "../store/keys.ts";
import { readStoredRow } from "../store/rows/read_stored_row.ts";
import { type StoreState, storeState } from "../store/file/store_file.ts";
import { secretKeyFile } from "../access/secret_keys.ts";
import { readLastBackup } from "./server_backup/last_backup.ts";
import { listBackups } from "./server_backup/backup_files.ts";
import { markerFile, readMarker, type StoreIdentity } from "./store_identity.ts";
import { listUpgradeCopies } from "./upgrade_copies.ts";

type Places = Pick<Config, "dataDir" | "kv" | "backupFolder" | "newStore">;

/**
 * Opens the data folder, and the store's file far enough to see whether it can be read and has
 * rows. Throws ConfigError if it has none although a store was here before: a volume is not
 * mounted, or the file was emptied, and automatic backups of a new store would follow.
 */
export async function openData(config: Places): Promise<void> {
  await openDataFolder(config);
  if (isShared(config)) return;
  await requireOwnLog(config);
  const state = storeState(config.kv);
  const lost = state === "rows" ? null : await findLoss(config, state);
  if (lost && !config.newStore) throw new ConfigError(lost);
}

/** Says what shows that a store was here before, and what to do; null if the server is new. */
export async function findLoss(config: Places, state: Empty): Promise<string | null> {
  const trace = await findTrace(config, state);
  return trace && refusal(config, state, trace);
}

/**
 * Throws ConfigError if the log beside the store belongs to another store. SQLite cannot tell, and
 * would replace the rows with those of the log.
 */
async function requireOwnLog({ dataDir, kv }: Places): Promise<void> {
  const marker = await readMarker(dataDir);
  const bytes = await Deno.stat(`${kv}-wal`).then(({ size }) => size, () => 0);
  if (marker?.store !== kv || bytes === 0) return;
  const identity = readStoredRow(kv, rowKeys.storeIdentity()) as StoreIdentity | null;
  if (identity?.id === marker.id) return;
  throw new ConfigError(
    `The log ${kv}-wal is that of another store than ${kv}. ` +
      `Move it and ${kv}-shm away, and try again.`,
  );
}

/** Throws ConfigError if there is no store, for commands that make no sense without one. */
export function requireStore({ kv }: Pick<Config, "kv">): void {
  if (isShared({ kv }) || storeState(kv) === "rows") return;
  throw new ConfigError(`There is no store at ${kv} yet. Start the server first.`);
}

type Empty = Exclude<StoreState, "rows">;

const STATES: Record<Empty, string> = {
  missing: "does not exist",
  no_bytes: "is an empty file",
  no_rows: "has no rows",
};

/** A sign that a store was here, and the file to restore, if one was found. */
interface Trace {
  found: string;
  backup?: string;
  copy?: string;
}

/** Returns the trace of a store that helps most to get it back; null if the server is new. */
async function findTrace(config: Places, state: Empty): Promise<Trace | null> {
  const { dataDir, backupFolder } = config;
  // A folder that cannot be read has no traces to follow. The start of backups says why.
  const backups = backupFolder === null ? [] : await listBackups(backupFolder).catch(() => []);
  if (backups.length > 0) {
    const backup = `${backupFolder}/${backups[0].name}`;
    return { found: `the latest automatic backup is ${backup}`, backup };
  }
  const [copy] = await listUpgradeCopies(config).catch(() => []);
  if (copy) return { found: `${copy.path} is a copy from before an upgrade`, copy: copy.path };
  const marker = await readMarker(dataDir);
  if (marker) return { found: `${markerFile(dataDir)} names the store ${marker.store}` };
  const last = await readLastBackup(dataDir);
  if (last) return { found: `the data folder had a store that was backed up at ${last.at}` };
  // A first start that was killed may leave a store without rows, but writes the key after it.
  if (state === "no_rows") return null;
  const key = secretKeyFile(dataDir);
  const isThere = await Deno.stat(key).then(() => true, () => false);
  return isThere ? { found: `${key} is the key of a store` } : null;
}

function refusal(
  { dataDir, kv }: Places,
  state: Empty,
  { found, backup, copy }: Trace,
): string {
  const restore = copy
    ? `To go back to the copy: ${operatorCommand(`restore --upgrade-copy ${copy}`)}.`
    : `To restore a backup, empty ${dataDir} and run: ` +
      `${operatorCommand(`restore --from ${backup ?? "FILE"}`)}.`;
  return `The store ${kv} ${STATES[state]}, but a store was here before: ${found}. ` +
    "Check that its volume is mounted, and that CALLBOARD_DATA and CALLBOARD_KV are right. " +
    `${restore} To start with an empty store, set CALLBOARD_NEW_STORE=true for one start.`;
}
