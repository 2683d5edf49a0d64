import { Buffer } from "node:buffer";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { deserialize } from "node:v8";
import { explainStore } from "../base/explain_store.ts";

/** Type bytes of Deno KV's encoding of a key. */
const [TEXT, END] = ["02", "00"];
/** How Deno KV has encoded a value. */
const [V8, BYTES] = [1, 3];

/**
 * Reads a row of the store's file without opening it as a store, which would write to it. Returns
 * null if there is none. The parts of the key are texts. Needs a process with all permissions.
 * Throws ConfigError if the file cannot be read.
 */
export function readStoredRow(path: string, key: Deno.KvKey): unknown {
  try {
    using database = new DatabaseSync(addressOf(path), { readOnly: true });
    database.exec("PRAGMA busy_timeout = 2000");
    return readRow(database, key);
  } catch (error) {
    throw explainStore(path, error);
  }
}

/** Returns a row of a database that is a store; null if there is none. */
export function readRow(database: DatabaseSync, key: Deno.KvKey): unknown {
  const hex = key.map((part) => TEXT + Buffer.from(String(part)).toString("hex") + END).join("");
  const row = database.prepare("SELECT v, v_encoding FROM kv WHERE k = ?")
    .get(Buffer.from(hex, "hex")) as { v: Uint8Array; v_encoding: number } | undefined;
  if (row?.v_encoding === V8) return deserialize(Buffer.from(row.v));
  return row?.v_encoding === BYTES ? row.v : null;
}

/**
 * SQLite would create its log beside a file that no process has open, and a server of another
 * account could not write to that. Such a file does not change, so no log is needed.
 */
function addressOf(path: string): string {
  const isOpen = [`${path}-wal`, `${path}-shm`].some((file) => {
    try {
      return Deno.statSync(file).isFile;
    } catch {
      return false;
    }
  });
  return isOpen ? path : `${pathToFileURL(path).href}?immutable=1`;
}
