import type { Cron } from "croner";
import { join } from "node:path";
import { shortId, type StoreIdentity } from "../store_identity.ts";

/**
 * Names of automatic backups: the time in UTC, and the start of the store's id. `.kept` marks the
 * last one before the store shrank. No other file is ever renamed or removed.
 */
const NAME = /^callboard-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-([0-9a-f]{8})(\.kept)?\.age$/;
const PARTIAL = ".partial";
/** A store has shrunk if a backup has less than this share of the bytes of the one before it. */
const SHARE_MIN = 1 / 2;

export const nameAt = (time: Date, store: Pick<StoreIdentity, "id">): string =>
  `callboard-${time.toISOString().replace(/[-:]|\.\d+/g, "")}-${shortId(store)}.age`;

/** An automatic backup. */
interface BackupFile {
  name: string;
  size: number;
  time: Date;
  /** Start of the id of its store. */
  store: string;
  /** Whether it is the last one before the store shrank, which only people remove. */
  isKept: boolean;
}

function parseName(name: string): Omit<BackupFile, "size"> | null {
  const match = NAME.exec(name);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, store, kept] = match;
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time.getTime()) ? null : { name, time, store, isKept: kept !== undefined };
}

/** Returns the complete automatic backups of any store in a folder, the latest first. */
export async function listBackups(folder: string): Promise<BackupFile[]> {
  const files: { name: string; size: number }[] = [];
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (isFile && parseName(name)) {
      files.push({ name, size: (await Deno.stat(join(folder, name))).size });
    }
  }
  return backupsIn(files);
}

/** Returns the backups among files, wherever these are, the latest first. */
export const backupsIn = (files: readonly { name: string; size: number }[]): BackupFile[] =>
  files.flatMap(({ name, size }) => {
    const parsed = parseName(name);
    return parsed ? [{ ...parsed, size }] : [];
  }).sort((a, b) => b.time.getTime() - a.time.getTime());

/** Whether a backup is one of this store. */
const isOf = (of: Pick<StoreIdentity, "id">) => ({ store }: BackupFile): boolean =>
  store === shortId(of);

/**
 * Returns the backups of a store, the latest first. Names in the future, written while the clock
 * was wrong, do not count: no backup would be due until then.
 */
async function listOwn(folder: string, store: StoreIdentity, now: Date): Promise<BackupFile[]> {
  return (await listBackups(folder)).filter(isOf(store)).filter(({ time }) => time <= now);
}

/** Returns the time of the latest automatic backup of a store; null if there is none. */
export async function latestBackup(
  folder: string,
  store: StoreIdentity,
  now: Date,
): Promise<Date | null> {
  return (await listOwn(folder, store, now))[0]?.time ?? null;
}

/** Returns the name of the latest automatic backup of a store; null if there is none. */
export const latestBackupName = async (
  folder: string,
  store: StoreIdentity,
  now: Date,
): Promise<string | null> => (await listOwn(folder, store, now))[0]?.name ?? null;

/** Backups of a store that stay, get another name, or are removed. */
interface Rotation {
  kept: BackupFile[];
  /** Names, and those that they get. */
  renamed: [name: string, to: string][];
  removed: string[];
}

/**
 * Decides which backups of a store are removed: all except the latest ones. The last one before the
 * store shrank by more than half is renamed instead, and never removed. The rules are the same in
 * each place.
 */
export function planRotation(
  files: readonly BackupFile[],
  store: StoreIdentity,
  keep: number,
  now: Date,
): Rotation {
  const rotation: Rotation = { kept: [], renamed: [], removed: [] };
  let left = keep;
  let bytesAfter = Infinity;
  for (const file of files.filter(isOf(store)).filter(({ time }) => time <= now)) {
    const { name, size, isKept } = file;
    const hasShrunk = bytesAfter < size * SHARE_MIN;
    bytesAfter = size;
    if (!isKept && !hasShrunk && left-- <= 0) {
      rotation.removed.push(name);
      continue;
    }
    rotation.kept.push(file);
    if (hasShrunk && !isKept) rotation.renamed.push([name, name.replace(/\.age$/, ".kept.age")]);
  }
  return rotation;
}

/** Removes and renames the backups of a store in a folder as `planRotation` decides. */
export async function removeOldBackups(
  folder: string,
  store: StoreIdentity,
  keep: number,
  now: Date,
): Promise<void> {
  const { renamed, removed } = planRotation(await listBackups(folder), store, keep, now);
  for (const [name, to] of renamed) await Deno.rename(join(folder, name), join(folder, to));
  for (const name of removed) await Deno.remove(join(folder, name));
}

/**
 * Returns the number of backups that are left to people: those from before the store shrank, and
 * those of other stores.
 */
export async function countLeft(folder: string, store: StoreIdentity): Promise<number> {
  const isOwn = isOf(store);
  return (await listBackups(folder)).filter((file) => file.isKept || !isOwn(file)).length;
}

/** Removes the files of automatic backups that were killed. */
export async function removePartialBackups(folder: string): Promise<void> {
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (!isFile || !name.endsWith(PARTIAL) || !NAME.test(name.slice(0, -PARTIAL.length))) continue;
    await Deno.remove(join(folder, name));
  }
}

/** Whether two times of `cron` have passed since the latest backup, or since the server's start. */
export function isOverdue(cron: Cron, since: Date, now: Date): boolean {
  const first = cron.nextRun(since);
  const second = first && cron.nextRun(first);
  return second !== null && second < now;
}
