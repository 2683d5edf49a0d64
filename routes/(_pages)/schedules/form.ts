import type { UpcomingRuns } from "@/components/schedules/WhenFields.tsx";
import { scheduleWords } from "@/components/schedules/ScheduleCell.tsx";
import { daysIn, paramErrors, type ScheduledTarget, scheduleInput } from "./values.ts";
import { askedByWorkflow, askedInForm, taskContext } from "../tasks/survey_answers.ts";
import { answerErrors } from "../tasks/form.ts";
import { type ProjectScope, withPermission } from "@/lib/access/scope.ts";
import type { Expected } from "@/lib/base/version.ts";
import { listNumber } from "@/lib/base/lists/list_query.ts";
import { parseWith } from "@/lib/base/parse.ts";
import { loadTargets } from "./targets.ts";
import type { State } from "@/lib/web/state.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { inventoryService } from "@/lib/resources/inventories/service.ts";
import { repositoryService } from "@/lib/resources/repositories/service.ts";
import { answersIn, withoutBlankAnswers } from "@/lib/surveys/answer_fields.ts";
import type { SurveyVar } from "@/lib/surveys/schema.ts";
import { chosenTarget } from "@/lib/triggers/trigger_target.ts";
import { loadRunChoices } from "@/lib/workflows/runs/answers.ts";
import { findWorkflow } from "@/lib/workflows/service.ts";
import { validateAnswers } from "@/lib/surveys/answers.ts";
import { loadFormChoices } from "@/lib/queue/inputs/survey_context.ts";
import { listBuilds } from "@/lib/tasks/service.ts";
import { findTemplate } from "@/lib/templates/service.ts";
import { cronForm, scheduleForm, type ScheduleView } from "@/lib/triggers/schedules/schema.ts";
import { createSchedule, previewCron, updateSchedule } from "@/lib/triggers/schedules/service.ts";
import { momentOf, zonedPattern } from "@/lib/triggers/schedules/zone.ts";
import { suggestedBranches } from "@/lib/uses/branches.ts";
import { type FormErrors, type FormState, saveForm } from "@/lib/web/forms/form.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";

/**
 * Returns the template whose schedules the form was opened from; null for the list of all
 * schedules.
 */
export const wantedTemplate = (url: URL): number | null =>
  listNumber().parse(url.searchParams.get("template")) ?? null;

/** Returns the workflow that the form was opened for. */
export const wantedWorkflow = (url: URL): number | null =>
  listNumber().parse(url.searchParams.get("workflow")) ?? null;

/** Number of builds that a deploy may choose from. */
const BUILDS_SHOWN = 50;

/** Loads the choices of a schedule's form for the template or workflow selected in it. */
export async function loadScheduleChoices(
  state: Pick<State, "scope" | "ui">,
  values: FormValues,
  refresh?: string,
) {
  const { scope } = state;
  const [targets, { template, workflow }, repositories, inventories] = await Promise.all([
    loadTargets(state),
    targetIn(scope, values),
    repositoryService.list(scope),
    inventoryService.list(scope),
  ]);
  const builds = template?.build_template_id
    ? await listBuilds(scope, template.build_template_id, BUILDS_SHOWN)
    : [];
  const given = withoutBlankAnswers((template ?? workflow)?.survey_vars ?? [], values);
  const asked = template
    ? await askedInForm(scope, withoutSecrets(template), given, refresh)
    : workflow
    ? await askedByWorkflow(scope, withoutSecrets(workflow), given, refresh)
    : [];
  const branches = await suggestedBranches(scope, template);
  return { ...targets, template, workflow, repositories, inventories, branches, builds, asked };
}

/** Returns the chosen template, or else the workflow. */
async function targetIn(scope: ProjectScope, values: FormValues): Promise<ScheduledTarget> {
  const { template_id, workflow_id } = chosenTarget(values.template_id);
  const [template, workflow] = await Promise.all([
    template_id === null ? null : findTemplate(scope, template_id),
    workflow_id === null ? null : findWorkflow(scope, workflow_id),
  ]);
  return { template, workflow };
}

/** Saves the schedule in a form, or a new one if `current` is null. */
export async function saveSchedule(
  scope: ProjectScope<"manage_triggers">,
  current: ScheduleView | null,
  values: FormValues,
  expected: Expected,
): Promise<void> {
  const target = await targetIn(scope, values);
  const { template, workflow } = target;
  const filled = withoutBlankAnswers((template ?? workflow)?.survey_vars ?? [], values);
  if (template) {
    const given = answersIn(template.survey_vars, filled, "open");
    const lists = await loadFormChoices(scope, template.id, taskContext(values), "start");
    validateAnswers(withoutSecrets(template).survey_vars, { lists, given, manages: true });
  } else if (workflow) {
    const given = answersIn(workflow.survey_vars, filled, "open");
    const lists = await loadRunChoices(scope, workflow.id, "start");
    validateAnswers(withoutSecrets(workflow).survey_vars, { lists, given, manages: false });
  }
  const form = parseWith(scheduleForm, scheduleInput(values, target, current));
  if (current) await updateSchedule(scope, current.id, form, expected);
  else await createSchedule(scope, form);
}

/** Moves errors of a schedule's settings and answers to their fields. */
export async function scheduleErrors(scope: ProjectScope, values: FormValues, found: FormErrors) {
  const errors = paramErrors(found);
  const { template, workflow } = await targetIn(scope, values);
  const survey = template ?? workflow;
  return survey ? answerErrors(survey, errors) : errors;
}

/** Schedules do not ask for secrets, because all members could read them. */
const withoutSecrets = <Target extends { survey_vars: SurveyVar[] }>(target: Target): Target => ({
  ...target,
  survey_vars: target.survey_vars.filter(({ type }) => type !== "secret"),
});

interface Upcoming {
  /** Null while the input is blank or invalid. */
  upcoming: UpcomingRuns | null;
  errors: FormState["errors"];
}

/** Returns the next dates of a schedule with the typed values, or their errors. */
export async function upcomingOf(
  ui: Ui,
  scope: ProjectScope,
  { type = "", cron_format = "", timezone = "", run_at = "", ...others }: FormValues,
): Promise<Upcoming> {
  if (type === "run_at") return upcomingOnce(timezone, run_at);
  if (cron_format.trim() === "") return { upcoming: null, errors: {} };
  const times = { type: "", cron_format, timezone: timezone || null, run_at: null } as const;
  const typed = { ...times, offset_days: daysIn(others) };
  const form = await saveForm(
    { ok: true, value: typed, values: {}, errors: {} },
    (typed) => {
      const manager = withPermission(scope, "manage_triggers");
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
