import { page } from "fresh";
import { BranchState } from "@/components/repositories/BranchState.tsx";
import { ResourceList } from "@/components/resources/ResourceList.tsx";
import { Name } from "@/components/ui/lists/cells.tsx";
import { paths } from "@/lib/base/paths.ts";
import { readTableState } from "@/lib/base/lists/table_state.ts";
import { define } from "@/lib/web/state.ts";
import { keyService } from "@/lib/resources/keys/service.ts";
import { repositoryService } from "@/lib/resources/repositories/service.ts";
import { listUsedCommits, listUses } from "@/lib/uses/service.ts";

export const handler = define.handlers({
  async GET({ state: { scope }, url }) {
    const [repositories, keys, uses] = await Promise.all([
      repositoryService.list(scope),
      keyService.list(scope),
      listUses(scope, "repositories"),
    ]);
    const commits = await listUsedCommits(scope, repositories);
    const keyNames = new Map(keys.map(({ id, name }) => [id, name]));
    const rows = repositories.map((row) => ({
      ...row,
      key: keyNames.get(row.ssh_key_id) ?? "",
      commit: commits.get(row.id) ?? null,
    }));
    return page({ rows, uses, state: readTableState(url.searchParams) });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <ResourceList
    ui={ui}
    shell={shell}
    noun="repositories"
    {...data}
    columns={[
      {
        id: "url",
        label: ui.t("repositories.git_url"),
        kind: "text",
        value: ({ git_url }) => git_url,
        cell: ({ git_url }) => git_url,
      },
      {
        id: "branch",
        label: ui.t("repositories.branch"),
        kind: "text",
        value: ({ git_branch, commit }) =>
          [git_branch, commit?.hash, commit?.message].filter(Boolean).join(" ") || null,
        cell: (repository) => <BranchState ui={ui} repository={repository} />,
      },
      {
        id: "key",
        label: ui.t("repositories.key"),
        kind: "text",
        value: ({ key }) => key || null,
        cell: ({ key }) => <Name text={key} />,
      },
    ]}
  >
    <p>
      <a href={ui.href(paths.knownHosts(shell.project.id))}>{ui.t("known_hosts.title")}</a>
      {" · "}
      <a href={ui.href(paths.section(shell.project.id, "git_credentials"))}>
        {ui.t("sections.git_credentials")}
      </a>
    </p>
  </ResourceList>
));
