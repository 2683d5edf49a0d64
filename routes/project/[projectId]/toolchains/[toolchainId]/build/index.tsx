import { page } from "fresh";
import { ToolchainBuild } from "@/components/toolchains/ToolchainBuild.tsx";
import { Button } from "@/components/ui/Button.tsx";
import { Dialog } from "@/components/ui/Dialog.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { reopen } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { getBuild, startBuild } from "@/lib/resources/toolchains/builds.ts";
import { toolchainService } from "@/lib/resources/toolchains/service.ts";
import { liveUrl } from "@/lib/web/pages/live.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { may } from "@/lib/web/shell.ts";
import { define } from "@/lib/web/state.ts";

export const handler = define.handlers({
  async GET({ state: { scope }, params }) {
    const id = pageId(params.toolchainId);
    const [toolchain, build] = await Promise.all([
      toolchainService.get(scope, id),
      getBuild(scope, id),
    ]);
    return page({ toolchain, build });
  },

  async POST(ctx) {
    const id = pageId(ctx.params.toolchainId);
    const scope = await reopen(ctx.state.scope, "manage_resources");
    await startBuild(scope, id);
    return seeOther(ctx, paths.toolchainBuild(scope.projectId, id));
  },
});

export default define.page<typeof handler>(({ data: { toolchain, build }, state }) => {
  const { ui, shell } = state;
  const projectId = shell.project.id;
  const here = paths.toolchainBuild(projectId, toolchain.id);
  const isBuilding = build.state === "building";
  return (
    <>
      <Title ui={ui} parts={[toolchain.name, shell.project.name]} />
      <Dialog
        ui={ui}
        id="toolchain"
        title={toolchain.name}
        width="wide"
        close={ui.href(paths.section(projectId, "toolchains"))}
      >
        <div data-live={isBuilding ? liveUrl(state, `${here}/events`) : undefined}>
          <ToolchainBuild ui={ui} build={build} />
        </div>
        {toolchain.kind === "built" && may(shell, "manage_resources") && !isBuilding && (
          <form method="post" action={ui.href(here)} data-stay class="mt-4">
            <Button kind="primary">{ui.t("toolchains.build")}</Button>
          </form>
        )}
      </Dialog>
    </>
  );
});
