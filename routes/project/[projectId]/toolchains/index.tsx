import { page } from "fresh";
import { ResourceList } from "@/components/resources/ResourceList.tsx";
import { ToolchainState } from "@/components/toolchains/ToolchainState.tsx";
import { Dash } from "@/components/ui/cells.tsx";
import { paths } from "@/lib/base/paths.ts";
import { readTableState } from "@/lib/base/table_state.ts";
import { toolchainService } from "@/lib/resources/toolchains/service.ts";
import { listUses } from "@/lib/uses/service.ts";
import { define } from "@/lib/web/state.ts";

export const handler = define.handlers({
  async GET({ state: { scope }, url }) {
    const [rows, uses] = await Promise.all([
      toolchainService.list(scope),
      listUses(scope, "toolchains"),
    ]);
    return page({ rows, uses, state: readTableState(url.searchParams) });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <ResourceList
    ui={ui}
    shell={shell}
    noun="toolchains"
    {...data}
    columns={[
      {
        id: "ansible_core",
        label: "ansible-core",
        value: ({ ansible_core }) => ansible_core,
        cell: ({ ansible_core }) => ansible_core ? <code>{ansible_core}</code> : <Dash />,
      },
      {
        id: "state",
        label: ui.t("toolchains.state"),
        named: true,
        value: ({ state }) => state,
        cell: (toolchain) => (
          <ToolchainState
            ui={ui}
            toolchain={toolchain}
            href={ui.href(paths.toolchainBuild(shell.project.id, toolchain.id))}
          />
        ),
      },
    ]}
  />
));
