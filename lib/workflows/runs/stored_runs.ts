import { inGroups } from "../../base/groups.ts";
import { deleteChunks, setChunks } from "../../store/rows/chunks.ts";
import { addCounted, removeAllCounted } from "../../store/counted.ts";
import { deleteFound, deletePrefix } from "../../store/delete_prefix.ts";
import { getAll } from "../../store/rows/get_all.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic, Store } from "../../store/store.ts";
import type { RunRow } from "../run_schema.ts";
import type { Definition } from "../schema.ts";
import { endKeys, runKeys } from "./index_keys.ts";
import { countRunEnd } from "./trends.ts";
import { SECRET_CHUNKS_MAX, secretKey } from "./repository.ts";

/**
 * Adds a new run to `op`, which checks the row of its workflow, with the definition that it follows
 * and its encrypted secret answers.
 */
export function insertRun(
  op: Atomic,
  run: RunRow,
  definition: Definition | null,
  sealed: Uint8Array | null,
): void {
  const { project_id: projectId, workflow_id: workflowId, id } = run;
  const key = rowKeys.workflowRun(projectId, id);
  op.check({ key, versionstamp: null });
  for (const found of runKeys(run)) {
    addCounted(op, found, String(found) === String(key) ? run : true);
  }
  op.set(rowKeys.openWorkflowRun(projectId, id), workflowId)
    // A deletion of the workflow checks this row.
    .set(rowKeys.referenceGuard(projectId, ["workflows", workflowId]), id)
    .set(rowKeys.workflowRunsStamp(), id);
  if (definition) {
    const bytes = new TextEncoder().encode(JSON.stringify(definition));
    const at = (n: number) => rowKeys.workflowDefinition(projectId, workflowId, run.version, n);
    setChunks(op, at, bytes);
  }
  if (sealed) setChunks(op, secretKey(run), sealed);
}

/**
 * Adds the rows that find and count a run by its end to `op`, and the removal of those of an open
 * run.
 */
export function closeRun(op: Atomic, run: RunRow): void {
  for (const key of endKeys(run)) addCounted(op, key);
  countRunEnd(op, run);
  op.delete(rowKeys.openWorkflowRun(run.project_id, run.id));
  deleteChunks(op, secretKey(run), SECRET_CHUNKS_MAX);
}

/** Runs that are deleted together. Their rows have up to 64 KiB each, and are read at once. */
const RUNS_PER_TURN = 100;
const RUNS_PER_COMMIT = 10;

/** Deletes the runs of a deleted workflow, and their definitions. */
export async function deleteRunsOf(kv: Store, projectId: number, workflowId: number) {
  const prefix = rowKeys.workflowRunsBy(projectId, workflowId);
  for await (const group of inGroups(kv.list({ prefix }), RUNS_PER_TURN)) {
    await deleteRuns(kv, projectId, group.map(({ key }) => key.at(-1) as number));
  }
  await deletePrefix(kv, rowKeys.workflowDefinitions(projectId, workflowId));
  await deletePrefix(kv, rowKeys.workflowTrends(projectId, workflowId));
  await kv.delete(rowKeys.referenceGuard(projectId, ["workflows", workflowId]));
}

/**
 * Deletes runs that have ended. The indices go last, so that the deletion can be continued. Lists
 * of failing schedules, which are cached by their stamp, no longer show them.
 */
export async function deleteRuns(
  kv: Store,
  projectId: number,
  ids: readonly number[],
): Promise<void> {
  const prefixes = ids.flatMap((id) => [
    rowKeys.workflowVotes(projectId, id),
    rowKeys.workflowApprovedBy(projectId, id),
  ]);
  await deleteFound(kv, prefixes.map((prefix) => ({ prefix })));
  for (let at = 0; at < ids.length; at += RUNS_PER_COMMIT) {
    const keys = ids.slice(at, at + RUNS_PER_COMMIT).map((id) =>
      rowKeys.workflowRun(projectId, id)
    );
    await transact(kv, async (op) => {
      const found = await getAll<RunRow>(kv, keys);
      op.check(...found);
      op.set(rowKeys.resourcesStamp("schedules"), ids[at]);
      removeAllCounted(op, found.flatMap(({ value }) => value ? runKeys(value) : []));
    });
  }
}
