import { Buffer } from "node:buffer";
import { join } from "node:path";
import { systemReason } from "../../base/machine/data_folder.ts";
import { ConfigError } from "../../base/settings/settings.ts";
import { createSecretBox } from "../../access/secret_box.ts";
import { isProofOf } from "../../access/same_key.ts";
import { rowKeys } from "../../store/keys.ts";
import { DATABASE, MANIFEST, type Manifest, PREVIOUS_KEY, SECRET_KEY } from "./contents.ts";
import { countKinds, differingKind } from "./counts.ts";
import { readEntries, verifyDatabase } from "./restore.ts";

/** Contents of a backup that can be restored. */
interface BackupContents {
  /** Rows of the database. */
  rows: number;
  /** Files besides the database and the secret keys. */
  files: number;
  manifest: Manifest;
}

export interface VerifyOptions {
  passphrase: string;
  from: string;
  /** An existing folder for temporary files; by default that of the system. */
  inFolder?: string;
}

export type VerifyAnswer = BackupContents | { error: string };

/**
 * Reads a whole backup without restoring it. Throws ConfigError if a restore would fail, if the
 * database has other rows than its writer has counted, or if its secrets need another key. Only the
 * database is written, to a temporary folder: SQLite checks nothing but files, and memory stays as
 * small as for an empty one.
 */
export async function verifyBackup(
  { inFolder, ...options }: VerifyOptions,
): Promise<BackupContents> {
  const folder = await Deno.makeTempDir({ dir: inFolder, prefix: "callboard_check_" });
  try {
    const database = join(folder, DATABASE);
    const names = new Set<string>();
    let manifest = null as Manifest | null;
    const keys: Uint8Array[] = [];
    await readEntries(options, async (name, body) => {
      names.add(name);
      if (name === MANIFEST) return void (manifest = await new Response(body).json());
      if (name === SECRET_KEY || name === PREVIOUS_KEY) {
        keys.push(Buffer.from(await new Response(body).text(), "base64"));
        return;
      }
      const file = name === DATABASE
        ? await Deno.open(database, { createNew: true, write: true, mode: 0o600 })
        : null;
      await body.pipeTo(file?.writable ?? new WritableStream());
    });
    const missing = [MANIFEST, DATABASE, SECRET_KEY].find((name) => !names.has(name));
    if (missing !== undefined) throw new ConfigError(`${options.from} contains no ${missing}`);
    verifyDatabase(database);
    const kinds = countKinds(database);
    requireSameRows(options.from, manifest!, kinds);
    await requireKeyOf(options.from, database, keys);
    return {
      rows: Object.values(kinds).reduce((sum, rows) => sum + rows, 0),
      files: [...names].filter((name) => name.includes("/")).length,
      manifest: manifest!,
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

function requireSameRows(
  from: string,
  manifest: Manifest,
  found: Record<string, number>,
): void {
  const kind = differingKind(manifest.rows, found);
  if (kind === null) return;
  const [expected, rows] = [manifest.rows[kind] ?? 0, found[kind] ?? 0];
  throw new ConfigError(`${from} has ${rows} rows of "${kind}" instead of ${expected}`);
}

/** Throws unless the key of the backup opens what the store has sealed. */
async function requireKeyOf(from: string, database: string, keys: Uint8Array[]): Promise<void> {
  using kv = await Deno.openKv(database);
  const { value } = await kv.get<Uint8Array>(rowKeys.secretKeyProof());
  if (!value) return;
  const [current, ...former] = keys;
  if (await isProofOf(await createSecretBox(current, ...former), value)) return;
  throw new ConfigError(`The secrets in ${from} cannot be opened with the key in it`);
}
