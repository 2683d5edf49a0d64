import { page } from "fresh";
import { SchedulesPage } from "@/components/schedules/SchedulesPage.tsx";
import { findTasks } from "@/lib/tasks/service.ts";
import { listTemplates } from "@/lib/templates/service.ts";
import { listSchedules } from "@/lib/triggers/schedules/service.ts";
import { findRuns } from "@/lib/workflows/runs/view.ts";
import { listWorkflowNames } from "@/lib/workflows/service.ts";
import { define } from "@/lib/web/state.ts";
import { wantedTemplate } from "@/routes/(_pages)/schedule_form.ts";
import { readTableState } from "@/lib/base/table_state.ts";

/** Lists the project's schedules; with `?template=`, those of one template. */
export const handler = define.handlers({
  async GET({ state: { scope }, url }) {
    const [all, templates, workflows] = await Promise.all([
      listSchedules(scope),
      listTemplates(scope),
      listWorkflowNames(scope),
    ]);
    const wanted = wantedTemplate(url);
    const template = templates.find(({ id }) => id === wanted);
    const schedules = template ? all.filter(({ template_id }) => template_id === template.id) : all;
    const taskIds = schedules.flatMap(({ last_task_id }) => last_task_id ?? []);
    const runIds = schedules.flatMap(({ last_run_id }) => last_run_id ?? []);
    const state = readTableState(url.searchParams);
    return page({
      schedules,
      state: { ...state, sort: state.sort || "template" },
      templates,
      templateId: template?.id ?? null,
      tasks: await findTasks(scope, taskIds),
      runs: await findRuns(scope, runIds),
      hasWorkflows: workflows.size > 0,
    });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <SchedulesPage ui={ui} shell={shell} {...data} />
));
