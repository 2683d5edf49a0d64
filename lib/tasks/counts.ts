import { rowKeys } from "../kv/keys.ts";

/** How many tasks of a template were ever started. */
export async function countTasks(
  kv: Deno.Kv,
  projectId: number,
  templateId: number,
): Promise<number> {
  const { value } = await kv.get<Deno.KvU64>(rowKeys.taskCount(projectId, templateId));
  return Number(value?.value ?? 0);
}

/** The same of all the project's templates that have had one, by the template's id. */
export async function countTasksOf(kv: Deno.Kv, projectId: number): Promise<Map<number, number>> {
  const prefix = rowKeys.taskCounts(projectId);
  const counts = new Map<number, number>();
  for await (const { key, value } of kv.list<Deno.KvU64>({ prefix }, { batchSize: 500 })) {
    counts.set(key.at(-1) as number, Number(value.value));
  }
  return counts;
}
