import { join } from "node:path";
import type { Clock } from "../base/time/clock.ts";
import type { Config } from "../base/settings/config.ts";
import { withoutCredentials } from "../base/settings/known_settings.ts";
import { replaceFile } from "../base/machine/replace_file.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";

/** Identity of a store, whatever its file or its address is called. */
export interface StoreIdentity {
  /** A random UUID. */
  id: string;
  /** When the store was made, in ISO 8601. It is not later than the first of its backups. */
  made: string;
}

/** The store of a data folder, as noted beside it: its id, and its path or address. */
interface Marker {
  id: string;
  store: string;
}

type Places = Pick<Config, "dataDir" | "kv">;

export const markerFile = (dataDir: string): string => join(dataDir, "store.json");

/** Returns the part of an id that is in the names of backups and copies. */
export const shortId = ({ id }: Pick<StoreIdentity, "id">): string => id.slice(0, 8);

/** Returns the identity of a store; null before the first start on it. */
export const readStoreIdentity = async (kv: Store): Promise<StoreIdentity | null> =>
  (await kv.get<StoreIdentity>(rowKeys.storeIdentity())).value;

/**
 * Returns the identity of a store, which gets one if it has none, and notes it in the data folder.
 * A start after the store is gone finds it there.
 */
export async function identifyStore(
  { kv, clock, config }: { kv: Store; clock: Pick<Clock, "now">; config: Places },
): Promise<StoreIdentity> {
  const marker = await readMarker(config.dataDir);
  const store = withoutCredentials(config.kv);
  const key = rowKeys.storeIdentity();
  let identity = await readStoreIdentity(kv);
  if (!identity) {
    const made: StoreIdentity = { id: crypto.randomUUID(), made: clock.now().toISOString() };
    await kv.atomic().check({ key, versionstamp: null }).set(key, made).commit();
    // Another server with the same store may have been faster.
    identity = (await readStoreIdentity(kv))!;
  }
  if (marker?.id !== identity.id || marker.store !== store) {
    const text = JSON.stringify({ id: identity.id, store } satisfies Marker);
    await replaceFile(markerFile(config.dataDir), text + "\n");
  }
  return identity;
}

/** Returns the note in the data folder; null if there is none, or nothing readable in it. */
export async function readMarker(dataDir: string): Promise<Marker | null> {
  try {
    const { id, store } = JSON.parse(await Deno.readTextFile(markerFile(dataDir)));
    return typeof id === "string" && typeof store === "string" ? { id, store } : null;
  } catch {
    return null;
  }
}

/** Notes which version of Callboard has started on the store, after its upgrade. */
export async function noteWriter(kv: Store, version: string): Promise<void> {
  if (await readWriter(kv) !== version) await kv.set(rowKeys.storeWriter(), version);
}

/** Returns the version of Callboard that last started on the store; null for a new one. */
const readWriter = async (kv: Store): Promise<string | null> =>
  (await kv.get<string>(rowKeys.storeWriter())).value;
