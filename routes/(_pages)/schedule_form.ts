import type { UpcomingRuns } from "@/components/schedules/WhenFields.tsx";
import { scheduleWords } from "@/components/schedules/ScheduleCell.tsx";
import { paramErrors, scheduleInput } from "./schedule_values.ts";
import { askedInForm, taskPlace } from "./survey_answers.ts";
import { answerErrors, startInput } from "./tasks_form.ts";
import { type ProjectScope, reopen, withPermission } from "@/lib/access/scope.ts";
import { listNumber } from "@/lib/base/list_query.ts";
import { parseWith } from "@/lib/base/parse.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { inventoryService } from "@/lib/resources/inventories/service.ts";
import { repositoryService } from "@/lib/resources/repositories/service.ts";
import { checkAnswers } from "@/lib/surveys/answers.ts";
import { loadFormChoices } from "@/lib/queue/survey_place.ts";
import { listBuilds } from "@/lib/tasks/service.ts";
import { listTemplates } from "@/lib/templates/service.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import { cronForm, scheduleForm, type ScheduleView } from "@/lib/triggers/schedules/schema.ts";
import { createSchedule, previewCron, updateSchedule } from "@/lib/triggers/schedules/service.ts";
import { momentOf, zonedPattern } from "@/lib/triggers/schedules/zone.ts";
import { expectedOf } from "@/lib/web/forms/conflict.ts";
import { type FormState, saveForm, type SubmittedForm } from "@/lib/web/forms/form.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";

/**
 * Returns the template whose schedules the form was opened from; null for the list of all
 * schedules.
 */
export const wantedTemplate = (url: URL): number | null =>
  listNumber().parse(url.searchParams.get("template")) ?? null;

/** Number of builds that a deploy may choose from. */
const BUILDS_SHOWN = 50;

/** Loads the choices of a schedule's form for the template selected in it. */
export async function loadScheduleChoices(
  scope: ProjectScope,
  values: FormValues,
  refresh?: string,
) {
  const [templates, repositories, inventories] = await Promise.all([
    listTemplates(scope),
    repositoryService.list(scope),
    inventoryService.list(scope),
  ]);
  const template = templateOf(templates, values.template_id);
  const builds = template?.build_template_id
    ? await listBuilds(scope, template.build_template_id, BUILDS_SHOWN)
    : [];
  const asked = template ? await askedInForm(scope, withoutSecrets(template), values, refresh) : [];
  return { templates, template, repositories, inventories, builds, asked };
}

/** Returns the template with the chosen id; null for none. */
const templateOf = (templates: TemplateView[], id = ""): TemplateView | null =>
  templates.find((template) => String(template.id) === id) ?? null;

/**
 * Saves the schedule in a form, or a new one if `current` is null. Errors are part of the result.
 */
export async function saveSchedule(
  scope: ProjectScope,
  current: ScheduleView | null,
  values: FormValues,
): Promise<SubmittedForm<void>> {
  const expected = expectedOf(values);
  const template = templateOf(await listTemplates(scope), values.template_id);
  const value = scheduleInput(values, template, current);
  const saved = await saveForm({ ok: true, value, values, errors: {} }, async (value) => {
    if (template) {
      const given = openAnswers(template, values);
      const lists = await loadFormChoices(scope, template.id, taskPlace(values), "start");
      checkAnswers(withoutSecrets(template).survey_vars, { lists, given, manages: true });
    }
    const form = parseWith(scheduleForm, value);
    const manager = await reopen(scope, "manage_resources");
    if (current) await updateSchedule(manager, current.id, form, expected);
    else await createSchedule(manager, form);
  });
  if (saved.ok) return saved;
  const errors = paramErrors(saved.errors);
  return { ...saved, errors: template ? answerErrors(template, errors) : errors };
}

/** Schedules do not ask for secrets, because all members could read them. */
const withoutSecrets = (template: TemplateView): TemplateView => ({
  ...template,
  survey_vars: template.survey_vars.filter(({ type }) => type !== "secret"),
});
const openAnswers = (template: TemplateView, values: FormValues) =>
  startInput(template, values).environment as Record<string, unknown>;

interface Upcoming {
  /** Null while the input is blank or invalid. */
  upcoming: UpcomingRuns | null;
  errors: FormState["errors"];
}

/** Returns the next dates of a schedule with the typed values, or their errors. */
export async function upcomingOf(
  ui: Ui,
  scope: ProjectScope,
  { type = "", cron_format = "", timezone = "", run_at = "" }: FormValues,
): Promise<Upcoming> {
  if (type === "run_at") return upcomingOnce(timezone, run_at);
  if (cron_format.trim() === "") return { upcoming: null, errors: {} };
  const typed = { type: "", cron_format, timezone: timezone || null, run_at: null } as const;
  const form = await saveForm(
    { ok: true, value: typed, values: {}, errors: {} },
    (typed) => {
      const manager = withPermission(scope, "manage_resources");
      return Promise.resolve(previewCron(manager, parseWith(cronForm, typed)));
    },
  );
  if (!form.ok) return { upcoming: null, errors: form.errors };
  const { zone } = zonedPattern(cron_format, timezone);
  return { upcoming: { words: scheduleWords(ui, typed), runs: form.result, zone }, errors: {} };
}

function upcomingOnce(timezone: string, run_at: string): Upcoming {
  const { zone } = zonedPattern("", timezone);
  const at = momentOf(run_at, zone);
  return { upcoming: at === null ? null : { words: null, runs: [at], zone }, errors: {} };
}
