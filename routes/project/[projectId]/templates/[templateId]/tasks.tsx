import { makeOnce } from "@/lib/access/sent_forms.ts";
import { reopen } from "@/lib/access/scope.ts";
import { REFRESH } from "@/components/surveys/SurveyAnswers.tsx";
import { StartTaskForm } from "@/components/tasks/StartTaskForm.tsx";
import { namedOptions } from "@/components/ui/forms/Choice.tsx";
import { runTitle } from "@/components/tasks/TypeIcon.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import { define, type State } from "@/lib/web/state.ts";
import { forbidden } from "@/lib/base/errors.ts";
import { type FormState, newForm, newOnce, saveForm } from "@/lib/web/forms/form.ts";
import { LONG_FORM_BYTES_MAX, readForm } from "@/lib/web/forms/read_form.ts";
import { localPath } from "@/lib/http/local_path.ts";
import { cameFrom } from "@/lib/web/pages/back.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { may } from "@/lib/web/shell.ts";
import { askedInForm } from "@/routes/(_pages)/survey_answers.ts";
import { againValues, answerErrors, startInput } from "@/routes/(_pages)/tasks_form.ts";
import { defaultAnswers } from "@/lib/surveys/answer_fields.ts";
import { inventoryService } from "@/lib/resources/inventories/service.ts";
import { parseStart } from "@/lib/tasks/start_form.ts";
import { getTask, listBuilds } from "@/lib/tasks/service.ts";
import { findAskedPersonal } from "@/lib/queue/inputs/personal_form.ts";
import { allowancesOf } from "@/lib/queue/inputs/overrides.ts";
import { startTask } from "@/lib/queue/start/start.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { suggestedBranches } from "@/lib/uses/branches.ts";
import { findStartTargets } from "@/lib/uses/start_targets.ts";
import { page } from "fresh";

/** Number of builds that a deploy may choose from. */
const BUILDS_SHOWN = 50;

async function readTemplate(state: State, idText: string): Promise<TemplateView> {
  if (!may(state.shell, "run_tasks")) throw forbidden();
  return await getTemplate(state.scope, pageId(idText));
}

async function formPage(
  state: State,
  template: TemplateView,
  form: FormState,
  { status = 200, refresh }: { status?: number; refresh?: string } = {},
) {
  const { build_template_id: templateId } = template;
  const inventoryId = Number(form.values.inventory_id) || null;
  const [builds, inventories, branches, targets, asked, personal] = await Promise.all([
    templateId === null ? [] : listBuilds(state.scope, templateId, BUILDS_SHOWN),
    inventoryService.list(state.scope),
    suggestedBranches(state.scope, template),
    findStartTargets(state.scope, template),
    askedInForm(state.scope, template, form.values, refresh),
    findAskedPersonal(state.scope, template.id, inventoryId),
  ]);
  const choices = { builds, inventories, branches };
  return page({ template, choices, targets, asked, personal, form }, { status });
}

export const handler = define.handlers({
  async GET(ctx) {
    const { state, params, url } = ctx;
    const template = await readTemplate(state, params.templateId);
    const typed = restoredForm(state);
    if (typed) return await formPage(state, template, typed);
    const from = url.searchParams.get("from");
    const values = from === null
      ? defaultAnswers(template.survey_vars)
      : againValues(await getTask(state.scope, pageId(from)));
    return await formPage(
      state,
      template,
      newForm({ ...values, ...newOnce(), back: cameFrom(ctx) }),
    );
  },

  async POST(ctx) {
    const { state } = ctx;
    const template = await readTemplate(state, ctx.params.templateId);
    const { [REFRESH]: refresh, ...values } = await readForm(ctx.req, LONG_FORM_BYTES_MAX);
    if (refresh) {
      const form = { values, errors: {}, isRedrawn: true };
      return await formPage(state, template, form, { refresh });
    }
    const { shell } = state;
    // Users who may change the template may reuse the values of the task that is started again.
    const from = ctx.url.searchParams.get("from");
    const id = from === null ? null : pageId(from);
    const started = await saveForm(
      { ok: true, value: startInput(template, values), values, errors: {} },
      async (input) => {
        const scope = await reopen(state.scope, "run_tasks");
        return await makeOnce(
          scope,
          `start ${template.id}`,
          values,
          (also) => startTask(scope, parseStart({ ...input, id }), also),
        );
      },
    );
    if (!started.ok) {
      const errors = answerErrors(template, started.errors);
      return await formPage(state, template, { values, errors }, { status: 422 });
    }
    return seeOther(ctx, paths.task(shell.project.id, template.id, started.result));
  },
});

export default define.page<typeof handler>(({ data, state, url }) => {
  const { ui, shell } = state;
  const { template, choices, targets, asked, personal, form } = data;
  const page = ui.href(paths.template(shell.project.id, template.id));
  const { back } = form.values;
  const cancel = back ? `${ui.href(localPath(back))}#template-${template.id}` : page;
  const title = runTitle(ui, template);
  return (
    <>
      <Title ui={ui} parts={[title, shell.project.name]} />
      <Dialog
        ui={ui}
        id="start-task"
        title={title}
        above={<Breadcrumb ui={ui} crumbs={[{ label: template.name, href: page }]} />}
        close={cancel}
      >
        <StartTaskForm
          ui={ui}
          form={form}
          template={template}
          asked={asked}
          targets={targets}
          personal={personal}
          {...choices}
          inventories={namedOptions(ui, choices.inventories)}
          mayRenew={may(shell, "manage_resources") || allowancesOf(template).skip_galaxy_install}
          action={ui.href(paths.startTask(shell.project.id, template.id)) + url.search}
          cancel={cancel}
        />
      </Dialog>
    </>
  );
});
