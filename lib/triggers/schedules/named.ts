import { cachedWhile } from "../../store/cached.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { targetNames } from "../target_names.ts";
import { SHOWN_KINDS } from "./next_runs.ts";
import { scheduleRows } from "./repository.ts";
import type { ScheduleRow } from "./schema.ts";

/** A schedule with the name of what it starts. */
export interface NamedSchedule {
  row: ScheduleRow;
  name: string;
}

/**
 * Returns the project's schedules by id. Cached until one changes, because pages about one template
 * read them, too.
 */
export const namedSchedules = (
  kv: Store,
  projectId: number,
): Promise<readonly NamedSchedule[]> => {
  const stamps = SHOWN_KINDS.map((kind) => rowKeys.resourcesStamp(kind));
  return cachedWhile(kv, stamps, `schedules of ${projectId}`, async () => {
    const rows = await scheduleRows.list(kv, projectId);
    const nameOf = await targetNames(kv, projectId, rows);
    return rows.map((row) => ({ row, name: nameOf(row) }));
  });
};
