import type { Deps } from "../../access/deps.ts";
import { getAll } from "../../store/rows/get_all.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { describeError } from "../../base/log.ts";
import { scheduleRows } from "../../triggers/schedules/repository.ts";
import { listOpenTasks, repairQueueRow } from "../../tasks/open_tasks.ts";
import { finishTemplateDeletion } from "../templates.ts";
import { listProjectRows } from "../../model/projects.ts";
import { removeProject } from "./sweep.ts";

/**
 * Removes the rows of deleted projects and templates. They remain after an interrupted deletion.
 * After `stop` it begins with no other one.
 */
export async function sweepOrphans(
  deps: Pick<Deps, "kv" | "log">,
  stop?: AbortSignal,
): Promise<void> {
  const { kv, log } = deps;
  for (const id of await lostProjects(kv)) {
    if (stop?.aborted) return;
    log("warn", "project_swept", { project: id });
    await removeProject(kv, id);
  }
  for (const { id: projectId, deleting } of await listProjectRows(kv)) {
    if (deleting) continue;
    for (const id of await lostTemplates(kv, projectId)) {
      if (stop?.aborted) return;
      log("warn", "template_swept", { project: projectId, template: id });
      await finishTemplateDeletion(deps, projectId, id)
        .catch((error) => log("error", "template_kept", { template: id, ...describeError(error) }));
    }
  }
  for (const task of await listOpenTasks(kv)) await repairQueueRow(kv, task);
}

/** Ids of projects that rows belong to and that do not exist. */
async function lostProjects(kv: Store): Promise<number[]> {
  const named = new Set<number>();
  for (const prefix of rowKeys.byProject()) {
    for await (const id of partsBehind(kv, prefix)) named.add(id);
  }
  for (const prefix of rowKeys.listsOfAll()) {
    const rows = kv.list<{ project_id: number | null }>({ prefix }, { batchSize: 500 });
    for await (const { value } of rows) named.add(value.project_id ?? 0);
  }
  named.delete(0); // rows of the server itself
  return await missing(kv, [...named], rowKeys.project);
}

/** Ids of templates that tasks and schedules belong to and that do not exist. */
async function lostTemplates(kv: Store, projectId: number): Promise<number[]> {
  const schedules = await scheduleRows.list(kv, projectId);
  const named = new Set(schedules.flatMap(({ template_id }) => template_id ?? []));
  // A count is deleted together with the last row of its template.
  const lists = [
    rowKeys.tasksByTemplates(projectId),
    rowKeys.taskCounts(projectId),
    rowKeys.driftSummaries(projectId),
  ];
  for (const prefix of lists) {
    for await (const id of partsBehind(kv, prefix)) named.add(id);
  }
  return await missing(kv, [...named], (id) => rowKeys.resource("templates", projectId, id));
}

/**
 * Returns the ids whose rows do not exist. Must be called after reading the rows that name them.
 */
async function missing(kv: Store, ids: number[], keyOf: (id: number) => Deno.KvKey) {
  const rows = await getAll(kv, ids.map(keyOf));
  return ids.filter((_, n) => rows[n].versionstamp === null);
}

/** The distinct numbers that follow `prefix` in keys, ascending, with one read for each. */
async function* partsBehind(kv: Store, prefix: Deno.KvKey): AsyncGenerator<number> {
  for (let from = 0;;) {
    const selector = { prefix, start: [...prefix, from] };
    const [first] = await Array.fromAsync(kv.list(selector, { limit: 1 }));
    if (!first) return;
    const part = first.key[prefix.length] as number;
    yield part;
    from = part + 1;
  }
}
