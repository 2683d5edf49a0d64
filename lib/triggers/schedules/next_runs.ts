import type { ProjectScope } from "../../access/scope.ts";
import { sightOf } from "../../access/sight.ts";
import { cachedWhile } from "../../store/cached.ts";
import { rowKeys } from "../../store/keys.ts";
import { targetNames } from "../target_names.ts";
import type { TriggerTarget } from "../trigger_target.ts";
import { scheduleRows } from "./repository.ts";

/** The next time of a schedule. */
export interface NextRun extends TriggerTarget {
  schedule_id: number;
  /** Name of the schedule; empty if it has none. */
  name: string;
  /** Name of its template or workflow. */
  target_name: string;
  at: string;
}

/** Rows that lists of schedules show. */
export const SHOWN_KINDS = ["schedules", "templates", "workflows"] as const;

/** Number of next times that are read for someone who does not see all schedules. */
const LOOKED_AT = 1_000;

/** The next times of the schedules that the actor sees, one for each, ascending. */
export async function listNextRuns(scope: ProjectScope, count: number): Promise<NextRun[]> {
  const sight = await sightOf(scope);
  if (!sight.isNarrowed) return await listAllNextRuns(scope, count);
  const all = await listAllNextRuns(scope, LOOKED_AT);
  return all.filter((run) => sight.maySeeTarget(run)).slice(0, count);
}

function listAllNextRuns(
  { deps: { kv }, projectId }: ProjectScope,
  count: number,
): Promise<NextRun[]> {
  const stamps = SHOWN_KINDS.map((kind) => rowKeys.resourcesStamp(kind));
  return cachedWhile(kv, stamps, `${count} next runs of ${projectId}`, async () => {
    const coming = (await scheduleRows.list(kv, projectId))
      .flatMap(({ next_at, ...row }) => next_at === null ? [] : [{ ...row, at: next_at }])
      .toSorted((a, b) => a.at < b.at ? -1 : a.at > b.at ? 1 : a.id - b.id)
      .slice(0, count);
    const nameOf = await targetNames(kv, projectId, coming);
    return coming.map(({ id, name, template_id, workflow_id, at }) => ({
      schedule_id: id,
      name,
      ...{ template_id, workflow_id },
      target_name: nameOf({ template_id, workflow_id }),
      at,
    }));
  });
}
