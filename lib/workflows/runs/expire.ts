import { inGroups } from "../../base/groups.ts";
import { getAll } from "../../store/rows/get_all.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import type { RunRow } from "../run_schema.ts";
import type { WorkflowRow } from "../schema.ts";
import { deleteRuns, deleteRunsOf } from "./stored_runs.ts";

/** Runs that are read together. Their rows have up to 64 KiB each. */
const RUNS_PER_READ = 50;

interface RunLimits {
  /** Runs of a workflow that are kept; 0 for all. */
  count: number;
  /** Runs from before this time are removed; null for none. */
  oldest: string | null;
}

/**
 * Removes the expired runs of a project, and what a deleted workflow has left. The latest run of a
 * workflow stays, and so do runs that have not ended, with those that they started. Resolves to
 * the number of removed runs.
 */
export async function expireRuns(
  kv: Store,
  projectId: number,
  { count, oldest }: RunLimits,
): Promise<number> {
  let removed = 0;
  for (const [workflowId, ids] of await runIds(kv, projectId)) {
    const workflow = await kv.get<WorkflowRow>(
      rowKeys.resource("workflows", projectId, workflowId),
    );
    if (!workflow.value) {
      await deleteRunsOf(kv, projectId, workflowId);
      removed += ids.length;
      continue;
    }
    const surplus = new Set(count === 0 ? [] : ids.slice(0, -count));
    const gone: number[] = [];
    for (const id of ids.slice(0, -1)) {
      const { value: run } = await kv.get<RunRow>(rowKeys.workflowRun(projectId, id));
      const isOld = run !== null && oldest !== null && run.created < oldest;
      // Ids grow with time, so no later run is older.
      if (run && !isOld && !surplus.has(id)) break;
      if (run && (run.end === null || await hasOpenParent(kv, run))) continue;
      gone.push(id);
    }
    if (gone.length === 0) continue;
    await deleteRuns(kv, projectId, gone);
    await dropDefinitions(kv, projectId, workflowId, workflow.value.version);
    removed += gone.length;
  }
  return removed;
}

/** Whether a run was started by one that is open, and may not know the end of this one yet. */
async function hasOpenParent(kv: Store, { project_id, parent }: RunRow): Promise<boolean> {
  if (!parent) return false;
  const { versionstamp } = await kv.get(rowKeys.openWorkflowRun(project_id, parent.run_id));
  return versionstamp !== null;
}

/** Returns the ids of all runs of a project by workflow, in ascending order. */
async function runIds(kv: Store, projectId: number): Promise<Map<number, number[]>> {
  const ids = new Map<number, number[]>();
  const rows = kv.list({ prefix: rowKeys.workflowRunsOf(projectId) }, { batchSize: 500 });
  for await (const { key } of rows) {
    const [workflowId, id] = key.slice(2) as [number, number];
    const others = ids.get(workflowId);
    if (others) others.push(id);
    else ids.set(workflowId, [id]);
  }
  return ids;
}

/**
 * Removes the definitions that no run follows anymore. The current one stays, because a run of it
 * may start meanwhile. A run that repeats another checks that the other one still exists.
 */
async function dropDefinitions(
  kv: Store,
  projectId: number,
  workflowId: number,
  current: number,
): Promise<void> {
  const prefix = rowKeys.workflowDefinitions(projectId, workflowId);
  // Each new run moves this guard.
  const guard = await kv.get(rowKeys.referenceGuard(projectId, ["workflows", workflowId]));
  const keys = await Array.fromAsync(kv.list({ prefix }), ({ key }) => key);
  const versionOf = (key: Deno.KvKey) => key[3] as number;
  const unused = new Set(keys.map(versionOf).filter((version) => version < current));
  if (unused.size === 0) return;
  const left = rowKeys.workflowRunsBy(projectId, workflowId);
  for await (const { version } of runsBelow(kv, projectId, left)) {
    unused.delete(version);
    if (unused.size === 0) return;
  }
  for (const key of keys) {
    if (unused.has(versionOf(key))) await kv.atomic().check(guard).delete(key).commit();
  }
}

/** Returns the ids of the tasks whose values a run that has not ended may still need. */
export async function neededTasks(kv: Store, projectId: number): Promise<number[]> {
  const needed: number[] = [];
  for await (const { steps } of runsBelow(kv, projectId, rowKeys.openWorkflowRuns(projectId))) {
    needed.push(...Object.values(steps).flatMap(({ task_id }) => task_id ?? []));
  }
  return needed;
}

/** Reads the runs whose ids end the keys below `prefix`, in ascending order. */
async function* runsBelow(
  kv: Store,
  projectId: number,
  prefix: Deno.KvKey,
): AsyncGenerator<RunRow> {
  for await (const group of inGroups(kv.list({ prefix }), RUNS_PER_READ)) {
    const keys = group.map(({ key }) => rowKeys.workflowRun(projectId, key.at(-1) as number));
    for (const { value } of await getAll<RunRow>(kv, keys)) if (value) yield value;
  }
}
