import { page } from "fresh";
import { ResourceList } from "@/components/resources/ResourceList.tsx";
import { define } from "@/lib/web/state.ts";
import { paths } from "@/lib/base/paths.ts";
import { keyService } from "@/lib/parts/keys/service.ts";

export const handler = define.handlers({
  async GET({ state }) {
    return page({ keys: await keyService.list(state.scope) });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <ResourceList
    ui={ui}
    shell={shell}
    noun="keys"
    rows={data.keys}
    columns={[{
      label: ui.t("keys.type"),
      cell: ({ type, empty }) => (
        <>
          {ui.t(`keys.types.${type}`)}
          {empty && <span class="chip chip-warning ml-2">{ui.t("keys.empty")}</span>}
        </>
      ),
    }]}
  >
    <p>
      <a href={ui.href(paths.knownHosts(shell.project.id))}>{ui.t("known_hosts.title")}</a>
    </p>
  </ResourceList>
));
