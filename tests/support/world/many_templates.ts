import { nextIds } from "@/lib/store/ids.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { getTasks } from "@/lib/model/tasks.ts";
import { templateRows } from "@/lib/templates/repository.ts";
import { writeHistory } from "./history.ts";
import type { World } from "./world.ts";

const ENDS = ["success", "error", "stopped"] as const;

/**
 * Adds copies of the web project's template, "Template 001" and so on, each with a finished task.
 * Writes their rows, because as many calls of the API take long.
 */
export async function addTemplates(
  { kv, web, deploy, api }: World,
  count: number,
): Promise<{ id: number; name: string }[]> {
  const model = await templateRows.get(kv, web.id, deploy.id);
  const ids = await nextIds(kv, "templates", count);
  const rows = ids.map((id, n) => ({
    ...model,
    id,
    name: `Template ${String(n + 1).padStart(3, "0")}`,
  }));
  for (const row of rows) await kv.set(rowKeys.resource("templates", web.id, row.id), row);
  const { body } = await api("alice", "POST", `/api/project/${web.id}/tasks`, {
    template_id: deploy.id,
  });
  const [task] = await getTasks(kv, [[web.id, body.id]]);
  await writeHistory(
    kv,
    task,
    rows.map(({ id, name }, n) => ({
      template_id: id,
      template_name: name,
      start: task.created,
      end: task.created,
      status: ENDS[n % 3],
      user_name: "Alice",
    })),
  );
  return rows;
}
