import { page } from "fresh";
import { SchedulesPage } from "@/components/schedules/SchedulesPage.tsx";
import { findTasks } from "@/lib/tasks/service.ts";
import { listTemplates } from "@/lib/templates/service.ts";
import { listSchedules } from "@/lib/triggers/schedules/service.ts";
import { define } from "@/lib/web/state.ts";
import { wantedTemplate } from "@/routes/(_pages)/schedule_form.ts";
import { readTableState } from "@/lib/base/table_state.ts";

/** Lists the project's schedules; with `?template=`, those of one template. */
export const handler = define.handlers({
  async GET({ state: { scope }, url }) {
    const [all, templates] = await Promise.all([listSchedules(scope), listTemplates(scope)]);
    const wanted = wantedTemplate(url);
    const template = templates.find(({ id }) => id === wanted);
    const schedules = template ? all.filter(({ template_id }) => template_id === template.id) : all;
    const taskIds = schedules.flatMap(({ last_task_id }) => last_task_id ?? []);
    const state = readTableState(url.searchParams);
    return page({
      schedules,
      state: { ...state, sort: state.sort || "template" },
      templates,
      templateId: template?.id ?? null,
      tasks: await findTasks(scope, taskIds),
    });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <SchedulesPage ui={ui} shell={shell} {...data} />
));
