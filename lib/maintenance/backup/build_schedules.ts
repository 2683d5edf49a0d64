import { invalidField } from "../../base/errors.ts";
import { parseWith } from "../../base/parse.ts";
import { scheduleForm, type ScheduleRow } from "../../triggers/schedules/schema.ts";
import { newScheduleRow } from "../../triggers/schedules/scheduled.ts";
import { type BuildContext, startParamsOf } from "./context.ts";
import { type Entry, findEntry, makeEach } from "./entries.ts";
import type { ReadBackup } from "./schema.ts";

type ScheduleEntry = NonNullable<ReadBackup["schedules"]>[number];

/**
 * Builds the schedules of a file. Our files and those up to Semaphore 2.10 have them inside their
 * templates. Later versions have a separate list.
 */
export function buildSchedules(
  file: ReadBackup,
  context: BuildContext,
): Promise<ScheduleRow[]> {
  let soFar = 0;
  const entryOf = (
    { list, at, label, entry, templateAt }: {
      list: string;
      at: number;
      label?: string;
      entry: ScheduleEntry;
      templateAt(): number;
    },
  ): Entry<ScheduleRow> => ({
    list,
    at,
    label,
    name: entry.name || entry.cron_format || entry.run_at || "",
    make: () => buildSchedule(entry, context.idOf("templates", templateAt()), soFar++, context),
  });
  const ofTemplates = file.templates.flatMap(({ name, schedules }, templateAt) =>
    (schedules ?? []).map((entry, at) =>
      entryOf({
        list: `templates.${templateAt}.schedules`,
        label: `templates[${templateAt}] "${name.slice(0, 200)}", schedules`,
        at,
        entry,
        templateAt: () => templateAt,
      })
    )
  );
  const own = (file.schedules ?? []).map((entry, at) =>
    entryOf({
      list: "schedules",
      at,
      entry,
      templateAt: () => {
        const found = findEntry(context.lookup, "templates", "template", entry.template);
        if (found === null) throw invalidField("template", "errors.required");
        return found;
      },
    })
  );
  return makeEach(context.failures, [...ofTemplates, ...own]);
}

function buildSchedule(
  entry: ScheduleEntry,
  template_id: number,
  at: number,
  { idOf, projectId, now, refer }: BuildContext,
): ScheduleRow {
  const form = parseWith(scheduleForm, {
    ...entry,
    template_id,
    repository_id: refer(
      "repositories",
      "repository",
      entry.repository || entry.checkable_repository,
    ),
    task_params: startParamsOf(entry, refer),
    active: entry.active !== false && !isPast(entry, now),
  });
  return newScheduleRow({ id: idOf("schedules", at), projectId }, form, now);
}

/** Whether a one-time schedule lies in the past. It is restored disabled. */
const isPast = ({ type, run_at }: ScheduleEntry, now: Date) =>
  type === "run_at" && Boolean(run_at) && Date.parse(run_at!) <= now.getTime();
