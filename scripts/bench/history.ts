import { join } from "node:path";
import { nextId } from "../../lib/kv/ids.ts";
import { keys } from "../../lib/kv/keys.ts";
import type { TaskRow } from "../../lib/tasks/schema.ts";

/** KV takes 1,000 mutations and 800 KiB a commit. */
const BATCH = 200;

/** Stores `count` finished tasks of a project, as copies of `model`. */
export async function writeHistory(dataDir: string, model: TaskRow, count: number): Promise<void> {
  const kv = await Deno.openKv(join(dataDir, "callboard.kv"));
  const { id: _, project_id, template_id } = model;
  const first = await nextId(kv, "tasks");
  const last = first + count;
  await kv.set(keys.lastId("tasks"), last);
  for (let from = first; from < last; from += BATCH) {
    const op = kv.atomic();
    for (let id = from; id < Math.min(last, from + BATCH); id++) {
      op.set(keys.task(project_id, id), { ...model, id })
        .set(keys.taskByTemplate(project_id, template_id, id), true);
    }
    await op.commit();
  }
  await kv.set(keys.lastTask(project_id, template_id), { ...model, id: last - 1 });
  kv.close();
}

/** A finished task as it is stored. */
export async function readTask(dataDir: string, projectId: number, id: number): Promise<TaskRow> {
  const kv = await Deno.openKv(join(dataDir, "callboard.kv"));
  const { value } = await kv.get<TaskRow>(keys.task(projectId, id));
  kv.close();
  return value!;
}
