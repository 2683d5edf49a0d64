import { page } from "fresh";
import { KeyTabs } from "@/components/keys/KeyTabs.tsx";
import { ResourceList } from "@/components/resources/ResourceList.tsx";
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
  >
    <KeyTabs ui={ui} projectId={shell.project.id} current="secret_storages" />
  </ResourceList>
));
