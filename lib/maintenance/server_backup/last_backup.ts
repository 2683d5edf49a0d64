import { join } from "node:path";

/** The last backup that this server or its command has written. */
export interface LastBackup {
  at: string;
  bytes: number;
}

const fileIn = (dataDir: string) => join(dataDir, "last_backup.json");

/** Stores when a backup was written. The store cannot hold it: the backup is a copy of it. */
export const noteBackup = (dataDir: string, backup: LastBackup): Promise<void> =>
  Deno.writeTextFile(fileIn(dataDir), JSON.stringify(backup), { mode: 0o600 });

/** Returns the last backup; null if there is none, or nothing readable about it. */
export async function readLastBackup(dataDir: string): Promise<LastBackup | null> {
  try {
    const { at, bytes } = JSON.parse(await Deno.readTextFile(fileIn(dataDir)));
    return Number.isNaN(Date.parse(at)) || typeof bytes !== "number" ? null : { at, bytes };
  } catch {
    return null;
  }
}
