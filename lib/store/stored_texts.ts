import { byteLength } from "../base/fields.ts";
import { digest } from "../base/version.ts";
import { chunkCount, readChunks, setChunks } from "./rows/chunks.ts";
import { guardProject } from "./guard_project.ts";
import { rowKeys } from "./keys.ts";
import type { Store } from "./store.ts";

/** A text from outside that is stored for the time when its source cannot be reached. */
interface StoredText {
  text: string;
  /** Time at which it was read (RFC 3339). */
  readAt: string;
}

interface StoredTextRow {
  read_at: string;
  /** Time at which its chunks were stored. */
  stored_at: string;
  bytes: number;
  digest: string;
}

/** Maximum number of bytes, which `readChunks` can read. Longer texts are not stored. */
const BYTES_MAX = 512 * 1024;
const KEPT_MS = 90 * 24 * 3_600_000;
/** Chunks are stored again after this time, so that they do not expire while they are used. */
const RENEWED_MS = 7 * 24 * 3_600_000;

/** Stores a text of a project, or only the time if it is stored already. */
export async function storeText(
  kv: Store,
  projectId: number,
  name: string,
  { text, readAt }: StoredText,
): Promise<void> {
  const bytes = byteLength(text);
  if (bytes > BYTES_MAX) return;
  const key = rowKeys.keptText(projectId, shortName(name));
  const stored = await kv.get<StoredTextRow>(key);
  const hash = digest(text, 43);
  const age = Date.parse(readAt) - Date.parse(stored.value?.stored_at ?? "");
  const isStored = stored.value?.digest === hash && age >= 0 && age < RENEWED_MS;
  const op = kv.atomic().check(stored);
  await guardProject(kv, op, projectId);
  const stored_at = isStored ? stored.value!.stored_at : readAt;
  const row: StoredTextRow = { read_at: readAt, stored_at, bytes, digest: hash };
  op.set(key, row, { expireIn: KEPT_MS });
  if (!isStored) {
    setChunks(op, chunkKey(projectId, name), new TextEncoder().encode(text), KEPT_MS);
  }
  await op.commit(); // Another server that stores the same text at the same time may win.
}

const chunkKey = (projectId: number, name: string) => (n: number) =>
  rowKeys.keptTextChunk(projectId, shortName(name), n);

/** A name may be longer than a key, and contain a secret of an address. */
const shortName = (name: string) => digest(name, 43);

/** Returns a stored text; null if there is none. */
export async function findStoredText(
  kv: Store,
  projectId: number,
  name: string,
): Promise<StoredText | null> {
  const { value } = await kv.get<StoredTextRow>(rowKeys.keptText(projectId, shortName(name)));
  if (!value) return null;
  const chunks = await readChunks(kv, chunkKey(projectId, name), chunkCount(value.bytes));
  const text = new TextDecoder().decode(chunks.subarray(0, value.bytes));
  // It may have been replaced by a longer or shorter one meanwhile.
  return digest(text, 43) === value.digest ? { text, readAt: value.read_at } : null;
}
