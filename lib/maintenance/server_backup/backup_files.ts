import type { Cron } from "croner";
import { join } from "node:path";

/** Names of automatic backups, with the time in UTC. No other file is ever removed. */
const NAME = /^callboard-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.age$/;
const PARTIAL = ".partial";

export const nameAt = (time: Date): string =>
  `callboard-${time.toISOString().replace(/[-:]|\.\d+/g, "")}.age`;

const timeOf = (name: string): Date => new Date(name.replace(NAME, "$1-$2-$3T$4:$5:$6Z"));

/**
 * Returns the names of complete automatic backups, the latest first. Names in the future, written
 * while the clock was wrong, do not count: no backup would be due until then.
 */
async function listBackups(folder: string, now: Date): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  return entries.filter(({ name, isFile }) => isFile && NAME.test(name) && timeOf(name) <= now)
    .map(({ name }) => name).sort().reverse();
}

/** Returns the time of the latest automatic backup; null if there is none. */
export async function latestBackup(folder: string, now: Date): Promise<Date | null> {
  const [latest] = await listBackups(folder, now);
  return latest === undefined ? null : timeOf(latest);
}

/** Removes all automatic backups except the latest ones. */
export async function removeOldBackups(folder: string, keep: number, now: Date): Promise<void> {
  const old = (await listBackups(folder, now)).slice(keep);
  for (const name of old) await Deno.remove(join(folder, name));
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
