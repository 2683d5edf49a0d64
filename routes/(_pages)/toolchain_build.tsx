import { page } from "fresh";
import { ToolchainBuild } from "@/components/toolchains/ToolchainBuild.tsx";
import { Button } from "@/components/ui/Button.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { reopen, requireAdmin } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import {
  type BuildsScope,
  followBuild,
  getBuild,
  startBuild,
} from "@/lib/resources/toolchains/builds.ts";
import type { ToolchainView } from "@/lib/resources/toolchains/schema.ts";
import { getServerToolchain } from "@/lib/resources/toolchains/server.ts";
import { toolchainService } from "@/lib/resources/toolchains/service.ts";
import { openStream } from "@/lib/web/event_stream.ts";
import { htmlEvents, liveUrl } from "@/lib/web/pages/live.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { may } from "@/lib/web/shell.ts";
import { define, type State, userScope } from "@/lib/web/state.ts";

/** The toolchains of a project or those of the server, as the pages of their builds reach them. */
interface Toolchains {
  sees(state: State): BuildsScope;
  /** Scope of people who can start a build, as of now. Throws 403. */
  manages(state: State): Promise<Parameters<typeof startBuild>[0]>;
  mayBuild(state: State): boolean;
  get(state: State, id: number): Promise<ToolchainView>;
  list(state: State): string;
  build(state: State, id: number): string;
  /** Name of the project, or of the server's pages. */
  name(state: State): string;
}

export const PROJECT_TOOLCHAINS: Toolchains = {
  sees: ({ scope }) => scope,
  manages: ({ scope }) => reopen(scope, "manage_resources"),
  mayBuild: ({ shell }) => may(shell, "manage_resources"),
  get: ({ scope }, id) => toolchainService.get(scope, id),
  list: ({ shell }) => paths.section(shell.project.id, "toolchains"),
  build: ({ shell }, id) => paths.toolchainBuild(shell.project.id, id),
  name: ({ shell }) => shell.project.name,
};

const adminOf = (state: State) => requireAdmin(userScope(state));

export const SERVER_TOOLCHAINS: Toolchains = {
  sees: adminOf,
  manages: (state) => Promise.resolve(adminOf(state)),
  mayBuild: () => true,
  get: (state, id) => getServerToolchain(adminOf(state), id),
  list: () => paths.serverToolchains(),
  build: (_state, id) => paths.serverToolchain(id, "/build"),
  name: ({ ui }) => ui.t("admin.title"),
};

/** The last build of a toolchain, and the button that starts one. */
export function toolchainBuildPage(toolchains: Toolchains) {
  const handler = define.handlers({
    async GET({ state, params }) {
      const id = pageId(params.toolchainId);
      const [toolchain, build] = await Promise.all([
        toolchains.get(state, id),
        getBuild(toolchains.sees(state), id),
      ]);
      return page({ toolchain, build });
    },

    async POST(ctx) {
      const id = pageId(ctx.params.toolchainId);
      await startBuild(await toolchains.manages(ctx.state), id);
      return seeOther(ctx, toolchains.build(ctx.state, id));
    },
  });
  const Page = define.page<typeof handler>(({ data: { toolchain, build }, state }) => {
    const { ui } = state;
    const here = toolchains.build(state, toolchain.id);
    const isBuilding = build.state === "building";
    return (
      <>
        <Title ui={ui} parts={[toolchain.name, toolchains.name(state)]} />
        <Dialog
          ui={ui}
          id="toolchain"
          title={toolchain.name}
          width="wide"
          close={ui.href(toolchains.list(state))}
        >
          <div data-live={isBuilding ? liveUrl(state, `${here}/events`) : undefined}>
            <ToolchainBuild ui={ui} build={build} />
          </div>
          {toolchain.kind === "built" && toolchains.mayBuild(state) && !isBuilding && (
            <form method="post" action={ui.href(here)} data-stay class="mt-4">
              <Button kind="primary">{ui.t("toolchains.build")}</Button>
            </form>
          )}
        </Dialog>
      </>
    );
  });
  return { handler, Page };
}

/** Streams the build of a toolchain until it has ended. */
export const toolchainBuildEvents = (toolchains: Toolchains) =>
  define.handlers({
    async GET(ctx) {
      const { state, params } = ctx;
      const scope = toolchains.sees(state);
      const { id } = await toolchains.get(state, pageId(params.toolchainId));
      return openStream(ctx, (gone) => followBuild(scope, id, gone), {
        events: (build) => htmlEvents([ToolchainBuild({ ui: state.ui, build })]),
      });
    },
  });
