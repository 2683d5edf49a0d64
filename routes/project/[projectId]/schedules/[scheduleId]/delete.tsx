import { scheduleName } from "@/components/schedules/ScheduleCell.tsx";
import { paths } from "@/lib/base/paths.ts";
import { deleteSchedule, getSchedule } from "@/lib/triggers/schedules/service.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";
import { confirmPage } from "@/routes/(_pages)/confirm_page.tsx";
import { wantedTemplate } from "@/routes/(_pages)/schedules/form.ts";

const { handler, Page } = confirmPage({
  rights: asMember("manage_triggers"),
  async find(scope, { params, url }) {
    const schedule = await getSchedule(scope, pageId(params.scheduleId));
    return { schedule, list: paths.schedules(scope.projectId, wantedTemplate(url)) };
  },
  ask(ui, { schedule, list }) {
    const name = scheduleName(ui, schedule);
    return {
      title: ui.t("schedules.delete"),
      parts: [name],
      question: ui.t("schedules.delete_question", { name, template: schedule.tpl_name }),
      cancel: list,
    };
  },
  act: (scope, { schedule: { id } }) => deleteSchedule(scope, id),
  next: ({ list }) => [list, "flash.schedules.deleted"],
});
export { handler, Page as default };
