import { define } from "@/lib/deps.ts";
import { paths } from "@/lib/http/paths.ts";
import { clearSessionCookies } from "@/lib/http/session_cookies.ts";
import { signOut } from "@/lib/sessions/service.ts";

export const handler = define.handlers({
  async POST(ctx) {
    const { deps, actor, ui } = ctx.state;
    await signOut(deps, actor);
    const response = ctx.redirect(ui.href(paths.signIn()), 303);
    clearSessionCookies(response.headers, deps.config, ctx.url);
    return response;
  },
});
