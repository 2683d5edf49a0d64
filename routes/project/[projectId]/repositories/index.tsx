import { page } from "fresh";
import { LastCommit } from "@/components/repositories/LastCommit.tsx";
import { ResourceList } from "@/components/resources/ResourceList.tsx";
import { Name } from "@/components/ui/cells.tsx";
import { paths } from "@/lib/base/paths.ts";
import { readTableState } from "@/lib/base/table_state.ts";
import { define } from "@/lib/web/state.ts";
import { keyService } from "@/lib/parts/keys/service.ts";
import { repositoryService } from "@/lib/parts/repositories/service.ts";
import { repositoryKind } from "@/lib/execution/git/url.ts";
import { listUsedCommits, listUses } from "@/lib/uses/service.ts";

export const handler = define.handlers({
  async GET({ state: { scope }, url }) {
    const [repositories, keys, uses, commits] = await Promise.all([
      repositoryService.list(scope),
      keyService.list(scope),
      listUses(scope, "repositories"),
      listUsedCommits(scope),
    ]);
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
        value: ({ git_url, git_branch }) => `${git_url} ${git_branch}`,
        cell: ({ git_url, git_branch }) => (
          <div class="clamp" title={git_url}>
            {git_url}{" "}
            {repositoryKind(git_url) !== "local" && <code title={git_branch}>{git_branch}</code>}
          </div>
        ),
      },
      {
        label: ui.t("repositories.last_commit"),
        kind: "text",
        named: true,
        value: ({ commit }) => commit && `${commit.hash} ${commit.message}`,
        cell: ({ commit, git_branch }) => <LastCommit commit={commit} branch={git_branch} />,
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
    </p>
  </ResourceList>
));
