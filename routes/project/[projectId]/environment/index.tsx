import { page } from "fresh";
import { ResourceList } from "@/components/resources/ResourceList.tsx";
import { Count } from "@/components/ui/lists/cells.tsx";
import { readTableState } from "@/lib/base/lists/table_state.ts";
import { define } from "@/lib/web/state.ts";
import { summarizeEnvironments } from "@/lib/resources/environments/summaries.ts";
import { listUses } from "@/lib/uses/service.ts";

export const handler = define.handlers({
  async GET({ state: { scope }, url }) {
    const [rows, uses] = await Promise.all([
      summarizeEnvironments(scope),
      listUses(scope, "environments"),
    ]);
    return page({ rows, uses, state: readTableState(url.searchParams) });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <ResourceList
    ui={ui}
    shell={shell}
    noun="environments"
    {...data}
    columns={[
      {
        id: "variables",
        label: ui.t("environments.variables"),
        named: true,
        value: ({ variables }) => variables,
        usual: "desc",
        cell: ({ variables }) => <Count ui={ui} count={variables} />,
      },
      {
        id: "secrets",
        label: ui.t("environments.secrets"),
        named: true,
        value: ({ secrets }) => secrets,
        usual: "desc",
        cell: ({ secrets, empty }) => (
          <>
            <Count ui={ui} count={secrets} />
            {empty && <span class="chip chip-warning ml-2">{ui.t("environments.empty")}</span>}
          </>
        ),
      },
    ]}
  />
));
