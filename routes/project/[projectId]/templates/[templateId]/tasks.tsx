import { REFRESH } from "@/components/surveys/SurveyAnswers.tsx";
import { StartTaskForm } from "@/components/tasks/StartTaskForm.tsx";
import { runTitle } from "@/components/tasks/TypeIcon.tsx";
import { namedOptions } from "@/components/ui/forms/Choice.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Breadcrumb, Title } from "@/components/ui/Page.tsx";
import { makeOnce } from "@/lib/access/sent_forms.ts";
import { localPath } from "@/lib/http/local_path.ts";
import { paths } from "@/lib/base/paths.ts";
import { allowancesOf } from "@/lib/queue/inputs/overrides.ts";
import { findAskedPersonal } from "@/lib/queue/inputs/personal_form.ts";
import { startTask } from "@/lib/queue/start/start.ts";
import { inventoryService } from "@/lib/resources/inventories/service.ts";
import { defaultAnswers } from "@/lib/surveys/answer_fields.ts";
import { getTask, listBuilds } from "@/lib/tasks/service.ts";
import { parseStart } from "@/lib/tasks/start_form.ts";
import { getTemplate } from "@/lib/templates/service.ts";
import { suggestedBranches } from "@/lib/uses/branches.ts";
import { findStartTargets } from "@/lib/uses/start_targets.ts";
import { newForm, newOnce } from "@/lib/web/forms/form.ts";
import { LONG_FORM_BYTES_MAX } from "@/lib/web/forms/read_form.ts";
import { cameFrom } from "@/lib/web/pages/back.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";
import { may } from "@/lib/web/shell.ts";
import { define } from "@/lib/web/state.ts";
import { askedInForm } from "@/routes/(_pages)/tasks/survey_answers.ts";
import { againValues, answerErrors, startInput } from "@/routes/(_pages)/tasks/form.ts";

/** Number of builds that a deploy may choose from. */
const BUILDS_SHOWN = 50;

/** Returns the id of the task that is started again; null for none. */
function againId(url: URL): number | null {
  const from = url.searchParams.get("from");
  return from === null ? null : pageId(from);
}

export const handler = formPage({
  rights: asMember("run_tasks"),
  find: async (scope, { params }) => ({
    template: await getTemplate(scope, pageId(params.templateId)),
  }),
  async shown({ template }, ctx) {
    const id = againId(ctx.url);
    const values = id === null
      ? defaultAnswers(template.survey_vars)
      : againValues(await getTask(ctx.state.scope, id));
    return newForm({ ...values, ...newOnce(), back: cameFrom(ctx) });
  },
  bytesMax: LONG_FORM_BYTES_MAX,
  button: ({ [REFRESH]: refresh, ...values }) =>
    refresh ? { form: { values, errors: {}, isRedrawn: true }, extra: refresh } : null,
  async save({ scope, typed, found: { template }, ctx: { url } }) {
    // Users who may change the template may reuse the values of the task that is started again.
    const input = { ...startInput(template, typed), id: againId(url) };
    return await makeOnce(
      scope,
      `start ${template.id}`,
      typed,
      (also) => startTask(scope, parseStart(input), also),
    );
  },
  errorsAt: (errors, _typed, { template }) => answerErrors(template, errors),
  next: ({ scope, found: { template }, result }) => [
    paths.task(scope.projectId, template.id, result),
  ],
  async beside({ values }, { template }, { state: { scope } }, refresh) {
    const { build_template_id: templateId } = template;
    const inventoryId = Number(values.inventory_id) || null;
    const [builds, inventories, branches, targets, asked, personal] = await Promise.all([
      templateId === null ? [] : listBuilds(scope, templateId, BUILDS_SHOWN),
      inventoryService.list(scope),
      suggestedBranches(scope, template),
      findStartTargets(scope, template),
      askedInForm(scope, template, values, refresh),
      findAskedPersonal(scope, template.id, inventoryId),
    ]);
    return { choices: { builds, inventories, branches }, targets, asked, personal };
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
          permissions={shell.permissions}
          mayRenew={may(shell, "override_runs") &&
            (may(shell, "manage_resources") || allowancesOf(template).skip_galaxy_install)}
          action={ui.href(paths.startTask(shell.project.id, template.id)) + url.search}
          cancel={cancel}
        />
      </Dialog>
    </>
  );
});
