import type { ProjectScope } from "../../access/scope.ts";
import { cachedWhile } from "../../kv/cached.ts";
import { rowKeys } from "../../kv/keys.ts";
import { templateRows } from "../../templates/repository.ts";
import { scheduleRows } from "./repository.ts";

/** The next time of a schedule. */
export interface NextRun {
  schedule_id: number;
  /** Name of the schedule; empty if it has none. */
  name: string;
  template_id: number;
  template_name: string;
  at: string;
}

/** The next times of the project's schedules, one for each, ascending. */
export function listNextRuns(
  { deps: { kv }, projectId }: ProjectScope,
  count: number,
): Promise<NextRun[]> {
  const stamps = [rowKeys.resourcesStamp("schedules"), rowKeys.resourcesStamp("templates")];
  return cachedWhile(kv, stamps, `${count} next runs of ${projectId}`, async () => {
    const coming = (await scheduleRows.list(kv, projectId))
      .flatMap(({ next_at, ...row }) => next_at === null ? [] : [{ ...row, at: next_at }])
      .toSorted((a, b) => a.at < b.at ? -1 : a.at > b.at ? 1 : a.id - b.id)
      .slice(0, count);
    const templates = await Promise.all(
      coming.map(({ template_id }) => templateRows.find(kv, projectId, template_id)),
    );
    return coming.map(({ id, name, template_id, at }, n) => ({
      schedule_id: id,
      name,
      template_id,
      template_name: templates[n]?.row.name ?? "",
      at,
    }));
  });
}
