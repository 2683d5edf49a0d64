import { define } from "@/lib/web/state.ts";
import { paths } from "@/lib/base/paths.ts";
import { clearSessionCookies } from "@/lib/web/session_cookies.ts";
import { signOut } from "@/lib/people/sessions/service.ts";

export const handler = define.handlers({
  async POST(ctx) {
    const { deps, actor, ui } = ctx.state;
    await signOut(deps, actor);
    const response = ctx.redirect(ui.href(paths.signIn()), 303);
    clearSessionCookies(response.headers, deps.config, ctx.url);
    return response;
  },
});
