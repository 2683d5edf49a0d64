import { typedRule } from "@/components/access/RuleSection.tsx";
import { KEY_LIST } from "@/components/keys/KeyRows.tsx";
import { keyErrorsAt } from "@/routes/(_pages)/resources/key_rows.ts";
import type { TemplateChoices } from "@/components/templates/template_choices.ts";
import { withCheckTimes } from "@/components/templates/ChecksFields.tsx";
import { TemplateForm } from "@/components/templates/TemplateForm.tsx";
import { PREVIEW } from "@/components/schedules/WhenFields.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import { define } from "@/lib/web/state.ts";
import { newForm, parseValues } from "@/lib/web/forms/form.ts";
import { type FormValues, LONG_FORM_BYTES_MAX } from "@/lib/web/forms/read_form.ts";
import { wayOn } from "@/lib/web/pages/back.ts";
import { type Again, formPage } from "@/lib/web/pages/form_page.ts";
import { onlyChoices } from "@/lib/web/forms/only_choices.ts";
import { withoutBlankRows, withoutGaps } from "@/lib/web/forms/rows.ts";
import { paths } from "@/lib/base/paths.ts";
import { asMember } from "@/lib/web/rights.ts";
import { loadLatest } from "@/routes/(_pages)/resources/connection_tests.ts";
import { upcomingOf } from "@/routes/(_pages)/schedules/form.ts";
import { shownAgain, typedTimes, withTimeFields } from "@/routes/(_pages)/schedules/times.ts";
import { loadTemplateSchedules } from "@/routes/(_pages)/schedules/schedules.ts";
import { readTemplates, templateForm } from "@/routes/(_pages)/templates/edit.ts";
import { saveTemplate } from "@/routes/(_pages)/templates/save.ts";
import { loadTemplateChoices, templateNames } from "@/routes/(_pages)/templates/templates.ts";
import { templatePageForm, withOtherRows } from "@/routes/(_pages)/templates/form.ts";
import { foldSurveyErrors, unfoldSurvey } from "@/routes/(_pages)/templates/survey_form.ts";
import { foldListErrors, unfoldLists } from "@/routes/(_pages)/templates/params.ts";

/** Parts of the page that only the answer to one of the form's buttons has. */
interface Pressed {
  found?: TemplateChoices["found"];
  /** The list that it has changed, or the schedule. */
  opened?: string;
}

export const handler = formPage({
  rights: asMember("manage_resources"),
  find: (scope, { params, url }) => readTemplates(scope, params.templateId, url),
  shown: (edited, { state: { scope } }) => templateForm(scope, edited),
  bytesMax: LONG_FORM_BYTES_MAX,
  async button(sent, _edited, { state: { scope } }): Promise<Again<Pressed> | null> {
    const redrawn = withOtherRows(sent);
    if (redrawn) {
      const opened = sent.vault ? "vaults" : sent.ssh_key ? KEY_LIST : "survey_vars";
      return { form: { values: redrawn, errors: {} }, extra: { opened } };
    }
    const { [PREVIEW]: preview, ...typed } = sent;
    const { values, errors } = typedTimes(typed);
    if (preview) {
      return { form: { values: shownAgain(typed, values), errors }, extra: { opened: "schedule" } };
    }
    if (!sent.load || Object.keys(errors).length > 0) return null;
    const whole = tidied(sent);
    const found = await loadLatest(scope, whole);
    return { form: { values: whole, errors: {} }, extra: { found } };
  },
  read: (sent) => withoutGaps(tidied(sent)),
  parse(typed) {
    const { errors } = typedTimes(typed);
    if (Object.keys(errors).length > 0) return { ok: false, values: typed, errors };
    return parseValues(withCheckTimes(unfoldLists(unfoldSurvey(typed))), templatePageForm);
  },
  save: ({ scope, value, typed, found: { current }, expected }) =>
    saveTemplate(scope, current, { ...value, ...typedRule(typed, value) }, expected),
  shownStatuses: [400, 404, 409, 412],
  errorsAt: (errors) => keyErrorsAt(foldListErrors(foldSurveyErrors(errors)), 0),
  choices: async (_edited, { state }) => templateNames(await loadTemplateChoices(state, null)),
  next: ({ ctx: { url }, scope: { projectId }, typed, found: { current }, result }) => [
    wayOn(url, projectId) ?? paths.template(projectId, result),
    `flash.templates.${current ? "saved" : "created"}`,
    { name: typed.name ?? "" },
  ],
  async beside(sent, { current }, { state }, pressed: Pressed = {}) {
    const { ui, scope } = state;
    const [choices, { schedules, isTyped }] = await Promise.all([
      loadTemplateChoices(state, current),
      loadTemplateSchedules(scope, current?.id ?? null),
    ]);
    // Only a new form has no value, because one that was sent always has a type.
    const { values, errors } = Object.keys(sent.values).length > 0 ? sent : newForm(onlyChoices({
      inventory_id: choices.inventories,
      repository_id: choices.repositories,
      environment_id: choices.environments,
    }));
    const { upcoming, errors: wrong } = await upcomingOf(ui, scope, values);
    const form = {
      ...sent,
      values: withTimeFields(values, ""),
      errors: { ...pressed.opened === "schedule" && wrong, ...errors },
    };
    return { choices, form, errors, upcoming, untyped: isTyped ? [] : schedules, ...pressed };
  },
});

/** Returns the sent values with a cron format, without blank rows and the pressed button. */
function tidied({ load: _load, ...sent }: FormValues): FormValues {
  return withoutBlankRows(withoutBlankRows(typedTimes(sent).values, "vaults"), KEY_LIST);
}

export default define.page<typeof handler>(({ data, state, url }) => {
  const { ui, shell } = state;
  const { current, form, errors, upcoming, untyped, opened, found } = data;
  const { id: projectId, name } = shell.project;
  const list = paths.section(projectId, "templates");
  const title = ui.t(current ? "templates.edit_title" : "templates.new_title");
  const end = current ? paths.template(projectId, current.id) : list;
  const back = ui.href(wayOn(url, projectId) ?? end);
  const action = paths.editTemplate(projectId, current?.id ?? "new") + url.search;
  const suggestions = ui.href(paths.playbooks(projectId));
  return (
    <>
      <Title ui={ui} parts={[title, name]} />
      <Dialog
        ui={ui}
        id="template-form"
        title={title}
        width="wide"
        above={
          <Breadcrumb ui={ui} crumbs={[{ label: ui.t("templates.title"), href: ui.href(list) }]} />
        }
        close={back}
      >
        <TemplateForm
          ui={ui}
          form={form}
          errors={errors}
          choices={{ ...data.choices, suggestions, found }}
          untyped={untyped}
          opened={opened}
          upcoming={upcoming}
          action={ui.href(action)}
          cancel={back}
          isNew={current === null}
        />
      </Dialog>
    </>
  );
});
