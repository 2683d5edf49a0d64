import { page } from "fresh";
import { ResourceList } from "@/components/resources/ResourceList.tsx";
import { Name } from "@/components/ui/lists/cells.tsx";
import { Breadcrumb } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/base/paths.ts";
import { readTableState } from "@/lib/base/lists/table_state.ts";
import { namedGitCredentials } from "@/lib/resources/git_credentials/service.ts";
import { keyService } from "@/lib/resources/keys/service.ts";
import { define } from "@/lib/web/state.ts";

export const handler = define.handlers({
  async GET({ state: { scope }, url }) {
    const [rows, keys] = await Promise.all([
      namedGitCredentials.list(scope),
      keyService.list(scope),
    ]);
    const names = new Map(keys.map(({ id, name }) => [id, name]));
    return page({ rows, names, state: readTableState(url.searchParams) });
  },
});

export default define.page<typeof handler>(({ data: { names, ...data }, state: { ui, shell } }) => (
  <ResourceList
    ui={ui}
    shell={shell}
    noun="git_credentials"
    above={
      <Breadcrumb
        ui={ui}
        crumbs={[{
          label: ui.t("sections.repositories"),
          href: ui.href(paths.section(shell.project.id, "repositories")),
        }]}
      />
    }
    {...data}
    columns={[
      {
        id: "type",
        label: ui.t("git_credentials.type"),
        value: ({ type }) => ui.t(`git_credentials.types.${type}`),
        cell: ({ type }) => ui.t(`git_credentials.types.${type}`),
      },
      {
        id: "key",
        label: ui.t("git_credentials.key"),
        kind: "text",
        value: ({ ssh_key_id }) => names.get(ssh_key_id) ?? null,
        cell: ({ ssh_key_id }) => <Name text={names.get(ssh_key_id) ?? ""} />,
      },
    ]}
  />
));
