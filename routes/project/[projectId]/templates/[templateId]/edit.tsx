import {
  ADD_QUESTION,
  questionNumbers,
  REMOVE_QUESTION,
} from "@/components/templates/survey_rows.ts";
import { TemplateForm } from "@/components/templates/TemplateForm.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import { define, type State } from "@/lib/web/state.ts";
import { type FormState, newForm, parseValues, saveForm } from "@/lib/web/forms/form.ts";
import { LONG_FORM_BYTES_MAX, readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { may } from "@/lib/web/pages/shell.ts";
import { forbidden } from "@/lib/base/errors.ts";
import { loadTemplateSchedules } from "@/routes/(_pages)/schedules.ts";
import { loadTemplateChoices, onlyChoices, saveTemplate } from "@/routes/(_pages)/templates.ts";
import {
  foldChoiceErrors,
  templateFormObject,
  templatePageForm,
  unfoldChoices,
  withoutQuestion,
  withQuestion,
} from "@/routes/(_pages)/templates_form.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { page } from "fresh";

interface Edited {
  /** The template that is edited; null for a new one. */
  current: TemplateView | null;
  /** What a new one is copied from. */
  source: TemplateView | null;
}

async function readTemplates(state: State, idText: string, url: URL): Promise<Edited> {
  if (!may(state.shell, "manage_resources")) throw forbidden();
  const find = (id: number) => getTemplate(state.scope, id);
  const from = url.searchParams.get("from");
  return {
    current: idText === "new" ? null : await find(pageId(idText)),
    source: idText === "new" && from !== null ? await find(pageId(from)) : null,
  };
}

/** The page with what was typed; before that with what is stored, or with the only choices. */
async function formPage(
  state: State,
  { current, source }: Edited,
  typed?: FormState,
  status = 200,
) {
  const id = current?.id ?? null;
  const [choices, { schedules, isTyped }] = await Promise.all([
    loadTemplateChoices(state.scope, id),
    loadTemplateSchedules(state.scope, id),
  ]);
  const shown = current ?? source;
  const form = typed ?? newForm(
    shown ? templateFormObject(shown, isTyped ? schedules[0] : undefined) : onlyChoices(choices),
  );
  return page({ current, choices, form, untyped: isTyped ? [] : schedules }, { status });
}

export const handler = define.handlers({
  async GET({ state, params, url }) {
    return await formPage(state, await readTemplates(state, params.templateId, url));
  },

  async POST(ctx) {
    const { state, params, url, req } = ctx;
    const edited = await readTemplates(state, params.templateId, url);
    const { question = "", ...values } = await readForm(req, LONG_FORM_BYTES_MAX);
    if (question !== "") {
      const numbers = questionNumbers({ values, errors: {} });
      const changed = question === ADD_QUESTION
        ? withQuestion(values, numbers)
        : withoutQuestion(values, Number(question.slice(REMOVE_QUESTION.length)));
      return await formPage(state, edited, { values: changed, errors: {} });
    }
    const { shell: { project } } = state;
    const saved = await saveForm(
      parseValues(unfoldChoices(values), templatePageForm),
      (form) => saveTemplate(state.scope, edited.current, form),
      [400, 404, 409],
    );
    if (!saved.ok) {
      const errors = foldChoiceErrors(saved.errors);
      return await formPage(state, edited, { values, errors }, 422);
    }
    const done = edited.current ? "flash.templates.saved" : "flash.templates.created";
    const { name = "" } = values;
    return seeOther(ctx, paths.template(project.id, saved.result), done, { name });
  },
});

export default define.page<typeof handler>(({ data, state, url }) => {
  const { ui, shell } = state;
  const { current, choices, form, untyped } = data;
  const { id: projectId, name } = shell.project;
  const list = paths.section(projectId, "templates");
  const title = ui.t(current ? "templates.edit_title" : "templates.new_title");
  const back = ui.href(current ? paths.template(projectId, current.id) : list);
  const action = paths.editTemplate(projectId, current?.id ?? "new") + url.search;
  return (
    <>
      <Title ui={ui} parts={[title, name]} />
      <Dialog
        id="template-form"
        title={title}
        width="wide"
        above={
          <Breadcrumb ui={ui} crumbs={[{ label: ui.t("templates.title"), href: ui.href(list) }]} />
        }
        close={{ href: back, label: ui.t("actions.close") }}
      >
        <TemplateForm
          ui={ui}
          form={form}
          choices={choices}
          untyped={untyped}
          action={ui.href(action)}
          cancel={back}
          isNew={current === null}
        />
      </Dialog>
    </>
  );
});
