import type { Context } from "fresh";
import { define, type State } from "@/lib/web/state.ts";
import { authenticate } from "@/lib/access/authenticate.ts";
import { requestUi } from "@/lib/web/request_ui.ts";
import { inTime } from "@/lib/kv/in_time.ts";
import { errorResponse, isApi, tellError } from "@/lib/web/translate_errors.ts";
import { clearFlash, hasFlash } from "@/lib/web/flash.ts";
import { paths } from "@/lib/base/paths.ts";

/** Session or bearer token -> actor; cookies and headers -> ui; the API's errors on the way out. */
export default define.middleware(async (ctx) => {
  const { state } = ctx;
  state.ui = requestUi(ctx.req, ctx.config.basePath);
  try {
    state.actor = await inTime(authenticate(state.deps, ctx.req));
    const response = await ctx.next();
    if (state.actor && !response.headers.has("Cache-Control")) {
      response.headers.set("Cache-Control", "private, no-store");
    }
    if (!isApi(ctx) && response.status !== 303 && hasFlash(ctx.req.headers)) {
      clearFlash(response.headers, state.deps.config, ctx.url);
    }
    return response;
  } catch (error) {
    const told = tellError(error, state.ui.t, state.deps.log);
    if (isApi(ctx)) return errorResponse(told);
    if (told.status !== 401) throw error;
    return ctx.redirect(state.ui.href(paths.signIn(wantedPage(ctx))), 303);
  }
});

/** The page to come back to after signing in: this one, or the one whose form was sent. */
function wantedPage({ req, url, config }: Pick<Context<State>, "req" | "url" | "config">) {
  const referer = req.method === "GET" ? null : req.headers.get("Referer");
  const page = referer && URL.canParse(referer) ? new URL(referer) : url;
  return (page.pathname.slice(config.basePath.length) || "/") + page.search;
}
