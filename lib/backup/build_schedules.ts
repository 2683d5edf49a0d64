import { parseWith } from "../http/api.ts";
import { scheduleForm, type ScheduleRow } from "../schedules/schema.ts";
import { newScheduleRow } from "../schedules/service.ts";
import type { BuildContext } from "./context.ts";
import { below, eachEntry } from "./entries.ts";
import type { ReadBackup } from "./schema.ts";

type TemplateEntry = ReadBackup["templates"][number];
type ScheduleEntry = NonNullable<TemplateEntry["schedules"]>[number];

/** The schedules of a file's templates. Other servers tell one by its times alone. */
export function buildSchedules({ templates }: ReadBackup, context: BuildContext): ScheduleRow[] {
  let soFar = 0;
  return eachEntry("templates", templates, ({ name }) => name, (entry, templateAt) => {
    const template_id = context.idOf("templates", templateAt);
    if (entry.schedules) {
      return entry.schedules.map((schedule, at) =>
        below(`schedules.${at}`, () => buildSchedule(schedule, template_id, soFar++, context))
      );
    }
    if (!entry.cron) return [];
    const schedule = { cron_format: entry.cron };
    return [below("cron", () => buildSchedule(schedule, template_id, soFar++, context))];
  }).flat();
}

function buildSchedule(
  { inventory, repository, ...entry }: ScheduleEntry,
  template_id: number,
  at: number,
  { idOf, projectId, now, refer }: BuildContext,
): ScheduleRow {
  const inventory_id = refer("inventories", "inventory", inventory);
  const form = parseWith(scheduleForm, {
    ...entry,
    template_id,
    repository_id: refer("repositories", "repository", repository),
    task_params: inventory_id === null ? entry.task_params : { ...entry.task_params, inventory_id },
    active: entry.active !== false && !isPast(entry, now),
  });
  return newScheduleRow({ id: idOf("schedules", at), projectId }, form, now);
}

/** Whether its one time is over: then it comes back switched off. */
const isPast = ({ type, run_at }: ScheduleEntry, now: Date) =>
  type === "run_at" && Boolean(run_at) && Date.parse(run_at!) <= now.getTime();
