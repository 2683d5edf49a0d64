import { reopen } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { setScheduleActive } from "@/lib/triggers/schedules/service.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define } from "@/lib/web/state.ts";
import { wantedTemplate } from "@/routes/(_pages)/schedules/form.ts";

export const handler = define.handlers({
  /** Enables or disables a schedule. */
  async POST(ctx) {
    const { scope } = ctx.state;
    const id = pageId(ctx.params.scheduleId);
    const active = (await readForm(ctx.req)).active === "true";
    await setScheduleActive(await reopen(scope, "manage_triggers"), id, active);
    const done = active ? "flash.schedules.on" : "flash.schedules.off";
    return seeOther(ctx, paths.schedules(scope.projectId, wantedTemplate(ctx.url)), done);
  },
});
