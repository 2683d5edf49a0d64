import type { ProjectScope } from "../../access/scope.ts";
import { sightOf } from "../../access/sight.ts";
import { getSeenRun, isHiddenStep } from "../seen.ts";
import { readDefinition } from "./repository.ts";
import { stepValues } from "./values.ts";

/** The values that the steps of a run have reported, by the ids of the steps. */
export async function runValues(
  scope: ProjectScope,
  workflowId: number,
  runId: number,
): Promise<Record<string, Record<string, string>>> {
  const { value: run } = await getSeenRun(scope, workflowId, runId);
  const { kv } = scope.deps;
  const [sight, { steps }] = await Promise.all([sightOf(scope), readDefinition(kv, run)]);
  const seen = steps.filter((step) => !isHiddenStep(sight, step));
  const all = await Promise.all(
    seen.map(async ({ id }) => [id, Object.fromEntries(await stepValues(kv, run, id))] as const),
  );
  return Object.fromEntries(all.filter(([, values]) => Object.keys(values).length > 0));
}
