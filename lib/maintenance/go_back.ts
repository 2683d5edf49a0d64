import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Config } from "../base/settings/config.ts";
import { explainStore, saysDamaged } from "../base/explain_store.ts";
import { lockDataFolder } from "../base/machine/data_lock.ts";
import { ConfigError } from "../base/settings/settings.ts";
import { databaseFile } from "./server_backup/contents.ts";
import { move, verifyDatabase } from "./server_backup/restore.ts";

interface GoBackOptions {
  config: Pick<Config, "dataDir" | "kv">;
  /** A copy of the store from before an upgrade. It becomes the store. */
  copy: string;
}

interface WentBack {
  /** The path that the replaced store has now; null if there was no store. */
  replaced: string | null;
  /** The version of Callboard that last started on the copy; null if it is not known. */
  writer: string | null;
}

/** Replaces the store with a copy from before an upgrade while no server runs. */
export async function goBack({ config, copy }: GoBackOptions): Promise<WentBack> {
  const store = databaseFile(config.kv);
  if (!await isFile(copy)) throw new ConfigError(`There is no file ${copy}`);
  let writer;
  try {
    writer = verifyDatabase(copy);
  } catch (error) {
    throw new ConfigError(`${copy} is not a copy of a store, or damaged`, { cause: error });
  }
  using _lock = await lockDataFolder(config.dataDir, 0);
  const replaced = await isFile(store) ? await setAside(store) : null;
  await move(copy, store);
  using folder = await Deno.open(dirname(store));
  await folder.sync();
  return { replaced, writer };
}

const isFile = (path: string): Promise<boolean> =>
  Deno.stat(path).then(({ isFile }) => isFile, () => false);

/** Keeps the store under another name as well. Its own name is never without a store. */
async function setAside(store: string): Promise<string> {
  const replaced = `${store}.replaced-${new Date().toISOString().replace(/\D/g, "").slice(0, 14)}`;
  const isWhole = mergeLog(store);
  for (const end of ["-wal", "-shm"]) {
    if (!await isFile(store + end)) continue;
    if (isWhole) throw new ConfigError(`Another process uses ${store}. End it first`);
    // SQLite would take the log of a damaged store for that of the copy.
    await Deno.rename(store + end, replaced + end);
  }
  await Deno.link(store, replaced).catch(async (error) => {
    if (error instanceof Deno.errors.AlreadyExists) throw error;
    // Some file systems have no links.
    await Deno.rename(store, replaced);
  });
  return replaced;
}

/**
 * Moves all commits into the store's own file. SQLite then removes the files beside it. Returns
 * false for a damaged store.
 */
function mergeLog(store: string): boolean {
  try {
    using database = new DatabaseSync(store);
    database.exec("PRAGMA busy_timeout = 5000; PRAGMA wal_checkpoint(TRUNCATE)");
    return true;
  } catch (error) {
    if (saysDamaged(error)) return false;
    throw explainStore(store, error);
  }
}
