import { reopen } from "@/lib/access/scope.ts";
import { answerName, StartTaskForm } from "@/components/tasks/StartTaskForm.tsx";
import { runLabel } from "@/components/templates/TypeIcon.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import { define, type State } from "@/lib/web/state.ts";
import { forbidden } from "@/lib/base/errors.ts";
import { type FormState, formValues, saveForm } from "@/lib/web/forms/form.ts";
import { LONG_FORM_BYTES_MAX, readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { may } from "@/lib/web/pages/shell.ts";
import { answerErrors, startInput } from "@/routes/(_pages)/tasks_form.ts";
import { getTask, listBuilds } from "@/lib/tasks/service.ts";
import { startTask } from "@/lib/queue/start.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { page } from "fresh";

/** Builds that a deploy may choose from. */
const BUILDS_SHOWN = 50;

async function readTemplate(state: State, idText: string): Promise<TemplateView> {
  if (!may(state.shell, "run_tasks")) throw forbidden();
  return await getTemplate(state.scope, pageId(idText));
}

async function formPage(state: State, template: TemplateView, form: FormState, status = 200) {
  const { build_template_id: templateId } = template;
  const builds = templateId === null ? [] : await listBuilds(state.scope, templateId, BUILDS_SHOWN);
  return page({ template, builds, form }, { status });
}

export const handler = define.handlers({
  async GET({ state, params, url }) {
    const template = await readTemplate(state, params.templateId);
    const from = url.searchParams.get("from");
    if (from === null) {
      const defaults = template.survey_vars.map(({ name, default_value }) =>
        [answerName(name), default_value] as const
      );
      return await formPage(state, template, { values: Object.fromEntries(defaults), errors: {} });
    }
    const task = await getTask(state.scope, pageId(from));
    const { message, build_task_id, debug, dry_run, diff, arguments: args } = task;
    const answers = JSON.parse(task.environment) as Record<string, unknown>;
    const again = { message, build_task_id, debug, dry_run, diff, arguments: args, answers };
    return await formPage(state, template, { values: formValues(again), errors: {} });
  },

  async POST(ctx) {
    const { state } = ctx;
    const template = await readTemplate(state, ctx.params.templateId);
    const values = await readForm(ctx.req, LONG_FORM_BYTES_MAX);
    const { shell } = state;
    const started = await saveForm(
      { ok: true, value: startInput(template, values), values, errors: {} },
      async (input) => startTask(await reopen(state.scope, "run_tasks"), input),
    );
    if (!started.ok) {
      const errors = answerErrors(template, started.errors);
      return await formPage(state, template, { values, errors }, 422);
    }
    return seeOther(ctx, paths.task(shell.project.id, template.id, started.result.id));
  },
});

export default define.page<typeof handler>(({ data, state, url }) => {
  const { ui, shell } = state;
  const { template, builds, form } = data;
  const back = ui.href(paths.template(shell.project.id, template.id));
  const title = ui.t("start_task.title");
  return (
    <>
      <Title ui={ui} parts={[title, template.name, shell.project.name]} />
      <Dialog
        id="start-task"
        title={`${runLabel(ui, template.type)}: ${template.name}`}
        above={<Breadcrumb ui={ui} crumbs={[{ label: template.name, href: back }]} />}
        close={{ href: back, label: ui.t("actions.close") }}
      >
        <StartTaskForm
          ui={ui}
          form={form}
          template={template}
          builds={builds}
          action={ui.href(paths.startTask(shell.project.id, template.id)) + url.search}
          cancel={back}
        />
      </Dialog>
    </>
  );
});
