import { getAll } from "../../kv/get_all.ts";
import { rowKeys } from "../../kv/keys.ts";
import type { RunRow } from "../run_schema.ts";
import type { WorkflowRow } from "../schema.ts";
import { deleteRuns, deleteRunsOf } from "./repository.ts";

interface RunLimits {
  /** Runs of a workflow that are kept; 0 for all. */
  count: number;
  /** Runs from before this time are removed; null for none. */
  oldest: string | null;
}

/**
 * Removes the expired runs of a project, and what a deleted workflow has left. The latest run of a
 * workflow stays, and so do runs that have not ended. Resolves to their number.
 */
export async function expireRuns(
  kv: Deno.Kv,
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
      if (run && run.end === null) continue;
      gone.push(id);
    }
    if (gone.length === 0) continue;
    await deleteRuns(kv, projectId, workflowId, gone);
    await dropDefinitions(kv, projectId, workflowId, workflow.value.version);
    removed += gone.length;
  }
  return removed;
}

/** Returns the ids of all runs of a project by workflow, in ascending order. */
async function runIds(kv: Deno.Kv, projectId: number): Promise<Map<number, number[]>> {
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
  kv: Deno.Kv,
  projectId: number,
  workflowId: number,
  current: number,
): Promise<void> {
  const left = await Array.fromAsync(
    kv.list({ prefix: rowKeys.workflowRunsBy(projectId, workflowId) }, { batchSize: 500 }),
    ({ key }) => rowKeys.workflowRun(projectId, key.at(-1) as number),
  );
  const runs = await getAll<RunRow>(kv, left);
  const followed = new Set(runs.map(({ value }) => value?.version));
  const prefix = rowKeys.workflowDefinitions(projectId, workflowId);
  for await (const { key } of kv.list({ prefix })) {
    const version = key[3] as number;
    if (version < current && !followed.has(version)) await kv.delete(key);
  }
}

/** Returns the ids of the tasks whose values a run that has not ended may still need. */
export async function neededTasks(kv: Deno.Kv, projectId: number): Promise<number[]> {
  const open = await Array.fromAsync(
    kv.list({ prefix: rowKeys.openWorkflowRuns(projectId) }),
    ({ key }) => rowKeys.workflowRun(projectId, key[2] as number),
  );
  const runs = await getAll<RunRow>(kv, open);
  return runs.flatMap(({ value }) =>
    Object.values(value?.steps ?? {}).flatMap(({ task_id }) => task_id ?? [])
  );
}
