import { deflateRawSync, inflateRawSync } from "node:zlib";
import { AppError } from "../base/errors.ts";
import { chunkCount, deleteChunks, readChunks, setChunks } from "../store/rows/chunks.ts";
import { rowKeys } from "../store/keys.ts";
import type { Atomic, Store } from "../store/store.ts";
import type { TaskRow } from "../model/task_row.ts";

/** Bytes of compressed names. One commit stores them with the answers of the task. */
const BYTES_MAX = 200 * 1024;
/** More than the names of 10,000 hosts. */
const TEXT_MAX = 16 * 1024 * 1024;

type Retry = Pick<TaskRow, "id" | "project_id" | "retry_of">;

const hostsKey = ({ project_id, id }: Pick<TaskRow, "id" | "project_id">) => (n: number) =>
  rowKeys.taskHosts(project_id, id, n);

/** Returns the names of hosts as they are stored. Throws 400 if there is no room for them. */
export function packHosts(names: string[]): Uint8Array {
  const bytes = deflateRawSync(new TextEncoder().encode(names.join("\n")));
  if (bytes.length > BYTES_MAX) {
    throw new AppError(400, "errors.retry.names_too_long", { max: BYTES_MAX });
  }
  return bytes;
}

/** Adds the hosts of a new task to `op`, and the task to the retries of the one that it repeats. */
export function storeHosts(op: Atomic, task: Retry, hosts: Uint8Array): void {
  setChunks(op, hostsKey(task), hosts);
  op.set(rowKeys.taskRetry(task.project_id, task.retry_of!.task_id, task.id), true);
}

/** Returns the only hosts of a task, by name; null for a task without such a list. */
export async function readHostNames(kv: Store, task: Retry): Promise<string[] | null> {
  if (!task.retry_of) return null;
  const bytes = await readChunks(kv, hostsKey(task), chunkCount(BYTES_MAX));
  const text = inflateRawSync(bytes, { maxOutputLength: TEXT_MAX });
  return new TextDecoder().decode(text).split("\n");
}

/** Adds the deletion of a task's hosts to `op`. */
export function deleteHosts(op: Atomic, task: Retry): void {
  if (!task.retry_of) return;
  deleteChunks(op, hostsKey(task), chunkCount(BYTES_MAX));
  op.delete(rowKeys.taskRetry(task.project_id, task.retry_of.task_id, task.id));
}

/** Returns the ids of the latest tasks that repeat a task, oldest first. */
export async function listRetryIds(
  kv: Store,
  { project_id, id }: Pick<TaskRow, "id" | "project_id">,
  limit: number,
): Promise<number[]> {
  const rows = kv.list({ prefix: rowKeys.taskRetries(project_id, id) }, { reverse: true, limit });
  return (await Array.fromAsync(rows, ({ key }) => key.at(-1) as number)).reverse();
}
