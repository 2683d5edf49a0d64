import type { ProjectScope } from "../../access/scope.ts";
import { type Sight, sightOf } from "../../access/sight.ts";
import type { Status } from "../../model/status.ts";
import { readDayCounts } from "../../store/day_counts.ts";
import { rowKeys } from "../../store/keys.ts";
import { seenTemplateIds } from "../history/seen.ts";

type Day = Pick<
  Awaited<ReturnType<typeof readDayCounts<Status>>>[number],
  "date" | "counts" | "average" | "seconds"
>;

/** UTC days, including the first and excluding the last, and the person who started the tasks. */
interface Asked {
  start?: string;
  end?: string;
  user_id?: number;
}

/** Number of templates whose counts are added, or subtracted from those of the project. */
const TEMPLATES_MAX = 100;

/**
 * Returns the counts of the tasks that the actor sees, by UTC day: of one template, or with 0 of
 * all. They are the project's without those of hidden templates, or if these are more, those of the
 * others. If both are many, there are none, because adding them up would take too long.
 */
export async function readSeenDays(
  scope: ProjectScope,
  { start, end, user_id = 0 }: Asked,
  templateId: number,
): Promise<Day[]> {
  const { deps: { kv }, projectId } = scope;
  const sight = await sightOf(scope);
  const userId = startedBy(sight, user_id);
  if (userId === null) return [];
  const daysOf = (id: number): Promise<Day[]> =>
    readDayCounts<Status>(kv, rowKeys.runsByDay(projectId, id, userId), { start, end });
  const hidden = [...sight.hidden("templates")];
  if (templateId !== 0 || hidden.length === 0) return await daysOf(templateId);
  const seen = await seenTemplateIds(kv, projectId, sight);
  const isRest = hidden.length < seen.length;
  const counted = isRest ? hidden : seen;
  if (counted.length > TEMPLATES_MAX) return [];
  const parts = (await Promise.all(counted.map(daysOf))).flat();
  return isRest ? sumOf([...await daysOf(0), ...parts.map(negative)]) : sumOf(parts);
}

/** Returns the person whose tasks are counted; 0 for all, and null if none are seen. */
function startedBy({ seesAllTasks, userId }: Sight, asked: number): number | null {
  if (seesAllTasks) return asked;
  return asked === 0 || asked === userId ? userId : null;
}

const negative = (day: Day): Day => ({
  ...day,
  seconds: -day.seconds,
  counts: Object.fromEntries(
    Object.entries(day.counts).map(([status, count]) => [status, -count]),
  ),
});

/** Adds up counts of the same days. Days on which nothing is left are left out. */
function sumOf(parts: Day[]): Day[] {
  return [...Map.groupBy(parts, ({ date }) => date)].toSorted(([a], [b]) => a < b ? -1 : 1)
    .flatMap(([date, days]) => {
      const counts: Day["counts"] = {};
      let seconds = 0;
      for (const day of days) {
        seconds += day.seconds;
        for (const [status, count] of Object.entries(day.counts) as [Status, number][]) {
          counts[status] = (counts[status] ?? 0) + count;
        }
      }
      for (const status of Object.keys(counts) as Status[]) {
        if (counts[status] === 0) delete counts[status];
      }
      if (Object.keys(counts).length === 0) return [];
      const { success = 0, error = 0 } = counts;
      const average = Math.max(0, Math.round(seconds / Math.max(1, success + error)));
      return [{ date, counts, seconds, average }];
    });
}
