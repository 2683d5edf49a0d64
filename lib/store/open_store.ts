import { explainStore } from "../base/explain_store.ts";
import { rowKeys } from "./keys.ts";
import { readOutboxSwitch } from "./outbox_switch.ts";
import { openService } from "./open_service.ts";
import { createStore, type Store, type WatchCalls } from "./store.ts";
import { slimStore } from "./store_file.ts";

/**
 * Opens the database: a file path, or the URL of a KV Connect service. Throws ConfigError if the
 * file is not usable, or the service does not answer.
 */
export async function openStore(path: string, watchCalls?: WatchCalls): Promise<Store> {
  const kv = path === ":memory:"
    ? await Deno.openKv(path)
    : URL.canParse(path)
    ? await openService(path)
    : await openFile(path);
  const store = createStore(kv, watchCalls);
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
