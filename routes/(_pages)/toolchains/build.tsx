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
import { isOfProject, routeOf, type State, userScope } from "@/lib/web/state.ts";

/** The toolchains of a project or those of the server, as the pages of their builds reach them. */
interface Toolchains {
  sees(): BuildsScope;
  /** Scope of people who can start a build, as of now. Throws 403. */
  manages(): Promise<Parameters<typeof startBuild>[0]>;
  mayBuild: boolean;
  get(id: number): Promise<ToolchainView>;
  list: string;
  build(id: number): string;
  /** Name of the project, or of the server's pages. */
  name: string;
}

const toolchainsOf = (state: State): Toolchains =>
  isOfProject(state) ? projectToolchains(state) : serverToolchains(state);

const projectToolchains = ({ shell, scope }: State): Toolchains => ({
  sees: () => scope,
  manages: () => reopen(scope, "manage_resources"),
  mayBuild: may(shell, "manage_resources"),
  get: (id) => toolchainService.get(scope, id),
  list: paths.section(shell.project.id, "toolchains"),
  build: (id) => paths.toolchainBuild(shell.project.id, id),
  name: shell.project.name,
});

function serverToolchains(state: State): Toolchains {
  const sees = () => requireAdmin(userScope(state));
  return {
    sees,
    manages: () => Promise.resolve(sees()),
    mayBuild: true,
    get: (id) => getServerToolchain(sees(), id),
    list: paths.serverToolchains(),
    build: (id) => paths.serverToolchain(id, "/build"),
    name: state.ui.t("admin.title"),
  };
}

/** The last build of a toolchain, and the button that starts one. */
export const buildPage = routeOf({
  async GET({ state, params }) {
    const toolchains = toolchainsOf(state);
    const id = pageId(params.toolchainId);
    const [toolchain, build] = await Promise.all([
      toolchains.get(id),
      getBuild(toolchains.sees(), id),
    ]);
    return page({ toolchain, build });
  },

  async POST(ctx) {
    const toolchains = toolchainsOf(ctx.state);
    const id = pageId(ctx.params.toolchainId);
    await startBuild(await toolchains.manages(), id);
    return seeOther(ctx, toolchains.build(id));
  },
}, ({ data: { toolchain, build }, state }) => {
  const { ui } = state;
  const toolchains = toolchainsOf(state);
  const here = toolchains.build(toolchain.id);
  const isBuilding = build.state === "building";
  return (
    <>
      <Title ui={ui} parts={[toolchain.name, toolchains.name]} />
      <Dialog
        ui={ui}
        id="toolchain"
        title={toolchain.name}
        width="wide"
        close={ui.href(toolchains.list)}
      >
        <div data-live={isBuilding ? liveUrl(state, `${here}/events`) : undefined}>
          <ToolchainBuild ui={ui} build={build} />
        </div>
        {toolchain.kind === "built" && toolchains.mayBuild && !isBuilding && (
          <form method="post" action={ui.href(here)} data-stay class="mt-4">
            <Button kind="primary">{ui.t("toolchains.build")}</Button>
          </form>
        )}
      </Dialog>
    </>
  );
});

/** Streams the build of a toolchain until it has ended. */
export const buildEvents = routeOf({
  async GET(ctx) {
    const toolchains = toolchainsOf(ctx.state);
    const scope = toolchains.sees();
    const { id } = await toolchains.get(pageId(ctx.params.toolchainId));
    return openStream(ctx, (gone) => followBuild(scope, id, gone), {
      events: (build) => htmlEvents(ctx.state.ui, [ToolchainBuild({ ui: ctx.state.ui, build })]),
    });
  },
});
