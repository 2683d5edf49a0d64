import { page } from "fresh";
import { RetryForm, retryLabel } from "@/components/tasks/RetryForm.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import { makeOnce } from "@/lib/access/sent_forms.ts";
import { reopen } from "@/lib/access/scope.ts";
import { conflict, forbidden } from "@/lib/base/errors.ts";
import { localPath } from "@/lib/http/local_path.ts";
import { parseWith } from "@/lib/base/parse.ts";
import { paths } from "@/lib/base/paths.ts";
import { findAskedPersonal } from "@/lib/queue/inputs/personal_form.ts";
import { findRetriable } from "@/lib/queue/again/retriable.ts";
import { retryTask } from "@/lib/queue/again/retry.ts";
import { retryForm } from "@/lib/tasks/retry_form.ts";
import { getTask } from "@/lib/tasks/service.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { type FormState, newForm, newOnce, saveForm } from "@/lib/web/forms/form.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { cameFrom } from "@/lib/web/pages/back.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { may } from "@/lib/web/shell.ts";
import { define, type State } from "@/lib/web/state.ts";
import { answerErrors, retryInput } from "@/routes/(_pages)/tasks_form.ts";

const DEFAULTS = { hosts: "not_ok", commit: "same" };

async function formPage(state: State, taskId: number, form: FormState, status = 200) {
  if (!may(state.shell, "run_tasks")) throw forbidden();
  const [task, retriable] = await Promise.all([
    getTask(state.scope, taskId),
    findRetriable(state.scope, taskId),
  ]);
  if (!retriable) throw conflict("errors.retry.none_not_ok", { id: taskId });
  const { survey_vars } = await getTemplate(state.scope, task.template_id);
  const titles = new Map(survey_vars.map(({ name, title }) => [name, title]));
  const questions = retriable.secrets.map((name) => ({ name, title: titles.get(name) ?? name }));
  const personal = await findAskedPersonal(state.scope, task.template_id, task.inventory_id);
  return page({ task, retriable, questions, personal, form }, { status });
}

/** Repeats a task on hosts that failed. A button of the task sends an empty form. */
export const handler = define.handlers({
  async GET(ctx) {
    const { state, params } = ctx;
    const blank = newForm({ ...DEFAULTS, ...newOnce(), back: cameFrom(ctx) });
    return await formPage(state, pageId(params.taskId), restoredForm(state) ?? blank);
  },

  async POST(ctx) {
    const { state } = ctx;
    const taskId = pageId(ctx.params.taskId);
    const scope = await reopen(state.scope, "run_tasks");
    const { template_id, project_id } = await getTask(scope, taskId);
    const values = await readForm(ctx.req);
    const started = await saveForm(
      { ok: true, value: retryInput(values), values, errors: {} },
      (input) =>
        makeOnce(
          scope,
          `retry ${taskId}`,
          values,
          (also) => retryTask(scope, taskId, parseWith(retryForm, input), { also }),
        ),
    );
    if (started.ok) return seeOther(ctx, paths.task(project_id, template_id, started.result));
    const errors = answerErrors(await getTemplate(scope, template_id), started.errors);
    return await formPage(state, taskId, { values: { ...DEFAULTS, ...values }, errors }, 422);
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell }, url }) => {
  const { task, retriable, questions, personal, form } = data;
  const own = ui.href(paths.taskPage(task.project_id, task.id));
  const { back } = form.values;
  const cancel = back ? ui.href(localPath(back)) : own;
  const title = retryLabel(ui, retriable.counts);
  return (
    <>
      <Title ui={ui} parts={[title, shell.project.name]} />
      <Dialog
        ui={ui}
        id="retry-task"
        title={title}
        width="medium"
        above={
          <Breadcrumb
            ui={ui}
            crumbs={[{ label: ui.t("tasks.title", { id: task.id }), href: own }]}
          />
        }
        close={cancel}
      >
        <RetryForm
          ui={ui}
          form={form}
          task={task}
          retriable={retriable}
          questions={questions}
          personal={personal}
          action={url.pathname}
          cancel={cancel}
        />
      </Dialog>
    </>
  );
});
