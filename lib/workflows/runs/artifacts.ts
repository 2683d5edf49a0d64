import type { ProjectScope } from "../../access/scope.ts";
import { getRunEntry, readDefinition } from "./repository.ts";
import { stepValues } from "./values.ts";

/** The values that the steps of a run have reported, by the ids of the steps. */
export async function runValues(
  { deps: { kv }, projectId }: ProjectScope,
  workflowId: number,
  runId: number,
): Promise<Record<string, Record<string, string>>> {
  const { value: run } = await getRunEntry(kv, projectId, workflowId, runId);
  const { steps } = await readDefinition(kv, run);
  const all = await Promise.all(
    steps.map(async ({ id }) => [id, Object.fromEntries(await stepValues(kv, run, id))] as const),
  );
  return Object.fromEntries(all.filter(([, values]) => Object.keys(values).length > 0));
}
