import { AppError } from "../base/errors.ts";
import { chunkCount, deleteChunks, readChunks, setChunks } from "../store/rows/chunks.ts";
import { rowKeys } from "../store/keys.ts";
import type { Atomic, Store } from "../store/store.ts";
import { byteLength, LONG_TEXT_BYTES_MAX } from "../base/fields.ts";
import type { TaskRow } from "../model/task_row.ts";

/**
 * Answers up to this many bytes are part of their task's row. One rare character doubles the stored
 * size of a text.
 */
const INLINE_BYTES_MAX = 12 * 1024;
/** Bytes of long answers in one list. The tasks beyond this are on the next page. */
const LIST_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Maximum number of rows for a task's secret answers. Encryption adds a few bytes to the longest.
 */
const SECRET_CHUNKS_MAX = chunkCount(LONG_TEXT_BYTES_MAX + 1024);

const answerKey = ({ project_id, id }: TaskRow) => (n: number) =>
  rowKeys.taskAnswers(project_id, id, n);
const secretKey = (taskId: number) => (n: number) => rowKeys.taskSecrets(taskId, n);

/** Throws 400 for answers that are too long to be stored. */
export function requireStorable(json: string): void {
  if (byteLength(json) <= LONG_TEXT_BYTES_MAX) return;
  throw new AppError(400, "errors.answers_too_large", { max: LONG_TEXT_BYTES_MAX });
}

/**
 * Returns the task as its row is stored, and adds answers that are too long for the row to `op`.
 */
export function storeAnswers(op: Atomic, task: TaskRow): TaskRow {
  const bytes = new TextEncoder().encode(task.environment);
  if (bytes.length <= INLINE_BYTES_MAX) return task;
  setChunks(op, answerKey(task), bytes);
  return { ...task, environment: "", long_answers: bytes.length };
}

/**
 * Returns the JSON text of a task's answers, wherever it is stored; "{}" if the task is deleted
 * meanwhile.
 */
export async function readAnswers(kv: Store, task: TaskRow): Promise<string> {
  const { environment, long_answers = 0 } = task;
  if (long_answers === 0) return environment;
  const bytes = await readChunks(kv, answerKey(task), chunkCount(long_answers));
  return bytes.length < long_answers ? "{}" : new TextDecoder().decode(bytes);
}

/** Adds the deletion of a task's long answers to `op`. */
export function deleteAnswers(op: Atomic, task: TaskRow): void {
  deleteChunks(op, answerKey(task), chunkCount(task.long_answers ?? 0));
}

/** Returns as many of the first tasks as one response can hold with all their answers. */
export function limitByBytes(tasks: TaskRow[]): TaskRow[] {
  let bytes = 0;
  const end = tasks.findIndex((task) => (bytes += task.long_answers ?? 0) > LIST_BYTES_MAX);
  return end === -1 ? tasks : tasks.slice(0, end);
}

/** Adds a task's encrypted secret answers to `op`. */
export function storeSecretAnswers(
  op: Atomic,
  taskId: number,
  sealed: Uint8Array,
): void {
  setChunks(op, secretKey(taskId), sealed);
}

/** Returns a task's encrypted secret answers; empty when they were deleted. */
export const readSecretAnswers = (kv: Store, taskId: number): Promise<Uint8Array> =>
  readChunks(kv, secretKey(taskId), SECRET_CHUNKS_MAX);

/** Adds the deletion of a task's secret answers and passwords to `op`. */
export function deleteSecretAnswers(op: Atomic, taskId: number): void {
  op.delete(rowKeys.taskPasswords(taskId));
  deleteChunks(op, secretKey(taskId), SECRET_CHUNKS_MAX);
}
