import { page } from "fresh";
import { ResourceList } from "@/components/resources/ResourceList.tsx";
import { Dash } from "@/components/ui/cells.tsx";
import { define } from "@/lib/web/state.ts";
import { environmentService } from "@/lib/parts/environments/service.ts";

export const handler = define.handlers({
  async GET({ state }) {
    return page({ environments: await environmentService.list(state.scope) });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <ResourceList
    ui={ui}
    shell={shell}
    noun="environments"
    rows={data.environments}
    columns={[{
      label: ui.t("environments.secrets"),
      cell: ({ secrets }) => (
        <>
          {secrets.length > 0 ? secrets.length : <Dash />}
          {secrets.some(({ empty }) => empty) && (
            <span class="chip chip-warning ml-2">{ui.t("environments.empty")}</span>
          )}
        </>
      ),
    }]}
  />
));
