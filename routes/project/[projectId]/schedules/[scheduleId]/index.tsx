import { page } from "fresh";
import { checksHref } from "@/components/schedules/ScheduleCell.tsx";
import { ScheduleForm } from "@/components/schedules/ScheduleForm.tsx";
import { REFRESH } from "@/components/surveys/SurveyAnswers.tsx";
import { PREVIEW } from "@/components/schedules/WhenFields.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { serverTimeZone } from "@/lib/triggers/schedules/zone.ts";
import type { ScheduleView } from "@/lib/triggers/schedules/schema.ts";
import { getSchedule } from "@/lib/triggers/schedules/service.ts";
import { versionOf } from "@/lib/base/version.ts";
import { refusedForm, storedForm, withChoices } from "@/lib/web/forms/conflict.ts";
import { type FormState, newForm } from "@/lib/web/forms/form.ts";
import { onlyChoices } from "@/lib/web/forms/only_choices.ts";
import { chosenValue, targetChoices } from "@/lib/triggers/trigger_target.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { LONG_FORM_BYTES_MAX, readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { define, type State } from "@/lib/web/state.ts";
import {
  loadScheduleChoices,
  saveSchedule,
  upcomingOf,
  wantedTemplate,
  wantedWorkflow,
} from "@/routes/(_pages)/schedule_form.ts";
import {
  shownAgain,
  typedTimes,
  USUAL_CRON,
  withTimeFields,
} from "@/routes/(_pages)/schedule_times.ts";
import { scheduleValues } from "@/routes/(_pages)/schedule_values.ts";
import { loadTargets } from "@/routes/(_pages)/targets.ts";

/** Returns the schedule to change; null for a new one. */
async function readSchedule({ shell, scope }: State, idText: string) {
  requirePermission(shell, "manage_resources");
  return idText === "new" ? null : await getSchedule(scope, pageId(idText));
}

async function formPage(
  state: State,
  schedule: ScheduleView | null,
  sent: FormState,
  { status = 200, refresh }: { status?: number; refresh?: string } = {},
) {
  const { values, errors } = sent;
  const [choices, coming] = await Promise.all([
    loadScheduleChoices(state, values, refresh),
    upcomingOf(state.ui, state.scope, values),
  ]);
  const form = {
    ...sent,
    values: withTimeFields(values),
    errors: { ...coming.errors, ...errors },
  };
  return page({ schedule, form, errors, upcoming: coming.upcoming, ...choices }, { status });
}

/** Returns the form of a stored schedule. */
const formOf = (schedule: ScheduleView): FormState =>
  storedForm(scheduleValues(schedule), versionOf(schedule));

/** Returns the form of a new schedule, of the wanted or the only template or workflow. */
async function blankForm(state: State, url: URL): Promise<FormState> {
  const only = onlyChoices({ template_id: targetChoices(await loadTargets(state)) });
  const target = { template_id: wantedTemplate(url), workflow_id: wantedWorkflow(url) };
  const wanted = chosenValue(target);
  return newForm({
    ...only,
    ...wanted && { template_id: wanted },
    cron_format: USUAL_CRON,
    timezone: proposedZone(state.ui),
    missed: "skip",
    active: "on",
  });
}

/**
 * Time zone that a new schedule proposes: that of the account or the browser. It is blank for the
 * server's, and while neither is known.
 */
const proposedZone = ({ timeZone }: Ui): string =>
  [serverTimeZone(), "UTC"].includes(timeZone) ? "" : timeZone;

export const handler = define.handlers({
  async GET(ctx) {
    const { state, params, url } = ctx;
    const schedule = await readSchedule(state, params.scheduleId);
    const checks = schedule && checksHref(state.ui, schedule);
    if (checks) return ctx.redirect(checks, 303);
    const form = restoredForm(state) ?? (schedule ? formOf(schedule) : await blankForm(state, url));
    return await formPage(state, schedule, form);
  },

  async POST(ctx) {
    const { state, params, req, url } = ctx;
    const schedule = await readSchedule(state, params.scheduleId);
    const { [PREVIEW]: preview, [REFRESH]: refresh, ...typed } = await readForm(
      req,
      LONG_FORM_BYTES_MAX,
    );
    const { values: timed, errors } = typedTimes(typed);
    const values = withChoices(timed, schedule ? formOf(schedule) : newForm());
    const isRedrawn = Boolean(preview || refresh);
    if (isRedrawn || Object.keys(errors).length > 0) {
      const shown = shownAgain(typed, values);
      const status = isRedrawn ? 200 : 422;
      return await formPage(state, schedule, { values: shown, errors }, { status, refresh });
    }
    const saved = await saveSchedule(state.scope, schedule, values);
    if (!saved.ok) {
      const readNow = async () => formOf(await getSchedule(state.scope, schedule!.id));
      const { repositories: repository_id, inventories: inventory_id, ...targets } =
        await loadScheduleChoices(state, values);
      const choices = { template_id: targetChoices(targets), repository_id, inventory_id };
      const refused = await refusedForm(values, saved.errors, readNow, choices);
      return await formPage(state, schedule, refused.form, refused);
    }
    const done = schedule ? "flash.schedules.saved" : "flash.schedules.created";
    return seeOther(ctx, paths.schedules(state.scope.projectId, wantedTemplate(url)), done);
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell }, url }) => {
  const { schedule, ...form } = data;
  const { id: projectId, name } = shell.project;
  const templateId = wantedTemplate(url);
  const list = ui.href(paths.schedules(projectId, templateId));
  const title = ui.t(schedule ? "schedules.edit" : "schedules.new");
  return (
    <>
      <Title ui={ui} parts={[title, schedule?.name, name]} />
      <Dialog
        ui={ui}
        id="schedule-form"
        title={title}
        width="medium"
        above={<Breadcrumb ui={ui} crumbs={[{ label: ui.t("sections.schedules"), href: list }]} />}
        close={list}
      >
        <ScheduleForm
          {...form}
          ui={ui}
          action={ui.href(paths.schedule(projectId, schedule?.id ?? "new", templateId))}
          cancel={list}
          isNew={schedule === null}
        />
      </Dialog>
    </>
  );
});
