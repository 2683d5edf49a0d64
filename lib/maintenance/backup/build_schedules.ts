import { invalidField } from "../../base/errors.ts";
import { parseWith } from "../../base/parse.ts";
import { scheduleForm, type ScheduleRow } from "../../triggers/schedules/schema.ts";
import { newScheduleRow } from "../../triggers/schedules/scheduled.ts";
import type { TemplateRow } from "../../templates/schema.ts";
import { checkSchedules } from "../../triggers/schedules/template_checks.ts";
import type { TriggerTarget } from "../../triggers/trigger_target.ts";
import { type BuildContext, startParamsOf, targetOf } from "./context.ts";
import { type Entry, makeEach } from "./entries.ts";
import type { ReadBackup } from "./schema.ts";

type ScheduleEntry = NonNullable<ReadBackup["schedules"]>[number];

/**
 * Builds the schedules of a file. Our files and those up to Semaphore 2.10 have them inside their
 * templates. Later versions have a separate list, which in our files has those of workflows.
 */
export async function buildSchedules(
  file: ReadBackup,
  context: BuildContext,
  templates: TemplateRow[],
): Promise<ScheduleRow[]> {
  let soFar = 0;
  const entryOf = (
    { list, at, label, entry, target }: {
      list: string;
      at: number;
      label?: string;
      entry: ScheduleEntry;
      target(): TriggerTarget;
    },
  ): Entry<ScheduleRow> => ({
    list,
    at,
    label,
    name: entry.name || entry.cron_format || entry.run_at || "",
    make: () => buildSchedule(entry, target(), soFar++, context),
  });
  const ofTemplates = file.templates.flatMap(({ name, schedules }, templateAt) =>
    (schedules ?? []).map((entry, at) =>
      entryOf({
        list: `templates.${templateAt}.schedules`,
        label: `templates[${templateAt}] "${name.slice(0, 200)}", schedules`,
        at,
        entry,
        target: () => ({ template_id: context.idOf("templates", templateAt), workflow_id: null }),
      })
    )
  );
  const own = (file.schedules ?? []).map((entry, at) =>
    entryOf({
      list: "schedules",
      at,
      entry,
      target() {
        const found = targetOf(entry, context);
        if (!found.template_id && !found.workflow_id) {
          throw invalidField("template", "errors.required");
        }
        return found;
      },
    })
  );
  const rows = await makeEach(context.failures, [...ofTemplates, ...own]);
  const idOf = () => context.idOf("schedules", soFar++);
  return [...rows, ...templates.flatMap((row) => checkSchedules(row, idOf, context.now))];
}

function buildSchedule(
  entry: ScheduleEntry,
  target: TriggerTarget,
  at: number,
  { idOf, projectId, now, refer }: BuildContext,
): ScheduleRow {
  const form = parseWith(scheduleForm, {
    ...entry,
    ...target,
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
