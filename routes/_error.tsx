import { page } from "fresh";
import { ErrorPage } from "@/components/shell/ErrorPage.tsx";
import { define } from "@/lib/web/state.ts";
import { REQUEST_ID } from "@/lib/web/request_id.ts";
import { addSecureHeaders, SCRIPTLESS_POLICY } from "@/lib/web/server/secure_headers.ts";
import { errorResponse, isApi, tellError } from "@/lib/web/translate_errors.ts";
import { loadDrawer } from "@/routes/(_pages)/error_drawer.ts";

/** Shows any failure as a page with its sentence, its status and links. API calls get no page. */
export const handler = define.handlers(async (ctx) => {
  const { state } = ctx;
  const shown = tellError(ctx.error, state);
  if (isApi(ctx)) {
    const response = errorResponse(shown, ctx.req);
    response.headers.set(REQUEST_ID, state.requestId);
    addSecureHeaders(response.headers, state.deps.config, ctx.url);
    return response;
  }
  const headers = new Headers({
    ...shown.headers,
    [REQUEST_ID]: state.requestId,
    "Cache-Control": "private, no-store",
    "Content-Security-Policy": SCRIPTLESS_POLICY,
  });
  addSecureHeaders(headers, state.deps.config, ctx.url);
  const { status, code, sentence } = shown;
  return page({ status, code, sentence, drawer: await loadDrawer(ctx) }, { status, headers });
});

export default define.page<typeof handler>(({ data, state, url }) => (
  <ErrorPage
    ui={state.ui}
    {...data}
    here={url.pathname + url.search}
    signedIn={Boolean(state.actor)}
  />
));
