import { ConfigError } from "../config.ts";
import { keys } from "./keys.ts";

/**
 * One change of the rows' shape. It may be cut off and run again: it must leave alone what it has
 * already changed.
 */
export type Migration = (kv: Deno.Kv) => Promise<void>;

/** In the order they were added; never removed, never reordered. */
const MIGRATIONS: readonly Migration[] = [];

/**
 * Brings a store of an earlier version to today's shape, before anything else reads it. Throws
 * ConfigError for a store that a later version has written: reading it could destroy it.
 */
export async function migrate(
  kv: Deno.Kv,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const { value } = await kv.get<number>(keys.storeVersion());
  const done = value ?? migrations.length; // A new store has today's shape.
  if (done > migrations.length) {
    throw new ConfigError(
      "This data was written by a later version of Callboard. Start that version, or restore a backup.",
    );
  }
  if (value === null) await kv.set(keys.storeVersion(), done);
  for (let n = done; n < migrations.length; n++) {
    await migrations[n](kv);
    await kv.set(keys.storeVersion(), n + 1);
  }
}
