import { App, csp, csrf, type Middleware, staticFiles } from "fresh";
import type { Config } from "../../base/settings/config.ts";
import { requestInHand } from "../../base/log.ts";
import { watchRequests } from "../../monitoring/metrics/watch_requests.ts";
import type { AppDeps, State } from "../state.ts";
import { followRequests } from "./access_log.ts";
import { compressedFiles } from "./compressed_files.ts";
import { frontDoor } from "./front_door.ts";
import { offerUi } from "../pages/request_ui.ts";
import { isApi } from "../translate_errors.ts";
import { REQUEST_ID } from "../request_id.ts";
import { secureHeaders } from "./secure_headers.ts";

/** Creates the application: its front door, its middlewares, and then the file routes. */
export function createApp(deps: AppDeps): App<State> {
  const { config } = deps;
  const app = new App<State>({ basePath: config.basePath, trustProxy: config.trustProxy })
    .use(async (ctx) => {
      ctx.state.deps = deps;
      ctx.state.requestId = requestInHand.getStore()!.id;
      offerUi(ctx);
      const response = await ctx.next();
      if (response.status !== 101) response.headers.set(REQUEST_ID, ctx.state.requestId);
      return response;
    })
    .use(secureHeaders(config))
    .use(discardHeadBodies)
    .use(streamedPages)
    .use(pagesOnly(compressedFiles))
    .use(pagesOnly(staticFiles()))
    .use(csrf({
      origin: (origin, { url }) => isOwnOrigin(origin, url, config.url) || isWebhook(url, config),
    }))
    .use(csp({ useNonce: true }))
    .fsRoutes();
  // A build, `dev` and the tests all serve this handler, so the front door comes first everywhere.
  const handler = app.handler.bind(app);
  app.handler = () => {
    const front = frontDoor(handler(), deps);
    return followRequests(
      watchRequests(front, deps.metrics, config.basePath),
      config,
      deps.accessLog,
    );
  };
  return app;
}

/** The API has no files, and its paths may be longer than file names can be. */
const pagesOnly = (middleware: Middleware<State>): Middleware<State> => (ctx) =>
  isApi(ctx) ? ctx.next() : middleware(ctx);

/**
 * Cancels the body of a response to HEAD. No one reads it, and a stream would wait forever
 * otherwise.
 */
const discardHeadBodies: Middleware<State> = async (ctx) => {
  const response = await ctx.next();
  if (ctx.req.method === "HEAD") await response.body?.cancel();
  return response;
};

/** Runs outside of `csp`, which finds a page's nonce by the response object that was rendered. */
const streamedPages: Middleware<State> = async (ctx) => {
  const response = await ctx.next();
  const { stream } = ctx.state;
  return stream ? new Response(stream(await response.text()), response) : response;
};

/** Webhooks may come from any origin and do not use sessions. */
const isWebhook = ({ pathname }: URL, { basePath }: Config) =>
  pathname.startsWith(`${basePath}/api/integrations/`);

const isOwnOrigin = (origin: string, url: URL, publicUrl: URL | null) =>
  origin === url.origin || origin === publicUrl?.origin;
