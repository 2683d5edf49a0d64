import { define } from "@/lib/deps.ts";
import { authenticate } from "@/lib/access/authenticate.ts";
import { requestUi } from "@/lib/http/request_ui.ts";
import { errorResponse, isApi, tellError } from "@/lib/http/translate_errors.ts";
import { clearFlash, hasFlash } from "@/lib/http/flash.ts";
import { paths } from "@/lib/http/paths.ts";

/** Session or bearer token -> actor; cookies and headers -> ui; the API's errors on the way out. */
export default define.middleware(async (ctx) => {
  const { state } = ctx;
  state.ui = requestUi(ctx.req, ctx.config.basePath);
  try {
    state.actor = await authenticate(state.deps, ctx.req);
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
    const wanted = ctx.url.pathname.slice(ctx.config.basePath.length) + ctx.url.search;
    return ctx.redirect(state.ui.href(paths.signIn(wanted)), 303);
  }
});
