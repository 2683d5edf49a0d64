import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ConfigError } from "../base/settings.ts";

/** Deno's index of the rows that expire. It has all rows, with their keys: a fifth of the file. */
const FULL_INDEX = "CREATE INDEX kv_expiration_ms_idx on kv (expiration_ms)";

/** The same index of those rows alone that expire: all that Deno's two queries on it ask for. */
const SLIM_INDEX = `
  BEGIN IMMEDIATE;
  DROP INDEX kv_expiration_ms_idx;
  CREATE INDEX kv_expiration_ms_idx ON kv (expiration_ms) WHERE expiration_ms >= 0;
  COMMIT;
`;
/** The share of the full index in a file, as far as it was measured. */
const INDEX_SHARE = 1 / 6;

/** Less than this is not worth the time that compacting takes. */
const WASTE_BYTES_MIN = 64 * 1024 * 1024;
const WASTE_SHARE_MIN = 1 / 8;
/** A file below this is given the slim index whenever it is opened: that takes milliseconds. */
const SMALL_BYTES_MAX = 16 * 1024 * 1024;

interface Space {
  bytes: number;
  /** Pages that hold nothing, and come back to the disk only by compacting. */
  freeBytes: number;
  hasFullIndex: boolean;
}

/** Whether the store's file, if there is one, holds much that compacting would give back. */
export function isMuchFree(path: string): boolean {
  const space = withDatabase(path, readSpace);
  if (!space) return false;
  const { bytes, freeBytes, hasFullIndex } = space;
  const waste = freeBytes + (hasFullIndex ? (bytes - freeBytes) * INDEX_SHARE : 0);
  return waste >= WASTE_BYTES_MIN && waste >= bytes * WASTE_SHARE_MIN;
}

/** Gives a file that is small, as a new one is, the slim index. */
export function slimSmallStore(path: string): void {
  withDatabase(path, (database) => {
    const { bytes, hasFullIndex } = readSpace(database);
    if (hasFullIndex && bytes <= SMALL_BYTES_MAX) database.exec(SLIM_INDEX);
  });
}

/**
 * Makes the file as small as its rows. SQLite does it in transactions, so that a crash leaves the
 * file as it was. Needs a process with all permissions. Throws ConfigError where the disk has too
 * little room for it.
 */
export async function compactStore(path: string): Promise<{ before: number; after: number }> {
  const space = withDatabase(path, readSpace);
  if (!space) throw new ConfigError(`There is no store ${path}.`);
  await requireRoom(path, 2 * (space.bytes - space.freeBytes));
  // The copy is written where the room is, and not into a small /tmp.
  Deno.env.set("SQLITE_TMPDIR", dirname(path));
  withDatabase(path, (database) => {
    if (space.hasFullIndex) database.exec(SLIM_INDEX);
    database.exec("VACUUM");
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  });
  return { before: space.bytes, after: withDatabase(path, readSpace)!.bytes };
}

/** A copy of the rows, and the log of it, are on the disk beside the file for a while. */
async function requireRoom(path: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(path));
  if (bavail * bsize >= bytes) return;
  throw new ConfigError(
    `The store ${path} cannot be compacted: that needs ${megabytes(bytes)} of free disk, ` +
      `and there are ${megabytes(bavail * bsize)}.`,
  );
}

export const megabytes = (bytes: number): string =>
  `${Math.ceil(bytes / 1_000_000).toLocaleString("en")} MB`;

function readSpace(database: DatabaseSync): Space {
  const read = (name: string) =>
    Number(Object.values(database.prepare(`PRAGMA ${name}`).get()!)[0]);
  const index = database.prepare("SELECT sql FROM sqlite_master WHERE name = ?")
    .get("kv_expiration_ms_idx");
  const page = read("page_size");
  return {
    bytes: page * read("page_count"),
    freeBytes: page * read("freelist_count"),
    hasFullIndex: index?.sql === FULL_INDEX,
  };
}

/** Null where there is no such file. */
function withDatabase<T>(path: string, work: (database: DatabaseSync) => T): T | null {
  try {
    Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
  const database = new DatabaseSync(path);
  try {
    database.exec("PRAGMA busy_timeout = 5000");
    return work(database);
  } finally {
    database.close();
  }
}
