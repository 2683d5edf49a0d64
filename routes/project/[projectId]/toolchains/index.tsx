import { page } from "fresh";
import { ResourceList } from "@/components/resources/ResourceList.tsx";
import { toolchainColumns } from "@/components/toolchains/toolchain_columns.tsx";
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
    columns={toolchainColumns(ui, ({ id }) => paths.toolchainBuild(shell.project.id, id))}
  />
));
