import {
  ADD_QUESTION,
  questionNumbers,
  REMOVE_QUESTION,
} from "@/components/templates/SurveyFields.tsx";
import { TemplateForm } from "@/components/templates/TemplateForm.tsx";
import { Breadcrumb, PageHeader, Title } from "@/components/ui/Page.tsx";
import { define, signedIn, type State } from "@/lib/deps.ts";
import { type FormState, newForm, parseValues, readForm, saveForm } from "@/lib/http/form.ts";
import { pageId } from "@/lib/http/page_ids.ts";
import { paths } from "@/lib/http/paths.ts";
import { seeOther } from "@/lib/http/see_other.ts";
import { may } from "@/lib/http/shell.ts";
import { forbidden } from "@/lib/errors.ts";
import { loadTemplateChoices, onlyChoices } from "@/lib/templates/page.ts";
import {
  foldChoiceErrors,
  templateFormObject,
  templatePageForm,
  unfoldChoices,
  withoutQuestion,
  withQuestion,
} from "@/lib/templates/page_form.ts";
import { templateForm, type TemplateView } from "@/lib/templates/schema.ts";
import { createTemplate, getTemplate, updateTemplate } from "@/lib/templates/service.ts";
import { page } from "fresh";

/** The template that is edited, or null for a new one; and what a new one is copied from. */
async function readTemplates(state: State, idText: string, url: URL) {
  if (!may(state.shell, "manage_resources")) throw forbidden();
  const { id: projectId } = state.shell.project;
  const find = (id: number) => getTemplate(state.deps, signedIn(state), projectId, id);
  const from = url.searchParams.get("from");
  return {
    current: idText === "new" ? null : await find(pageId(idText)),
    source: idText === "new" && from !== null ? await find(pageId(from)) : null,
  };
}

async function formPage(state: State, current: TemplateView | null, form: FormState, status = 200) {
  const { id: projectId } = state.shell.project;
  const choices = await loadTemplateChoices(
    state.deps,
    signedIn(state),
    projectId,
    current?.id ?? null,
  );
  return page({ current, choices, form }, { status });
}

export const handler = define.handlers({
  async GET({ state, params, url }) {
    const { current, source } = await readTemplates(state, params.templateId, url);
    const shown = current ?? source;
    if (shown) return await formPage(state, current, newForm(templateFormObject(shown)));
    const { id: projectId } = state.shell.project;
    const choices = await loadTemplateChoices(state.deps, signedIn(state), projectId, null);
    return page({ current, choices, form: newForm(onlyChoices(choices)) });
  },

  async POST(ctx) {
    const { state, params, url, req } = ctx;
    const { current } = await readTemplates(state, params.templateId, url);
    const { question = "", ...values } = await readForm(req);
    if (question !== "") {
      const numbers = questionNumbers({ values, errors: {} });
      const changed = question === ADD_QUESTION
        ? withQuestion(values, numbers)
        : withoutQuestion(values, Number(question.slice(REMOVE_QUESTION.length)));
      return await formPage(state, current, { values: changed, errors: {} });
    }
    const { deps, shell } = state;
    const actor = signedIn(state);
    const projectId = shell.project.id;
    const saved = await saveForm(
      parseValues(unfoldChoices(values), templatePageForm),
      async (form) => {
        if (!current) return (await createTemplate(deps, actor, projectId, form)).id;
        // What this form does not show stays as it is.
        const task_params = templateForm.shape.task_params.parse(current.task_params);
        await updateTemplate(deps, actor, projectId, current.id, { ...form, task_params });
        return current.id;
      },
      [400, 404, 409],
    );
    if (!saved.ok) {
      const form = { values, errors: foldChoiceErrors(saved.errors) };
      return await formPage(state, current, form, 422);
    }
    const done = current ? "flash.templates.saved" : "flash.templates.created";
    return seeOther(ctx, paths.template(projectId, saved.result), done, {
      name: values.name ?? "",
    });
  },
});

export default define.page<typeof handler>(({ data, state, url }) => {
  const { ui, shell } = state;
  const { current, choices, form } = data;
  const { id: projectId, name } = shell.project;
  const list = paths.section(projectId, "templates");
  const title = ui.t(current ? "templates.edit_title" : "templates.new_title");
  const action = paths.editTemplate(projectId, current?.id ?? "new") + url.search;
  return (
    <>
      <Title ui={ui} parts={[title, name]} />
      <PageHeader
        title={title}
        above={
          <Breadcrumb ui={ui} crumbs={[{ label: ui.t("templates.title"), href: ui.href(list) }]} />
        }
      />
      <TemplateForm
        ui={ui}
        form={form}
        choices={choices}
        action={ui.href(action)}
        cancel={ui.href(current ? paths.template(projectId, current.id) : list)}
        isNew={current === null}
      />
    </>
  );
});
