import { Buffer } from "node:buffer";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { deserialize } from "node:v8";
import { explainStore } from "../../base/explain_store.ts";

/** Type bytes of Deno KV's encoding of a key. */
const [TEXT, END] = ["02", "00"];
/** How Deno KV has encoded a value. */
const [V8, BYTES] = [1, 3];

/**
 * Reads a row of the store's file without opening it as a store, which would write to it. Returns
 * null if there is none. The parts of the key are texts. Needs a process with all permissions.
 * Throws ConfigError if the file cannot be read.
 */
export const readStoredRow = (path: string, key: Deno.KvKey): unknown =>
  inDatabase(path, (database) => readRow(database, key));

/**
 * Returns the first key for each text that follows `prefix`, as `firstOfEach` finds them, with the
 * texts that it begins with. Reads the file as `readStoredRow` does.
 */
export const readFirstKeys = (path: string, prefix: Deno.KvKey): string[][] =>
  inDatabase(path, (database) => {
    const next = database.prepare("SELECT k FROM kv WHERE k >= ? AND k < ? ORDER BY k LIMIT 1");
    const end = Buffer.from(hexOf(prefix) + "ff", "hex");
    const found: string[][] = [];
    for (let start = hexOf(prefix);;) {
      const row = next.get(Buffer.from(start, "hex"), end) as { k: Uint8Array } | undefined;
      if (!row) return found;
      const texts = textsOf(row.k);
      found.push(texts);
      start = hexOf(texts.slice(0, prefix.length + 1)) + "ff";
    }
  });

function inDatabase<Read>(path: string, read: (database: DatabaseSync) => Read): Read {
  try {
    using database = new DatabaseSync(addressOf(path), { readOnly: true });
    database.exec("PRAGMA busy_timeout = 2000");
    return read(database);
  } catch (error) {
    throw explainStore(path, error);
  }
}

const hexOf = (key: Deno.KvKey): string =>
  key.map((part) => TEXT + Buffer.from(String(part)).toString("hex") + END).join("");

/** Returns the texts that an encoded key begins with. None of them has a character 0. */
function textsOf(key: Uint8Array): string[] {
  const texts: string[] = [];
  for (let at = 0; key[at] === parseInt(TEXT, 16);) {
    const end = key.indexOf(0, at);
    texts.push(Buffer.from(key.subarray(at + 1, end)).toString());
    at = end + 1;
  }
  return texts;
}

/** Returns a row of a database that is a store; null if there is none. */
export function readRow(database: DatabaseSync, key: Deno.KvKey): unknown {
  const row = database.prepare("SELECT v, v_encoding FROM kv WHERE k = ?")
    .get(Buffer.from(hexOf(key), "hex")) as { v: Uint8Array; v_encoding: number } | undefined;
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
