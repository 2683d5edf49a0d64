import { page } from "fresh";
import { CertificateChip } from "@/components/keys/Certificate.tsx";
import { KeyTabs } from "@/components/keys/KeyTabs.tsx";
import { ResourceList } from "@/components/resources/ResourceList.tsx";
import { define } from "@/lib/web/state.ts";
import { readTableState } from "@/lib/base/lists/table_state.ts";
import { keyService } from "@/lib/resources/keys/service.ts";
import { listUses } from "@/lib/uses/service.ts";

export const handler = define.handlers({
  async GET({ state: { scope, deps }, url }) {
    const [rows, uses] = await Promise.all([keyService.list(scope), listUses(scope, "keys")]);
    const state = readTableState(url.searchParams);
    return page({ rows, uses, state, now: deps.clock.now().getTime() });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <ResourceList
    ui={ui}
    shell={shell}
    noun="keys"
    {...data}
    columns={[{
      id: "type",
      label: ui.t("keys.type"),
      value: ({ type }) => ui.t(`keys.types.${type}`),
      cell: ({ type, empty, certificate }) => (
        <>
          {ui.t(`keys.types.${type}`)}
          {empty && <span class="chip chip-warning ml-2">{ui.t("keys.empty")}</span>}{" "}
          <CertificateChip ui={ui} line={certificate} now={data.now} />
        </>
      ),
    }]}
  >
    <KeyTabs ui={ui} projectId={shell.project.id} current="keys" />
  </ResourceList>
));
