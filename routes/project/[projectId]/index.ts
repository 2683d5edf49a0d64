import { define } from "@/lib/deps.ts";
import { paths } from "@/lib/http/paths.ts";

export const handler = define.handlers({
  GET(ctx) {
    const { ui, shell } = ctx.state;
    return ctx.redirect(ui.href(paths.section(shell.project.id, "history")), 303);
  },
});
