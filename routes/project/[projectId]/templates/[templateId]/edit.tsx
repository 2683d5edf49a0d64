import { KEY_LIST } from "@/components/keys/KeyRows.tsx";
import { keyErrorsAt } from "@/routes/(_pages)/resources/key_rows.ts";
import type { TemplateChoices } from "@/components/templates/template_choices.ts";
import { withCheckTimes } from "@/components/templates/ChecksFields.tsx";
import { TemplateForm } from "@/components/templates/TemplateForm.tsx";
import { PREVIEW } from "@/components/schedules/WhenFields.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import { define, type State } from "@/lib/web/state.ts";
import { expectedOf, refusedForm, withChoices } from "@/lib/web/forms/conflict.ts";
import { type FormState, newForm, parseValues, saveForm } from "@/lib/web/forms/form.ts";
import { LONG_FORM_BYTES_MAX, readForm } from "@/lib/web/forms/read_form.ts";
import { wayOn } from "@/lib/web/pages/back.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { onlyChoices } from "@/lib/web/forms/only_choices.ts";
import { withoutBlankRows, withoutGaps } from "@/lib/web/forms/rows.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { loadLatest } from "@/routes/(_pages)/resources/connection_tests.ts";
import { upcomingOf } from "@/routes/(_pages)/schedules/form.ts";
import { shownAgain, typedTimes, withTimeFields } from "@/routes/(_pages)/schedules/times.ts";
import { loadTemplateSchedules } from "@/routes/(_pages)/schedules/schedules.ts";
import { type Edited, readTemplates, templateForm } from "@/routes/(_pages)/templates/edit.ts";
import { saveTemplate } from "@/routes/(_pages)/templates/save.ts";
import { loadTemplateChoices, templateNames } from "@/routes/(_pages)/templates/templates.ts";
import { templatePageForm, withOtherRows } from "@/routes/(_pages)/templates/form.ts";
import { foldSurveyErrors, unfoldSurvey } from "@/routes/(_pages)/templates/survey_form.ts";
import { foldListErrors, unfoldLists } from "@/routes/(_pages)/templates/params.ts";
import { page } from "fresh";

/** Results of the form's buttons. */
interface Shown {
  found?: TemplateChoices["found"];
  /** The list that it has changed. */
  opened?: string;
}

/**
 * Renders the page with the typed values, or initially with the stored ones or the only choices.
 */
async function formPage(
  state: State,
  edited: Edited,
  typed?: FormState,
  { status = 200, ...shown }: { status?: number } & Shown = {},
) {
  const { current } = edited;
  const id = current?.id ?? null;
  const [choices, { schedules, isTyped }] = await Promise.all([
    loadTemplateChoices(state, current),
    loadTemplateSchedules(state.scope, id),
  ]);
  const form = typed ?? await templateForm(state, edited) ?? newForm(onlyChoices({
    inventory_id: choices.inventories,
    repository_id: choices.repositories,
    environment_id: choices.environments,
  }));
  const { values, errors } = form;
  const coming = await upcomingOf(state.ui, state.scope, values);
  const timed = {
    ...form,
    values: withTimeFields(values, ""),
    errors: { ...shown.opened === "schedule" && coming.errors, ...errors },
  };
  const { upcoming } = coming;
  return page(
    {
      current,
      choices,
      form: timed,
      errors,
      upcoming,
      untyped: isTyped ? [] : schedules,
      ...shown,
    },
    { status },
  );
}

export const handler = define.handlers({
  async GET({ state, params, url }) {
    const edited = await readTemplates(state, params.templateId, url);
    return await formPage(state, edited, restoredForm(state));
  },

  async POST(ctx) {
    const { state, params, url, req } = ctx;
    const edited = await readTemplates(state, params.templateId, url);
    const sent = await readForm(req, LONG_FORM_BYTES_MAX);
    const redrawn = withOtherRows(sent);
    if (redrawn) {
      const opened = sent.vault ? "vaults" : sent.ssh_key ? KEY_LIST : "survey_vars";
      return await formPage(state, edited, { values: redrawn, errors: {} }, { opened });
    }
    const { values: timed, errors } = typedTimes(sent);
    if (sent[PREVIEW] || Object.keys(errors).length > 0) {
      const { [PREVIEW]: preview, ...values } = shownAgain(sent, timed);
      const shown = { status: preview ? 200 : 422, opened: "schedule" };
      return await formPage(state, edited, { values, errors }, shown);
    }
    const { load = "", ...typed } = withoutBlankRows(
      withoutBlankRows(timed, "vaults"),
      KEY_LIST,
    );
    if (load !== "") {
      const found = await loadLatest(state.scope, typed);
      return await formPage(state, edited, { values: typed, errors: {} }, { found });
    }
    const stored = await templateForm(state, edited) ?? newForm();
    const values = withoutGaps(withChoices(typed, stored));
    const { shell: { project } } = state;
    const saved = await saveForm(
      parseValues(withCheckTimes(unfoldLists(unfoldSurvey(values))), templatePageForm),
      (form) => saveTemplate(state.scope, edited.current, form, expectedOf(values)),
      [400, 404, 409, 412],
    );
    if (!saved.ok) {
      const readNow = async () =>
        await templateForm(state, await readTemplates(state, params.templateId, url)) ?? newForm();
      const choices = templateNames(await loadTemplateChoices(state, null));
      const errors = keyErrorsAt(foldListErrors(foldSurveyErrors(saved.errors)), 0);
      const refused = await refusedForm(values, errors, readNow, () => choices);
      return await formPage(state, edited, refused.form, { status: refused.status });
    }
    const done = edited.current ? "flash.templates.saved" : "flash.templates.created";
    const { name = "" } = values;
    const end = wayOn(url, project.id) ?? paths.template(project.id, saved.result);
    return seeOther(ctx, end, done, { name });
  },
});

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
