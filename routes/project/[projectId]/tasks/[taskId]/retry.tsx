import { RetryForm, retryLabel } from "@/components/tasks/RetryForm.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import { makeOnce } from "@/lib/access/sent_forms.ts";
import { conflict } from "@/lib/base/errors.ts";
import { localPath } from "@/lib/http/local_path.ts";
import { parseWith } from "@/lib/base/parse.ts";
import { paths } from "@/lib/base/paths.ts";
import { findRetriable } from "@/lib/queue/again/retriable.ts";
import { retryTask } from "@/lib/queue/again/retry.ts";
import { findAskedPersonal } from "@/lib/queue/inputs/personal_form.ts";
import { retryForm } from "@/lib/tasks/retry_form.ts";
import { getTask } from "@/lib/tasks/service.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { newForm, newOnce } from "@/lib/web/forms/form.ts";
import { cameFrom } from "@/lib/web/pages/back.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";
import { define } from "@/lib/web/state.ts";
import { answerErrors, retryInput } from "@/routes/(_pages)/tasks/form.ts";

const DEFAULTS = { hosts: "not_ok", commit: "same" };

/** Repeats a task on hosts that failed. A button of the task sends an empty form. */
export const handler = formPage({
  rights: asMember("run_tasks"),
  find: async (scope, { params }) => ({ task: await getTask(scope, pageId(params.taskId)) }),
  shown: (_found, ctx) => newForm({ ...DEFAULTS, ...newOnce(), back: cameFrom(ctx) }),
  read: (sent) => ({ ...DEFAULTS, ...sent }),
  save: ({ scope, typed, found: { task: { id } } }) =>
    makeOnce(
      scope,
      `retry ${id}`,
      typed,
      (also) => retryTask(scope, id, parseWith(retryForm, retryInput(typed)), { also }),
    ),
  errorsAt: async (errors, _typed, { task }, { state: { scope } }) =>
    answerErrors(await getTemplate(scope, task.template_id), errors),
  next: ({ found: { task }, result }) => [paths.task(task.project_id, task.template_id, result)],
  async beside(_form, { task }, { state: { scope } }) {
    const retriable = await findRetriable(scope, task.id);
    if (!retriable) throw conflict("errors.retry.none_not_ok", { id: task.id });
    const { survey_vars } = await getTemplate(scope, task.template_id);
    const titles = new Map(survey_vars.map(({ name, title }) => [name, title]));
    const questions = retriable.secrets.map((name) => ({ name, title: titles.get(name) ?? name }));
    const personal = await findAskedPersonal(scope, task.template_id, task.inventory_id);
    return { retriable, questions, personal };
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
