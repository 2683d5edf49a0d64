import { page } from "fresh";
import { scheduleName } from "@/components/schedules/ScheduleCell.tsx";
import { Confirm } from "@/components/ui/forms/Confirm.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { reopen } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { deleteSchedule, getSchedule } from "@/lib/triggers/schedules/service.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";
import { define } from "@/lib/web/state.ts";
import { wantedTemplate } from "@/routes/(_pages)/schedule_form.ts";

export const handler = define.handlers({
  async GET({ state: { shell, scope }, params }) {
    requirePermission(shell, "manage_resources");
    return page({ schedule: await getSchedule(scope, pageId(params.scheduleId)) });
  },

  async POST(ctx) {
    const { scope } = ctx.state;
    const id = pageId(ctx.params.scheduleId);
    await deleteSchedule(await reopen(scope, "manage_resources"), id);
    const list = paths.schedules(scope.projectId, wantedTemplate(ctx.url));
    return seeOther(ctx, list, "flash.schedules.deleted");
  },
});

export default define.page<typeof handler>(({ data: { schedule }, state: { ui, shell }, url }) => {
  const { id, name: project } = shell.project;
  const templateId = wantedTemplate(url);
  const name = scheduleName(ui, schedule);
  const title = ui.t("schedules.delete");
  return (
    <>
      <Title ui={ui} parts={[title, name, project]} />
      <Confirm
        ui={ui}
        title={title}
        question={ui.t("schedules.delete_question", { name, template: schedule.tpl_name })}
        action={ui.href(paths.schedule(id, schedule.id, templateId, "/delete"))}
        cancel={ui.href(paths.schedules(id, templateId))}
        yes={ui.t("actions.delete")}
      />
    </>
  );
});
