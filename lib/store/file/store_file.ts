import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { diskSpace } from "../../base/machine/disk_space.ts";
import { explainStore } from "../../base/explain_store.ts";
import { ConfigError } from "../../base/settings/settings.ts";

/**
 * Deno's index of expiring rows. It contains all rows with their keys, which is a fifth of the
 * file.
 */
const FULL_INDEX = "CREATE INDEX kv_expiration_ms_idx on kv (expiration_ms)";

/** The same index, limited to rows that expire. Deno's two queries on the index need no others. */
const SLIM_INDEX = `
  BEGIN IMMEDIATE;
  DROP INDEX kv_expiration_ms_idx;
  CREATE INDEX kv_expiration_ms_idx ON kv (expiration_ms) WHERE expiration_ms >= 0;
  COMMIT;
`;
/** Approximate share of the full index in a file, from measurements. */
const INDEX_SHARE = 1 / 6;

/** Compacting takes too long to be worth it for less than this. */
const WASTE_BYTES_MIN = 64 * 1024 * 1024;
const WASTE_SHARE_MIN = 1 / 8;

interface Space {
  bytes: number;
  /** Unused pages, which return to the disk only by compacting. */
  freeBytes: number;
  hasFullIndex: boolean;
}

/** Whether the store's file exists and compacting would free much of its space. */
export function isMuchFree(path: string): boolean {
  const space = withDatabase(path, readSpace);
  if (!space) return false;
  const { bytes, freeBytes, hasFullIndex } = space;
  const waste = freeBytes + (hasFullIndex ? (bytes - freeBytes) * INDEX_SHARE : 0);
  return waste >= WASTE_BYTES_MIN && waste >= bytes * WASTE_SHARE_MIN;
}

/** State of a store's file. */
export type StoreState = "missing" | "no_bytes" | "no_rows" | "rows";

/** Looks for a store's rows. Throws ConfigError if the file is damaged, or cannot be read. */
export function storeState(path: string): StoreState {
  return withDatabase(path, (database) => {
    if (Deno.statSync(path).size === 0) return "no_bytes";
    const table = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'kv'").get();
    return table && database.prepare("SELECT 1 FROM kv LIMIT 1").get() ? "rows" : "no_rows";
  }) ?? "missing";
}

/**
 * Gives a file with the full index the slim one, once: 32 ms for 50 MB. Its pages are free for
 * other rows then.
 */
export function slimStore(path: string): void {
  withDatabase(path, (database) => {
    if (readSpace(database).hasFullIndex) database.exec(SLIM_INDEX);
  });
}

/**
 * Shrinks the file to the size of its rows. SQLite does this in transactions, so a crash leaves the
 * file unchanged. Needs a process with all permissions. Throws ConfigError if the disk does not
 * have enough free space.
 */
export async function compactStore(path: string): Promise<{ before: number; after: number }> {
  const space = withDatabase(path, readSpace);
  if (!space) throw new ConfigError(`The store ${path} does not exist.`);
  await requireRoom(path, 2 * (space.bytes - space.freeBytes));
  // Writes the copy to the folder with enough space instead of a possibly small /tmp.
  Deno.env.set("SQLITE_TMPDIR", dirname(path));
  withDatabase(path, (database) => {
    if (space.hasFullIndex) database.exec(SLIM_INDEX);
    database.exec("VACUUM");
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  });
  return { before: space.bytes, after: withDatabase(path, readSpace)!.bytes };
}

/**
 * Checks the free space for a copy of the rows and its log, which are temporarily next to the file.
 */
async function requireRoom(path: string, bytes: number): Promise<void> {
  const { free } = await diskSpace(dirname(path));
  if (free >= bytes) return;
  throw new ConfigError(
    `The store ${path} cannot be compacted: it needs ${megabytes(bytes)} of free disk space, ` +
      `and ${megabytes(free)} are available.`,
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

/** Returns null if the file does not exist. Throws ConfigError if SQLite cannot work with it. */
function withDatabase<T>(path: string, work: (database: DatabaseSync) => T): T | null {
  try {
    Deno.statSync(path);
    using database = new DatabaseSync(path);
    database.exec("PRAGMA busy_timeout = 5000");
    return work(database);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw explainStore(path, error);
  }
}
