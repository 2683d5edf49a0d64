import { LONG_TEXT_BYTES_MAX } from "../base/fields.ts";
import { chunkCount, deleteChunks, readChunks, setChunks } from "../kv/chunks.ts";
import { rowKeys } from "../kv/keys.ts";
import type { TaskRow } from "./schema.ts";

/** What a preview ran with and its task's row does not tell. */
export interface Pin {
  inventory: PinnedInventory;
  environments: PinnedRow[];
  /** Those of the playbook and of a `file` inventory; pins of earlier versions have none. */
  repositories?: PinnedRow[];
}

/** A row that must not change, and what it was like: see lib/base/version.ts. */
export interface PinnedRow {
  id: number;
  name: string;
  version: string;
}

interface PinnedInventory {
  type: "static" | "static-yaml" | "file";
  inventory: string;
  repository_id: number | null;
  ssh_key_id: number | null;
  become_key_id: number | null;
}

const CHUNKS_MAX = chunkCount(LONG_TEXT_BYTES_MAX);

const textKey = (taskId: number) => (n: number) => rowKeys.taskPinText(taskId, n);

/** Adds to `op` what a preview runs with. */
export function storePin(op: Deno.AtomicOperation, taskId: number, pin: Pin): void {
  const { inventory, ...others } = pin;
  setChunks(op, textKey(taskId), new TextEncoder().encode(inventory.inventory));
  op.set(rowKeys.taskPin(taskId), { ...others, inventory: { ...inventory, inventory: "" } });
}

/** What the preview of a task ran with; null when it has not begun. */
export async function readPin(kv: Deno.Kv, taskId: number): Promise<Pin | null> {
  const { value } = await kv.get<Pin>(rowKeys.taskPin(taskId));
  if (!value) return null;
  const text = await readChunks(kv, textKey(taskId), CHUNKS_MAX);
  const inventory = { ...value.inventory, inventory: new TextDecoder().decode(text) };
  return { ...value, inventory };
}

/** Adds to `op` that what a preview ran with goes. */
export function deletePin(op: Deno.AtomicOperation, { id, preview }: TaskRow): void {
  if (!preview) return;
  op.delete(rowKeys.taskPin(id));
  deleteChunks(op, textKey(id), CHUNKS_MAX);
}
