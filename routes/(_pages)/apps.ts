import { App } from "fresh";
import { type Noun, SECTION_OF } from "@/lib/base/nouns.ts";
import { routeOf, type State } from "@/lib/web/state.ts";
import { alerts } from "./alerts/app.ts";
import { rules } from "./integrations/app.ts";
import { resource } from "./resources/app.ts";
import { runners } from "./runners/app.ts";
import { toolchainBuild } from "./toolchains/app.ts";

type File = { handler: Parameters<typeof routeOf>[0]; default?: Parameters<typeof routeOf>[1] };

/** Gives a file of the routes folder another address. */
const file = (load: () => Promise<File>) => async () => {
  const { handler, default: component } = await load();
  return routeOf(handler, component);
};

const templates = new App<State>()
  .route("/", file(() => import("../project/[projectId]/templates/index.tsx")))
  .route("/events", file(() => import("../project/[projectId]/templates/events.tsx")))
  .route(
    "/:templateId",
    file(() => import("../project/[projectId]/templates/[templateId]/index.tsx")),
  )
  .route(
    "/:templateId/events",
    file(() => import("../project/[projectId]/templates/[templateId]/events.tsx")),
  );

const aliases = new App<State>()
  .route("/", file(() => import("../project/[projectId]/integrations/aliases/index.ts")))
  .route(
    "/:aliasId/delete",
    file(() => import("../project/[projectId]/integrations/aliases/[aliasId]/delete.tsx")),
  );

/** Adds the pages that have several addresses. They are loaded at their first request. */
export function mountApps(app: App<State>): App<State> {
  const project = "/project/:projectId";
  const integration = `${project}/integration/:integrationId`;
  for (const place of ["/admin", project]) {
    app.mountApp(`${place}/alerts`, alerts)
      .mountApp(`${place}/runners`, runners)
      .mountApp(`${place}/toolchains/:toolchainId/build`, toolchainBuild);
  }
  for (const [noun, section] of Object.entries(SECTION_OF)) {
    app.mountApp(`${project}/${section}/:id`, resource(noun as Noun));
  }
  return app.mountApp(`${project}/views/:viewId/templates`, templates)
    .mountApp(`${integration}/aliases`, aliases)
    .mountApp(`${integration}/matchers`, rules("matchers"))
    .mountApp(`${integration}/values`, rules("values"))
    .route("/project", file(() => import("../index.ts")));
}
