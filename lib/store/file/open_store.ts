import { explainStore } from "../../base/explain_store.ts";
import { openFileVersion } from "./file_version.ts";
import { rowKeys } from "../keys.ts";
import { readOutboxSwitch } from "../outbox_switch.ts";
import { openService } from "./open_service.ts";
import { createStore, type Store, type WatchCalls } from "../store.ts";
import { slimStore } from "./store_file.ts";

/**
 * Opens the database: a file path, or the URL of a KV Connect service. Throws ConfigError if the
 * file is not usable, or the service does not answer.
 */
export async function openStore(path: string, watchCalls?: WatchCalls): Promise<Store> {
  const isFile = path !== ":memory:" && !URL.canParse(path);
  const kv = isFile
    ? await openFile(path)
    : await (path === ":memory:" ? Deno.openKv(path) : openService(path));
  const store = createStore(kv, watchCalls, isFile ? openFileVersion(path) : null);
  await readOutboxSwitch(store);
  return store;
}

/**
 * SQLite reports damage only in the parts that it reads. This reads the parts that every start
 * needs.
 */
async function openFile(path: string): Promise<Deno.Kv> {
  try {
    // Deno creates the file. A process that has it open already would not notice a changed index.
    (await Deno.openKv(path)).close();
    slimStore(path);
    const kv = await Deno.openKv(path);
    await kv.get(rowKeys.storeVersion());
    return kv;
  } catch (error) {
    throw explainStore(path, error);
  }
}
