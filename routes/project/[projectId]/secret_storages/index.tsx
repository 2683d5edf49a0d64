import { page } from "fresh";
import { ResourceList } from "@/components/resources/ResourceList.tsx";
import { Breadcrumb } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/base/paths.ts";
import { readTableState } from "@/lib/base/lists/table_state.ts";
import { secretStorageService } from "@/lib/resources/secret_storages/service.ts";
import { listUses } from "@/lib/uses/service.ts";
import { define } from "@/lib/web/state.ts";

export const handler = define.handlers({
  async GET({ state: { scope }, url }) {
    const [rows, uses] = await Promise.all([
      secretStorageService.list(scope),
      listUses(scope, "secret_storages"),
    ]);
    return page({ rows, uses, state: readTableState(url.searchParams) });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <ResourceList
    ui={ui}
    shell={shell}
    noun="secret_storages"
    above={
      <Breadcrumb
        ui={ui}
        crumbs={[{
          label: ui.t("sections.keys"),
          href: ui.href(paths.section(shell.project.id, "keys")),
        }]}
      />
    }
    {...data}
    columns={[{
      id: "type",
      label: ui.t("keys.type"),
      value: ({ type }) => ui.t(`secret_storages.kinds.${type}`),
      cell: ({ type, empty }) => (
        <>
          {ui.t(`secret_storages.kinds.${type}`)}
          {empty && <span class="chip chip-warning ml-2">{ui.t("keys.empty")}</span>}
        </>
      ),
    }]}
  />
));
