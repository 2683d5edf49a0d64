import { paths } from "@/lib/base/paths.ts";
import { rememberVisit } from "@/lib/web/pages/last_shown.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define } from "@/lib/web/state.ts";

export const handler = define.handlers({
  /** Marks all failures until now as seen in this browser. */
  POST(ctx) {
    const { shell, deps } = ctx.state;
    const projectId = shell.project.id;
    const response = seeOther(ctx, paths.section(projectId, "history"));
    const at = deps.clock.now().getTime();
    const visit = { projectId, since: at, at };
    rememberVisit(ctx.req.headers, response.headers, deps.config, ctx.url, visit);
    return response;
  },
});
