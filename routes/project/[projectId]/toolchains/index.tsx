import { page } from "fresh";
import { ResourceList } from "@/components/resources/ResourceList.tsx";
import { SharedToolchains } from "@/components/toolchains/SharedToolchains.tsx";
import { toolchainColumns } from "@/components/toolchains/toolchain_columns.tsx";
import { paths } from "@/lib/base/paths.ts";
import { readTableState } from "@/lib/base/lists/table_state.ts";
import { toolchainService } from "@/lib/resources/toolchains/service.ts";
import { listUses } from "@/lib/uses/service.ts";
import { define } from "@/lib/web/state.ts";

export const handler = define.handlers({
  async GET({ state: { scope }, url }) {
    const [all, uses] = await Promise.all([
      toolchainService.list(scope),
      listUses(scope, "toolchains"),
    ]);
    const rows = all.filter(({ project_id }) => project_id !== null);
    const shared = all.filter(({ project_id }) => project_id === null);
    return page({ rows, shared, uses, state: readTableState(url.searchParams) });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => {
  const { shared, ...own } = data;
  return (
    <>
      <ResourceList
        ui={ui}
        shell={shell}
        noun="toolchains"
        {...own}
        columns={toolchainColumns(ui, ({ id }) => paths.toolchainBuild(shell.project.id, id))}
      >
        {own.rows.length > 0 && <p class="text-muted">{ui.t("resources.toolchains.about")}</p>}
      </ResourceList>
      <SharedToolchains ui={ui} rows={shared} />
    </>
  );
});
