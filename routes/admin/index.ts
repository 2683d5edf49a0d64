import { define } from "@/lib/web/state.ts";
import { paths } from "@/lib/base/paths.ts";

/** Redirects to the first page of the server. */
export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.users()), 303),
});
