import { basename, join } from "node:path";
import { diskSpace } from "../base/machine/disk_space.ts";
import { type Config, isShared } from "../base/settings/config.ts";
import { explain } from "../base/machine/data_folder.ts";
import { Ended } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import { ConfigError } from "../base/settings/settings.ts";
import { copyStore } from "../store/file/copy_store.ts";
import { rowKeys } from "../store/keys.ts";
import { megabytes } from "../store/file/store_file.ts";
import type { Store } from "../store/store.ts";
import { shortId, type StoreIdentity } from "./store_identity.ts";

/** Number of upgrades whose copies are kept. */
const KEPT = 3;
/** Free space that must be left for the upgrade itself. */
const SPARE_BYTES = 16 * 1024 * 1024;
const POLL_MS = 200;
const ADVICE = "or set CALLBOARD_UPGRADE_BACKUP=false to upgrade without a copy";

type Places = Pick<Config, "dataDir" | "kv">;

/** A copy of the store from before an upgrade. */
interface UpgradeCopy {
  path: string;
  /** Version of the store that was copied. */
  version: number;
  /** Start of the store's id. */
  store: string;
}

/** End of a copy's name: the store's version, and the start of its id. */
const END = /\.version-(\d+)-([0-9a-f]{8})$/;

/**
 * The name holds the store's version and id. A copy that was interrupted is thus done again under
 * the same name. Copies lie in the data folder, where the server may write, wherever the store
 * lies.
 */
const pathOf = ({ dataDir, kv }: Places, version: number, store: StoreIdentity): string =>
  join(dataDir, `${basename(kv)}.version-${version}-${shortId(store)}`);

interface Deps {
  kv: Store;
  config: Places & Pick<Config, "upgradeBackup">;
  log: Log;
}

interface CopyOptions {
  store: StoreIdentity;
  /** Version of the store. */
  version: number;
  stop?: AbortSignal;
  /** Called repeatedly with the progress in percent, and with null at the end. */
  onProgress?(percent: number | null): void;
}

/**
 * Copies a store that is a file before its upgrade, unless an interrupted start of the same upgrade
 * has done so. Keeps the copies of some upgrades. Throws ConfigError if there is too little space.
 */
export async function copyBeforeUpgrade(deps: Deps, options: CopyOptions): Promise<void> {
  const { kv, config, log } = deps;
  if (isShared(config)) return log("info", "upgrade_not_copied", { reason: "KV Connect" });
  if (!config.upgradeBackup) {
    return log("info", "upgrade_not_copied", { reason: "CALLBOARD_UPGRADE_BACKUP" });
  }
  if ((await kv.get(rowKeys.storeCopied())).value) return;
  const copy = await copyFile(config, options);
  // Stored after the copy is complete, so the copy itself does not contain it.
  await kv.set(rowKeys.storeCopied(), true);
  await removeOldCopies(config, options.store);
  log("info", "upgrade_copied", { copy });
}

/** Removes the copies of this store except the latest. Those of other stores are not ours. */
async function removeOldCopies(places: Places, store: StoreIdentity): Promise<void> {
  const own = (await listUpgradeCopies(places)).filter((copy) => copy.store === shortId(store));
  for (const { path } of own.slice(KEPT)) await Deno.remove(path);
}

async function copyFile(places: Places, options: CopyOptions): Promise<string> {
  const path = pathOf(places, options.version, options.store);
  const partial = `${path}.partial`;
  await removePartial(places);
  const { size } = await Deno.stat(places.kv);
  await requireSpace(places.dataDir, size + SPARE_BYTES);
  let over = false;
  const report = async () => {
    const { size: copied } = await Deno.stat(partial).catch(() => ({ size: 0 }));
    // A late answer must not hide that the copy is done.
    if (!over) options.onProgress?.(Math.min(99, Math.floor(100 * copied / size)));
  };
  await report();
  const timer = setInterval(() => report().catch(() => {}), POLL_MS);
  try {
    await copyStore({ from: places.kv, to: partial, stop: options.stop });
    await Deno.rename(partial, path);
    await syncFolder(places.dataDir);
    return path;
  } catch (error) {
    await removePartial(places);
    if (error instanceof Ended) throw error;
    throw new ConfigError(
      `The store cannot be copied to ${path} before the upgrade: ${explain(error)}. ` +
        `Solve this, ${ADVICE}.`,
      { cause: error },
    );
  } finally {
    clearInterval(timer);
    over = true;
    options.onProgress?.(null);
  }
}

/** Returns the complete copies, the one of the latest version first. */
export async function listUpgradeCopies(places: Places): Promise<UpgradeCopy[]> {
  const copies: UpgradeCopy[] = [];
  for await (const { name, isFile } of Deno.readDir(places.dataDir)) {
    const match = END.exec(name);
    if (!isFile || !match || name.slice(0, match.index) !== basename(places.kv)) continue;
    const [, version, store] = match;
    copies.push({ path: join(places.dataDir, name), version: Number(version), store });
  }
  return copies.sort((a, b) => b.version - a.version);
}

/**
 * Returns the latest copy of a store that a program for stores up to a version can go back to, or
 * null. A store without an identity was never started.
 */
export async function findUsableCopy(
  places: Places,
  store: StoreIdentity | null,
  versionMax: number,
): Promise<string | null> {
  if (isShared(places)) return null;
  const copy = (await listUpgradeCopies(places)).find(({ version, store: of }) =>
    version <= versionMax && (!store || of === shortId(store))
  );
  return copy?.path ?? null;
}

/** Removes what an interrupted copy has left, with the files that SQLite puts beside it. */
async function removePartial(places: Places): Promise<void> {
  const start = `${basename(places.kv)}.version-`;
  for await (const { name } of Deno.readDir(places.dataDir)) {
    if (!name.startsWith(start) || !/^\d+-[0-9a-f]{8}\.partial/.test(name.slice(start.length))) {
      continue;
    }
    await Deno.remove(join(places.dataDir, name));
  }
}

async function requireSpace(folder: string, bytes: number): Promise<void> {
  const { free } = await diskSpace(folder);
  if (free >= bytes) return;
  throw new ConfigError(
    `The upgrade first copies the store, which needs ${megabytes(bytes)} of free disk space in ` +
      `${folder}. ${megabytes(free)} are available. Free up space, ${ADVICE}.`,
  );
}

/** Makes a rename in the folder survive a power failure. */
async function syncFolder(folder: string): Promise<void> {
  using file = await Deno.open(folder);
  await file.sync();
}
