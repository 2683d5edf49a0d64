import { checksHref } from "@/components/schedules/ScheduleCell.tsx";
import { ScheduleForm } from "@/components/schedules/ScheduleForm.tsx";
import { PREVIEW } from "@/components/schedules/WhenFields.tsx";
import { REFRESH } from "@/components/surveys/SurveyAnswers.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import { withPermission } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { versionOf } from "@/lib/base/version.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { getSchedule } from "@/lib/triggers/schedules/service.ts";
import { serverTimeZone } from "@/lib/triggers/schedules/zone.ts";
import { chosenValue, targetChoices } from "@/lib/triggers/trigger_target.ts";
import { storedForm } from "@/lib/web/forms/conflict.ts";
import { type FormState, newForm, type ParsedForm } from "@/lib/web/forms/form.ts";
import { onlyChoices } from "@/lib/web/forms/only_choices.ts";
import { type FormValues, LONG_FORM_BYTES_MAX } from "@/lib/web/forms/read_form.ts";
import { wayOn } from "@/lib/web/pages/back.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";
import { define, type State } from "@/lib/web/state.ts";
import {
  loadScheduleChoices,
  saveSchedule,
  scheduleErrors,
  upcomingOf,
  wantedTemplate,
  wantedWorkflow,
} from "@/routes/(_pages)/schedules/form.ts";
import {
  shownAgain,
  typedTimes,
  USUAL_CRON,
  withTimeFields,
} from "@/routes/(_pages)/schedules/times.ts";
import { scheduleValues } from "@/routes/(_pages)/schedules/values.ts";
import { loadTargets } from "@/routes/(_pages)/schedules/targets.ts";

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

const form = formPage({
  rights: asMember("manage_triggers"),
  find: async (scope, { params: { scheduleId } }) => ({
    schedule: scheduleId === "new" ? null : await getSchedule(scope, pageId(scheduleId)),
  }),
  shown: ({ schedule }, { state, url }) =>
    schedule ? storedForm(scheduleValues(schedule), versionOf(schedule)) : blankForm(state, url),
  bytesMax: LONG_FORM_BYTES_MAX,
  button({ [PREVIEW]: preview, [REFRESH]: refresh, ...sent }) {
    if (!preview && !refresh) return null;
    const { values, errors } = typedTimes(sent);
    return { form: { values: shownAgain(sent, values), errors }, extra: refresh };
  },
  read: (sent) => typedTimes(sent).values,
  parse(typed): ParsedForm<FormValues> {
    const { errors } = typedTimes(typed);
    return Object.keys(errors).length > 0
      ? { ok: false, values: typed, errors }
      : { ok: true, value: typed, values: typed, errors: {} };
  },
  save: ({ scope, value, found: { schedule }, expected }) =>
    saveSchedule(scope, schedule, value, expected),
  errorsAt: (errors, typed, _found, { state: { scope } }) => scheduleErrors(scope, typed, errors),
  async choices(_found, { state }, typed) {
    const { repositories: repository_id, inventories: inventory_id, ...targets } =
      await loadScheduleChoices(state, typed);
    return { template_id: targetChoices(targets), repository_id, inventory_id };
  },
  next: ({ scope, found: { schedule }, ctx: { url } }) => [
    wayOn(url, scope.projectId) ?? paths.schedules(scope.projectId, wantedTemplate(url)),
    `flash.schedules.${schedule ? "saved" : "created"}`,
  ],
  async beside(sent, _found, { state }, refresh) {
    const { values, errors } = sent;
    const [choices, { upcoming, errors: wrong }] = await Promise.all([
      loadScheduleChoices(state, values, refresh),
      upcomingOf(state.ui, state.scope, values),
    ]);
    const form = { ...sent, values: withTimeFields(values), errors: { ...wrong, ...errors } };
    return { form, errors, upcoming, ...choices };
  },
});

/** Schedules of checks have the form of their template instead. */
export const handler = define.handlers({
  ...form,
  async GET(ctx) {
    const { state: { ui, scope }, params: { scheduleId } } = ctx;
    const manager = withPermission(scope, "manage_triggers");
    const checks = scheduleId !== "new" &&
      checksHref(ui, await getSchedule(manager, pageId(scheduleId)));
    return checks ? ctx.redirect(checks, 303) : await form.GET(ctx);
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell }, url }) => {
  const { schedule, ...form } = data;
  const { id: projectId, name } = shell.project;
  const list = ui.href(paths.schedules(projectId, wantedTemplate(url)));
  const back = wayOn(url, projectId);
  const end = back ? ui.href(back) : list;
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
        close={end}
      >
        <ScheduleForm
          {...form}
          ui={ui}
          action={url.pathname + url.search}
          cancel={end}
          isNew={schedule === null}
        />
      </Dialog>
    </>
  );
});
