import { page } from "fresh";
import { shownSchedules } from "@/components/schedules/schedule_columns.tsx";
import { SchedulesPage } from "@/components/schedules/SchedulesPage.tsx";
import { findTasks } from "@/lib/tasks/service.ts";
import { outlinesByName } from "@/lib/templates/outlines.ts";
import { listSchedules } from "@/lib/triggers/schedules/service.ts";
import { findRuns } from "@/lib/workflows/runs/view.ts";
import { listWorkflowNames } from "@/lib/workflows/service.ts";
import { define } from "@/lib/web/state.ts";
import { wantedTemplate } from "@/routes/(_pages)/schedules/form.ts";
import { wordsFor } from "@/lib/base/lists/find_choice.ts";
import { readTableState } from "@/lib/base/lists/table_state.ts";

/** Lists the project's schedules; with `?template=`, those of one template. */
export const handler = define.handlers({
  async GET({ state: { scope, ui }, url }) {
    const [all, templates, workflows] = await Promise.all([
      listSchedules(scope),
      outlinesByName(scope, ui.language),
      listWorkflowNames(scope),
    ]);
    const wanted = wantedTemplate(url);
    const template = templates.find(({ id }) => id === wanted);
    const schedules = template ? all.filter(({ template_id }) => template_id === template.id) : all;
    const { sort, ...asked } = readTableState(url.searchParams);
    const state = { ...asked, sort: sort || "template" };
    const { rows } = shownSchedules(ui, schedules, state);
    return page({
      schedules,
      state,
      templates,
      words: wordsFor(url, "template"),
      templateId: template?.id ?? null,
      tasks: await findTasks(scope, rows.flatMap(({ last_task_id }) => last_task_id ?? [])),
      runs: await findRuns(scope, rows.flatMap(({ last_run_id }) => last_run_id ?? [])),
      hasWorkflows: workflows.size > 0,
    });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <SchedulesPage ui={ui} shell={shell} {...data} />
));
