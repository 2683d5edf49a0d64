import { paths } from "@/lib/base/paths.ts";
import { hideSteps } from "@/lib/web/pages/hidden_steps.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define } from "@/lib/web/state.ts";

export const handler = define.handlers({
  POST(ctx) {
    const { shell: { project }, deps } = ctx.state;
    const response = seeOther(ctx, paths.section(project.id, "history"));
    hideSteps(response.headers, deps.config, ctx.url, project.id);
    return response;
  },
});
