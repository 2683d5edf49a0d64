import type { Deps } from "../../access/deps.ts";
import { getAll } from "../../kv/get_all.ts";
import { rowKeys } from "../../kv/keys.ts";
import { describeError } from "../../base/log.ts";
import { scheduleRows } from "../../triggers/schedules/repository.ts";
import { listOpenTasks, mendOpenTask } from "../../tasks/open_tasks.ts";
import { finishTemplateDeletion } from "../templates.ts";
import { listProjectRows } from "../../access/projects.ts";
import { removeProject } from "./sweep.ts";

/**
 * Removes what is left of projects and templates that are gone: of a deletion that was cut off, or
 * what earlier versions let slip in while one was under way.
 */
export async function sweepOrphans({ kv, log }: Pick<Deps, "kv" | "log">): Promise<void> {
  for (const id of await lostProjects(kv)) {
    log("warn", "project_swept", { project: id });
    await removeProject(kv, id);
  }
  for (const { id: projectId, deleting } of await listProjectRows(kv)) {
    if (deleting) continue;
    for (const id of await lostTemplates(kv, projectId)) {
      log("warn", "template_swept", { project: projectId, template: id });
      await finishTemplateDeletion(kv, projectId, id)
        .catch((error) => log("error", "template_kept", { template: id, ...describeError(error) }));
    }
  }
  for (const task of await listOpenTasks(kv)) await mendOpenTask(kv, task);
}

/** Projects that rows belong to, and that are not there. */
async function lostProjects(kv: Deno.Kv): Promise<number[]> {
  const named = new Set<number>();
  for (const prefix of rowKeys.byProject()) {
    for await (const id of partsBehind(kv, prefix)) named.add(id);
  }
  for (const prefix of rowKeys.listsOfAll()) {
    for await (const { value } of kv.list<{ project_id: number }>({ prefix }, { batchSize: 500 })) {
      named.add(value.project_id);
    }
  }
  named.delete(0); // events of the server itself
  return await missing(kv, [...named], rowKeys.project);
}

/** Templates that tasks and schedules belong to, and that are not there. */
async function lostTemplates(kv: Deno.Kv, projectId: number): Promise<number[]> {
  const named = new Set((await scheduleRows.list(kv, projectId)).map((row) => row.template_id));
  // What is counted goes with the last of a template's rows.
  for (const prefix of [rowKeys.tasksByTemplates(projectId), rowKeys.taskCounts(projectId)]) {
    for await (const id of partsBehind(kv, prefix)) named.add(id);
  }
  return await missing(kv, [...named], (id) => rowKeys.resource("templates", projectId, id));
}

/** The ids whose rows are not there. Asked after what names them, never before. */
async function missing(kv: Deno.Kv, ids: number[], keyOf: (id: number) => Deno.KvKey) {
  const rows = await getAll(kv, ids.map(keyOf));
  return ids.filter((_, n) => rows[n].versionstamp === null);
}

/** The different numbers that follow `prefix` in keys, ascending: one read for each. */
async function* partsBehind(kv: Deno.Kv, prefix: Deno.KvKey): AsyncGenerator<number> {
  for (let from = 0;;) {
    const selector = { prefix, start: [...prefix, from] };
    const [first] = await Array.fromAsync(kv.list(selector, { limit: 1 }));
    if (!first) return;
    const part = first.key[prefix.length] as number;
    yield part;
    from = part + 1;
  }
}
