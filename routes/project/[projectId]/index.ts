import { define } from "@/lib/web/state.ts";
import { paths } from "@/lib/base/paths.ts";

export const handler = define.handlers({
  GET(ctx) {
    const { ui, shell } = ctx.state;
    return ctx.redirect(ui.href(paths.section(shell.project.id, "history")), 303);
  },
});
