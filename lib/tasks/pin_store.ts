import { LONG_TEXT_BYTES_MAX } from "../base/fields.ts";
import { chunkCount, deleteChunks, readChunks, setChunks } from "../store/rows/chunks.ts";
import { type Ref, rowKeys } from "../store/keys.ts";
import type { Atomic, Store } from "../store/store.ts";
import type { ListedKey } from "../model/template_row.ts";
import { isPersonal } from "./personal.ts";
import type { TaskRow } from "../model/task_row.ts";

/** Inputs of a preview, or of a task with secrets of its starter, that its row does not have. */
export interface Pin {
  inventory: PinnedInventory;
  environments: PinnedRow[];
  /** The repositories of the playbook and of a `file` inventory. */
  repositories: PinnedRow[];
  /** The toolchain, or nothing. */
  toolchains: PinnedRow[];
  /** Keys and secret storages of a task with secrets of its starter; missing for others. */
  access?: PinnedAccess[];
}

/** A row that must not change, with its version: see lib/base/version.ts. */
export interface PinnedRow {
  id: number;
  name: string;
  version: string;
}

/** A key or a secret storage, with the versionstamp of its row. */
export interface PinnedAccess {
  ref: Ref;
  name: string;
  version: string;
}

interface PinnedInventory {
  type: "static" | "static-yaml" | "file";
  inventory: string;
  repository_id: number | null;
  ssh_key_id: number | null;
  ssh_keys?: ListedKey[];
  become_key_id: number | null;
}

/** Whether a task runs with the inputs that were stored for it, whatever is changed meanwhile. */
export const isPinned = (task: TaskRow): boolean => task.preview !== undefined || isPersonal(task);

const CHUNKS_MAX = chunkCount(LONG_TEXT_BYTES_MAX);

const textKey = (taskId: number) => (n: number) => rowKeys.taskPinText(taskId, n);

/** Adds the inputs of a preview to `op`. */
export function storePin(op: Atomic, taskId: number, pin: Pin): void {
  const { inventory, ...others } = pin;
  setChunks(op, textKey(taskId), new TextEncoder().encode(inventory.inventory));
  op.set(rowKeys.taskPin(taskId), { ...others, inventory: { ...inventory, inventory: "" } });
}

/** Returns the inputs of a task's preview; null if it has not begun. */
export async function readPin(kv: Store, taskId: number): Promise<Pin | null> {
  const { value } = await kv.get<Pin>(rowKeys.taskPin(taskId));
  if (!value) return null;
  const text = await readChunks(kv, textKey(taskId), CHUNKS_MAX);
  const inventory = { ...value.inventory, inventory: new TextDecoder().decode(text) };
  return { ...value, inventory };
}

/** Adds the deletion of a preview's inputs to `op`. */
export function deletePin(op: Atomic, task: TaskRow): void {
  if (!isPinned(task)) return;
  op.delete(rowKeys.taskPin(task.id));
  deleteChunks(op, textKey(task.id), CHUNKS_MAX);
}
