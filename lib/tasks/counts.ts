import { rowKeys } from "../kv/keys.ts";

/** Returns how many tasks of a template were ever started. */
export async function countTasks(
  kv: Deno.Kv,
  projectId: number,
  templateId: number,
): Promise<number> {
  const { value } = await kv.get<Deno.KvU64>(rowKeys.taskCount(projectId, templateId));
  return Number(value?.value ?? 0);
}

/** Returns these counts for all templates of the project that had a task, by template id. */
export async function countTasksOf(kv: Deno.Kv, projectId: number): Promise<Map<number, number>> {
  const prefix = rowKeys.taskCounts(projectId);
  const counts = new Map<number, number>();
  for await (const { key, value } of kv.list<Deno.KvU64>({ prefix }, { batchSize: 500 })) {
    counts.set(key.at(-1) as number, Number(value.value));
  }
  return counts;
}
