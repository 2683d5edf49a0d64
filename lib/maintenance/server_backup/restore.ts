import { Decrypter } from "age-encryption";
import { createTarDecoder } from "modern-tar";
import { Buffer } from "node:buffer";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Config } from "../../base/settings/config.ts";
import { systemReason } from "../../base/machine/data_folder.ts";
import { ConfigError } from "../../base/settings/settings.ts";
import { rowKeys } from "../../store/keys.ts";
import { readRow } from "../../store/rows/read_stored_row.ts";
import { DATABASE, databaseFile, FOLDERS, isOurs, PREVIOUS_KEY, SECRET_KEY } from "./contents.ts";

interface RestoreOptions {
  config: Pick<Config, "dataDir" | "kv">;
  /** Value of CALLBOARD_SECRET_KEY. It must be the key of the backup. */
  secretKeySetting: string | undefined;
  passphrase: string;
  from: string;
}

/** Temporary folder for unpacking. Files left there by an interrupted restore are ignored. */
const UNPACKED = "restore.tmp";

/** Folder of compiled modules of a package. A start that was refused has created it. */
const COMPILED = "deno";

/** Restores a backup of the whole server. The data folder must be empty. */
export async function restoreServer(options: RestoreOptions): Promise<void> {
  const { dataDir } = options.config;
  const database = databaseFile(options.config.kv);
  await requireEmpty(dataDir, database);
  const folder = join(dataDir, UNPACKED);
  await removeIfThere(folder);
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await unpack(options, folder);
    verifyDatabase(join(folder, DATABASE));
    await moveSecretKey(options, folder);
    for (const name of FOLDERS) await move(join(folder, name), join(dataDir, name));
    await Deno.mkdir(dirname(database), { recursive: true });
    // Moved last, so that a server started during a restore does not find a database.
    await move(join(folder, DATABASE), database);
  } catch (error) {
    // The folder was empty, so everything in it comes from this restore.
    for (const name of [SECRET_KEY, PREVIOUS_KEY, ...FOLDERS]) {
      await removeIfThere(join(dataDir, name));
    }
    const reason = systemReason(error);
    throw reason
      ? new ConfigError(
        `Nothing was restored, because ${dataDir} cannot be written: ${reason}. ` +
          "Free up space for the whole database there, and restore again.",
        { cause: error },
      )
      : error;
  } finally {
    await removeIfThere(folder);
  }
}

const removeIfThere = (path: string) => Deno.remove(path, { recursive: true }).catch(() => {});

async function requireEmpty(dataDir: string, database: string): Promise<void> {
  await Deno.mkdir(dataDir, { recursive: true, mode: 0o700 });
  for await (const { name } of Deno.readDir(dataDir)) {
    if (name === UNPACKED || name === COMPILED) continue;
    throw new ConfigError(`The data folder ${dataDir} is not empty: it contains ${name}`);
  }
  const there = await Deno.lstat(database).then(() => true, () => false);
  if (there) throw new ConfigError(`The database already exists: ${database}`);
}

async function unpack(options: RestoreOptions, folder: string): Promise<void> {
  await readEntries(options, async (name, body) => {
    const path = join(folder, name);
    await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await Deno.open(path, { createNew: true, write: true, mode: 0o600 });
    await body.pipeTo(file.writable);
  });
}

/** Passes each entry of a backup to `read`, which must read all of its body. */
export async function readEntries(
  { passphrase, from }: Pick<RestoreOptions, "passphrase" | "from">,
  read: (name: string, body: ReadableStream<Uint8Array>) => Promise<void>,
): Promise<void> {
  const decrypted = await decrypt(from, passphrase);
  const gunzip: ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> =
    new DecompressionStream("gzip");
  const entries = decrypted.pipeThrough(gunzip)
    .pipeThrough(createTarDecoder({ strict: true }));
  try {
    for await (const { header, body } of entries) {
      if (header.type !== "file" || !isOurs(header.name)) {
        throw new ConfigError(`The backup contains an unexpected entry: ${header.name}`);
      }
      await read(header.name, body);
    }
  } catch (error) {
    if (error instanceof ConfigError || systemReason(error)) throw error;
    throw new ConfigError(`${from} is damaged or incomplete`, { cause: error });
  }
}

async function decrypt(from: string, passphrase: string) {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return await decrypter.decrypt((await Deno.open(from)).readable);
  } catch (error) {
    const reason = error instanceof Deno.errors.NotFound
      ? "the file does not exist"
      : error instanceof Deno.errors.PermissionDenied
      ? "this account is not allowed to read it"
      : systemReason(error);
    if (reason) throw new ConfigError(`The backup ${from} cannot be read: ${reason}.`);
    throw new ConfigError("The passphrase is wrong, or the file is not a backup of Callboard", {
      cause: error,
    });
  }
}

/**
 * Throws if the file is a damaged database, or none. Returns the version of Callboard that last
 * started on the store; null for an early one.
 */
export function verifyDatabase(path: string): string | null {
  // Opened for writing, because SQLite otherwise leaves files beside it.
  using database = new DatabaseSync(path);
  const result = database.prepare("PRAGMA integrity_check").get();
  if (result?.integrity_check !== "ok") throw new ConfigError("The backup's database is damaged");
  return readRow(database, rowKeys.storeWriter()) as string | null;
}

async function moveSecretKey(
  { config, secretKeySetting }: RestoreOptions,
  folder: string,
): Promise<void> {
  const path = join(folder, SECRET_KEY);
  await move(join(folder, PREVIOUS_KEY), join(config.dataDir, PREVIOUS_KEY));
  if (!secretKeySetting) return await move(path, join(config.dataDir, SECRET_KEY));
  const bytes = (text: string) => Buffer.from(text.trim(), "base64");
  if (!bytes(await Deno.readTextFile(path)).equals(bytes(secretKeySetting))) {
    throw new ConfigError(
      "CALLBOARD_SECRET_KEY is not the key of this backup. Unset it, or set it to the old key",
    );
  }
}

/** Moves a file or folder if it exists, even to another file system. */
export async function move(from: string, to: string): Promise<void> {
  try {
    await Deno.rename(from, to);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    if ((error as { code?: string }).code !== "EXDEV") throw error;
    await Deno.copyFile(from, `${to}.partial`);
    await Deno.rename(`${to}.partial`, to);
  }
}
