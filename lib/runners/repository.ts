import { conflict, notFound } from "../base/errors.ts";
import { cachedWhile } from "../store/cached.ts";
import { guardProject } from "../store/guard_project.ts";
import { rowKeys } from "../store/keys.ts";
import type { Atomic, Store } from "../store/store.ts";
import type { RunnerRow, RunnerTokenRow } from "./rows.ts";

const RUNNERS_MAX = 1_000;
const TOKENS_MAX = 200;

/** Returns all runners by id. The list is shared and must not be modified. */
export const listRunners = (kv: Store): Promise<readonly RunnerRow[]> =>
  cachedWhile(kv, [rowKeys.runnersStamp()], "runners", async () => {
    const entries = kv.list<RunnerRow>({ prefix: rowKeys.runners() }, { batchSize: 500 });
    return await Array.fromAsync(entries, ({ value }) => value);
  });

/** Returns the runner with its versionstamp; null if there is none. */
export async function findRunnerEntry(
  kv: Store,
  id: number,
): Promise<Deno.KvEntry<RunnerRow> | null> {
  const entry = await kv.get<RunnerRow>(rowKeys.runner(id));
  return entry.versionstamp === null ? null : entry;
}

export const findRunner = async (kv: Store, id: number): Promise<RunnerRow | null> =>
  (await findRunnerEntry(kv, id))?.value ?? null;

/** Returns the runner with its versionstamp. Throws not found. */
export async function getRunnerEntry(kv: Store, id: number): Promise<Deno.KvEntry<RunnerRow>> {
  const entry = await findRunnerEntry(kv, id);
  if (!entry) throw notFound();
  return entry;
}

/**
 * Adds a new runner to `op`. Its project must exist at the commit. Throws 409 if there are too
 * many.
 */
export async function insertRunner(
  kv: Store,
  op: Atomic,
  row: RunnerRow,
): Promise<void> {
  if (row.project_id !== null) await guardProject(kv, op, row.project_id);
  await plantRunner(kv, op, row);
}

/** Same as `insertRunner`, for a project that is not visible yet. */
export async function plantRunner(
  kv: Store,
  op: Atomic,
  row: RunnerRow,
): Promise<void> {
  op.check(await kv.get(rowKeys.runnersStamp()));
  if ((await listRunners(kv)).length >= RUNNERS_MAX) {
    throw conflict("errors.runners.full", { max: RUNNERS_MAX });
  }
  const key = rowKeys.runner(row.id);
  op.check({ key, versionstamp: null });
  putRunner(op, row);
}

/**
 * Adds a runner's row to `op`, whose checks must ensure that the row is current. Dispatchers are
 * woken, because the runner may take other tasks now.
 */
export function putRunner(op: Atomic, row: RunnerRow): void {
  op.set(rowKeys.runner(row.id), row).set(rowKeys.runnersStamp(), row.id)
    .set(rowKeys.tasksWake(), row.id);
}

/** Adds to `op` whether a runner is lost. This does not matter to dispatchers. */
export function setRunnerLost(op: Atomic, row: RunnerRow, isLost: boolean): void {
  const { lost: _, ...rest } = row;
  op.set(rowKeys.runner(row.id), { ...rest, ...isLost && { lost: true } })
    .set(rowKeys.runnersStamp(), row.id);
}

/** Adds the deletion of a runner to `op`. */
export function removeRunner(op: Atomic, id: number): void {
  op.delete(rowKeys.runner(id)).delete(rowKeys.runnerSession(id)).delete(rowKeys.runnerSeen(id))
    .set(rowKeys.runnersStamp(), id).set(rowKeys.tasksWake(), id);
}

/** Returns all reusable tokens by id. */
export const listRunnerTokens = (kv: Store): Promise<RunnerTokenRow[]> =>
  Array.fromAsync(
    kv.list<RunnerTokenRow>({ prefix: rowKeys.runnerTokens() }, { batchSize: 500 }),
    ({ value }) => value,
  );

/** Returns the reusable token with its versionstamp; null if there is none. */
export async function findRunnerToken(
  kv: Store,
  id: number,
): Promise<Deno.KvEntry<RunnerTokenRow> | null> {
  const entry = await kv.get<RunnerTokenRow>(rowKeys.runnerToken(id));
  return entry.versionstamp === null ? null : entry;
}

/** Adds a new reusable token to `op`. Throws 409 if there are too many. */
export async function insertRunnerToken(
  kv: Store,
  op: Atomic,
  row: RunnerTokenRow,
): Promise<void> {
  if (row.project_id !== null) await guardProject(kv, op, row.project_id);
  op.check(await kv.get(rowKeys.runnersStamp()));
  if ((await listRunnerTokens(kv)).length >= TOKENS_MAX) {
    throw conflict("errors.runners.too_many_tokens", { max: TOKENS_MAX });
  }
  const key = rowKeys.runnerToken(row.id);
  op.check({ key, versionstamp: null });
  putRunnerToken(op, row);
}

/** Adds a token's row to `op`, whose checks must ensure that the row is current. */
export function putRunnerToken(op: Atomic, row: RunnerTokenRow): void {
  op.set(rowKeys.runnerToken(row.id), row).set(rowKeys.runnersStamp(), row.id);
}

/** Adds the deletion of a token to `op`. */
export function removeRunnerToken(op: Atomic, id: number): void {
  op.delete(rowKeys.runnerToken(id)).set(rowKeys.runnersStamp(), id);
}

/** Deletes the runners and the tokens of a project, to which no more can be added. */
export async function removeRunnersOf(kv: Store, projectId: number): Promise<void> {
  for (const { id, project_id } of await listRunners(kv)) {
    if (project_id !== projectId) continue;
    const op = kv.atomic();
    removeRunner(op, id);
    await op.commit();
  }
  for (const { id, project_id } of await listRunnerTokens(kv)) {
    if (project_id !== projectId) continue;
    const op = kv.atomic();
    removeRunnerToken(op, id);
    await op.commit();
  }
}
