import { Buffer } from "node:buffer";
import type { SecretBox } from "../../access/secret_box.ts";
import { reveal } from "../../base/secret.ts";
import { joinChunks } from "../../store/rows/chunks.ts";
import { deletePrefix } from "../../store/delete_prefix.ts";
import { guardProject } from "../../store/guard_project.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { keptPaths } from "./keep_paths.ts";

/** A template or an inventory whose runs keep files of their checkouts. */
export interface Keeper {
  projectId: number;
  kind: "templates" | "inventories";
  id: number;
}

/** The files of a keeper: a compressed archive in encrypted chunks, of which the row names some. */
interface KeptFilesRow {
  /** Name of the chunks. Those of others are unfinished, or were replaced. */
  version: string;
  chunks: number;
  bytes: number;
}

interface Deps {
  kv: Store;
  secrets: SecretBox;
}

/** An encrypted chunk, as base64, is shorter than the longest value of the store. */
const CHUNK_BYTES = 44 * 1024;
/** Maximum of all keepers of a project together. */
const PROJECT_BYTES_MAX = 64 * 1024 * 1024;

/** Files as they were read, for the commit that replaces them. */
export interface KeptFiles {
  /** Null if none were kept yet. */
  archive: Uint8Array | null;
  entry: Deno.KvEntryMaybe<KeptFilesRow>;
}

const chunkKey = ({ projectId, kind, id }: Keeper, version: string, n: number) =>
  rowKeys.keptFileChunk(projectId, kind, id, version, n);

/** Reads the files of a keeper. Throws if a chunk is missing or damaged. */
export async function readKeptFiles({ kv, secrets }: Deps, keeper: Keeper): Promise<KeptFiles> {
  const { projectId, kind, id } = keeper;
  const entry = await kv.get<KeptFilesRow>(rowKeys.keptFiles(projectId, kind, id));
  if (!entry.value) return { archive: null, entry };
  const chunks: Uint8Array[] = [];
  for (let n = 0; n < entry.value.chunks; n++) {
    const { value } = await kv.get<Uint8Array>(chunkKey(keeper, entry.value.version, n));
    if (!value) throw new Error("A part of the kept files is missing");
    chunks.push(Buffer.from(reveal(await secrets.open(value), "parse"), "base64"));
  }
  return { archive: joinChunks(chunks), entry };
}

/**
 * Replaces the files of a keeper by those of its run. They are complete before the row names them,
 * so a server that dies meanwhile loses nothing. Returns false if the project has no room for them,
 * the keeper is gone or has no paths any more, or another run has replaced them since they were
 * read.
 */
export async function storeKeptFiles(
  { kv, secrets }: Deps,
  keeper: Keeper,
  entry: KeptFiles["entry"],
  archive: Uint8Array,
): Promise<boolean> {
  const { projectId, kind, id } = keeper;
  if (await bytesOfOthers(kv, keeper) + archive.length > PROJECT_BYTES_MAX) return false;
  const version = crypto.randomUUID();
  const chunks = Math.ceil(archive.length / CHUNK_BYTES);
  for (let n = 0; n < chunks; n++) {
    const bytes = archive.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES);
    const sealed = await secrets.seal(Buffer.from(bytes).toString("base64"));
    const op = kv.atomic();
    await guardProject(kv, op, projectId);
    await op.set(chunkKey(keeper, version, n), sealed).commit();
  }
  const owner = await kv.get<{ keep_paths?: string | null }>(
    rowKeys.resource(kind, projectId, id),
  );
  const op = kv.atomic().check(entry, owner);
  await guardProject(kv, op, projectId);
  const row: KeptFilesRow = { version, chunks, bytes: archive.length };
  const isKeeper = keptPaths(owner.value?.keep_paths).length > 0;
  const stored = isKeeper && (await op.set(entry.key, row).commit()).ok;
  await removeOtherChunks(kv, keeper);
  return stored;
}

async function bytesOfOthers(kv: Store, { projectId, kind, id }: Keeper): Promise<number> {
  let bytes = 0;
  for await (
    const { key, value } of kv.list<KeptFilesRow>({ prefix: rowKeys.allKeptFiles(projectId) })
  ) {
    if (key[2] !== kind || key[3] !== id) bytes += value.bytes;
  }
  return bytes;
}

/** Removes chunks that the row does not name. */
async function removeOtherChunks(kv: Store, { projectId, kind, id }: Keeper): Promise<void> {
  const { value } = await kv.get<KeptFilesRow>(rowKeys.keptFiles(projectId, kind, id));
  for await (const { key } of kv.list({ prefix: rowKeys.keptFileChunks(projectId, kind, id) })) {
    if (key[4] !== value?.version) await kv.delete(key);
  }
}

/** Removes the files of a keeper. */
export async function forgetKeptFiles(
  kv: Store,
  { projectId, kind, id }: Keeper,
): Promise<void> {
  await kv.delete(rowKeys.keptFiles(projectId, kind, id));
  await deletePrefix(kv, rowKeys.keptFileChunks(projectId, kind, id));
}
