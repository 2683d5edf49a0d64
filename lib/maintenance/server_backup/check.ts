import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { systemReason } from "../../base/data_folder.ts";
import { ConfigError } from "../../base/settings.ts";
import { DATABASE, MANIFEST, type Manifest, SECRET_KEY } from "./contents.ts";
import { checkDatabase, readEntries } from "./restore.ts";

/** Contents of a backup that can be restored. */
interface BackupContents {
  /** Rows of the database. */
  rows: number;
  /** Files besides the database and the secret keys. */
  files: number;
  /** Null for a backup of an earlier version. */
  manifest: Manifest | null;
}

/**
 * Reads a whole backup without restoring it. Throws ConfigError if a restore would fail. Only the
 * database is written, to a temporary folder: SQLite checks nothing but files.
 */
export async function checkBackup(
  options: { passphrase: string; from: string },
): Promise<BackupContents> {
  const folder = await Deno.makeTempDir({ prefix: "callboard_check_" });
  try {
    const database = join(folder, DATABASE);
    const names = new Set<string>();
    let manifest: Manifest | null = null;
    await readEntries(options, async (name, body) => {
      names.add(name);
      if (name === MANIFEST) return void (manifest = await new Response(body).json());
      const file = name === DATABASE
        ? await Deno.open(database, { createNew: true, write: true, mode: 0o600 })
        : null;
      await body.pipeTo(file?.writable ?? new WritableStream());
    });
    for (const name of [DATABASE, SECRET_KEY]) {
      if (!names.has(name)) throw new ConfigError(`${options.from} contains no ${name}`);
    }
    checkDatabase(database);
    return {
      rows: countRows(database),
      files: [...names].filter((name) => name.includes("/")).length,
      manifest,
    };
  } catch (error) {
    const reason = systemReason(error);
    throw reason
      ? new ConfigError(
        `The backup cannot be checked in ${folder}: ${reason}. ` +
          "Set TMPDIR to a folder with space for the whole database.",
        { cause: error },
      )
      : error;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function countRows(path: string): number {
  using database = new DatabaseSync(path);
  return Number(database.prepare("SELECT count(*) AS rows FROM kv").get()!.rows);
}
