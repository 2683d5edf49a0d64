import { join } from "node:path";
import { replaceFile } from "../../base/machine/replace_file.ts";
import type { StoreIdentity } from "../store_identity.ts";
import { backupsIn, listBackups, planRotation } from "./backup_files.ts";
import {
  beginUpload,
  type Bucket,
  completeUpload,
  isGone,
  listObjects,
  PART_BYTES,
  putObject,
  removeObject,
  renameObject,
  uploadPart,
  type UploadProgress,
} from "./s3.ts";

interface UploadOptions {
  bucket: Bucket;
  folder: string;
  dataDir: string;
  store: StoreIdentity;
  keep: number;
  now: Date;
  stop?: AbortSignal;
}

/**
 * Uploads the backups of the folder that the bucket does not have, the latest first, looks whether
 * they are there, and then removes old ones there by the same rules as in the folder. Returns the
 * number of uploads.
 */
export async function uploadBackups(options: UploadOptions): Promise<number> {
  const { bucket, folder, store, keep, now, stop } = options;
  const stored = new Map((await listObjects(bucket, stop)).map(({ name, size }) => [name, size]));
  const wanted = planRotation(await listBackups(folder), store, keep, now).kept;
  const missing = wanted.filter(({ name, size }) =>
    stored.get(name) !== size && !stored.has(name.replace(/\.age$/, ".kept.age"))
  );
  for (const { name, size } of missing) await upload(options, name, size);
  const there = backupsIn(await listObjects(bucket, stop));
  for (const { name, size } of missing) {
    if (there.some((file) => file.name === name && file.size === size)) continue;
    throw new Error(`the service does not have ${name} after its upload`);
  }
  const { renamed, removed } = planRotation(there, store, keep, now);
  for (const [name, to] of renamed) await renameObject(bucket, name, to);
  for (const name of removed) await removeObject(bucket, name);
  return missing.length;
}

/** The progress of the upload that is in parts. */
const progressFile = (dataDir: string) => join(dataDir, "backup_upload.json");

type StoredProgress = UploadProgress & { name: string; place: string };

async function readProgress(dataDir: string): Promise<StoredProgress | null> {
  try {
    return JSON.parse(await Deno.readTextFile(progressFile(dataDir)));
  } catch {
    return null;
  }
}

async function upload(options: UploadOptions, name: string, size: number): Promise<void> {
  const { bucket, folder, stop } = options;
  using file = await Deno.open(join(folder, name), { read: true });
  if (size <= PART_BYTES) return await putObject(bucket, name, await readPart(file, size), stop);
  try {
    await uploadParts(options, name, file, size);
  } catch (error) {
    // The service has forgotten the parts, so that the next try begins anew.
    if (isGone(error)) await Deno.remove(progressFile(options.dataDir));
    throw error;
  }
}

async function uploadParts(
  { bucket, dataDir, stop }: UploadOptions,
  name: string,
  file: Deno.FsFile,
  size: number,
): Promise<void> {
  const place = bucketAddress(bucket);
  const known = await readProgress(dataDir);
  const isSame = known?.name === name && known.place === place;
  const progress = isSame ? known : { name, place, ...await beginUpload(bucket, name) };
  for (let at = progress.etags.length * PART_BYTES; at < size; at += PART_BYTES) {
    await file.seek(at, Deno.SeekMode.Start);
    const part = await readPart(file, Math.min(PART_BYTES, size - at));
    progress.etags.push(await uploadPart(bucket, name, progress, part, stop));
    // Stored after each part, so that a server that is killed continues behind it.
    await replaceFile(progressFile(dataDir), JSON.stringify(progress));
  }
  await completeUpload(bucket, name, progress);
  await Deno.remove(progressFile(dataDir));
}

async function readPart(file: Deno.FsFile, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const part = new Uint8Array(size);
  for (let read = 0; read < size;) {
    const count = await file.read(part.subarray(read));
    if (count === null) throw new Error("the backup became shorter while it was uploaded");
    read += count;
  }
  return part;
}

/** Returns the place of a bucket as people read it. */
export const bucketAddress = ({ endpoint, bucket, prefix }: Bucket): string =>
  `${endpoint.replace(/(?<!\/)\/+$/, "")}/${bucket}/${prefix}`;
