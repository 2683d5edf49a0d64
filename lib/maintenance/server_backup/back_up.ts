import { Encrypter } from "age-encryption";
import { createTarPacker, type TarPackController } from "modern-tar";
import { Buffer } from "node:buffer";
import { join, relative } from "node:path";
import type { Config } from "../../base/settings/config.ts";
import { systemReason } from "../../base/machine/data_folder.ts";
import type { SecretKeys } from "../../access/secret_keys.ts";
import { ConfigError } from "../../base/settings/settings.ts";
import { copyStore } from "../../store/file/copy_store.ts";
import { noteBackup } from "./last_backup.ts";
import { copyFolder, openLock, removeIfThere } from "./copy_folder.ts";
import { countKinds } from "./counts.ts";
import type { StoreIdentity } from "../store_identity.ts";
import {
  DATABASE,
  databaseFile,
  FOLDERS,
  MANIFEST,
  type Manifest,
  PREVIOUS_KEY,
  SECRET_KEY,
} from "./contents.ts";

export interface BackUpOptions {
  config: Pick<Config, "dataDir" | "kv" | "version">;
  store: StoreIdentity;
  secretKeys: Pick<SecretKeys, "current" | "previous">;
  passphrase: string;
  /** The file to write. An existing file is not replaced. */
  to: string;
  /** Binary logarithm of the work to try one passphrase. Tests choose less than age's default. */
  workFactor?: number;
}

/**
 * Writes a backup of the whole server, even while the server is in use. Returns its size in bytes.
 */
export async function backUpServer(options: BackUpOptions): Promise<number> {
  const database = databaseFile(options.config.kv);
  // Exclusive, so that two backups in parallel do not share the temporary folder.
  using lock = await openLock(options.config.dataDir);
  await lock.lock(true);
  const folder = copyFolder(options.config.dataDir);
  await removeIfThere(folder);
  await Deno.mkdir(folder, { mode: 0o700 });
  try {
    const copy = join(folder, DATABASE);
    await explained(
      `The database cannot be copied to ${folder}`,
      "A backup needs as much free space there as the size of the database",
      () => copyStore({ from: database, to: copy, rowsOnly: true }),
    );
    const bytes = await explained(
      `The backup ${options.to} cannot be written`,
      "Free up space, or choose another place for it",
      () => writeArchive(options, copy),
    );
    await noteBackup(options.config.dataDir, { at: new Date().toISOString(), bytes });
    return bytes;
  } finally {
    await removeIfThere(folder);
  }
}

/** Rethrows a failure of the file system as a sentence that says what to do. */
async function explained<T>(problem: string, advice: string, work: () => T): Promise<Awaited<T>> {
  try {
    return await work();
  } catch (error) {
    const reason = systemReason(error);
    throw reason ? new ConfigError(`${problem}: ${reason}. ${advice}.`, { cause: error }) : error;
  }
}

async function writeArchive(
  options: BackUpOptions,
  database: string,
): Promise<number> {
  const { passphrase, to, workFactor } = options;
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  if (workFactor !== undefined) encrypter.setScryptWorkFactor(workFactor);
  const partial = `${to}.partial`;
  using file = await openNew(to, partial);
  try {
    const { readable, controller } = createTarPacker();
    const packed = pack(controller, options, database);
    packed.catch((error) => controller.error(error));
    const encrypted = await encrypter.encrypt(readable.pipeThrough(new CompressionStream("gzip")));
    for await (const chunk of encrypted) await writeAll(file, chunk);
    await packed;
    await file.sync();
    const { size } = await file.stat();
    await Deno.rename(partial, to);
    return size;
  } catch (error) {
    await removeIfThere(partial);
    throw error;
  }
}

async function openNew(to: string, partial: string): Promise<Deno.FsFile> {
  if (await exists(to)) throw new ConfigError(`${to} exists already`);
  return await Deno.open(partial, { create: true, write: true, truncate: true, mode: 0o600 });
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    written += await file.write(bytes.subarray(written));
  }
}

async function pack(
  controller: TarPackController,
  { config: { dataDir, version }, store, secretKeys: { current, previous } }: BackUpOptions,
  database: string,
): Promise<void> {
  const at = new Date().toISOString();
  const manifest: Manifest = {
    store: store.id,
    made: store.made,
    at,
    version,
    rows: countKinds(database),
  };
  await packText(controller, MANIFEST, JSON.stringify(manifest));
  await packText(controller, SECRET_KEY, Buffer.from(current).toString("base64"));
  if (previous) {
    await packText(controller, PREVIOUS_KEY, Buffer.from(previous).toString("base64"));
  }
  await packFile(controller, DATABASE, database);
  for (const folder of FOLDERS) {
    for await (const path of filesIn(join(dataDir, folder))) {
      await packFile(controller, relative(dataDir, path), path);
    }
  }
  controller.finalize();
}

async function packText(controller: TarPackController, name: string, line: string) {
  const text = new TextEncoder().encode(line + "\n");
  const header = { name, size: text.length, mode: 0o600 };
  await new Blob([text]).stream().pipeTo(controller.add(header));
}

async function packFile(controller: TarPackController, name: string, path: string) {
  const file = await Deno.open(path);
  const { size, mtime } = await file.stat();
  const header = { name, size, mode: 0o600, mtime: mtime ?? undefined };
  await file.readable.pipeTo(controller.add(header));
}

async function* filesIn(folder: string): AsyncGenerator<string> {
  if (!await exists(folder)) return;
  for await (const { name, isFile, isDirectory } of Deno.readDir(folder)) {
    if (isFile) yield join(folder, name);
    if (isDirectory) yield* filesIn(join(folder, name));
  }
}

async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}
