import { page } from "fresh";
import { ResourceList } from "@/components/resources/ResourceList.tsx";
import { Name } from "@/components/ui/cells.tsx";
import { paths } from "@/lib/base/paths.ts";
import { define } from "@/lib/web/state.ts";
import { keyService } from "@/lib/parts/keys/service.ts";
import { repositoryService } from "@/lib/parts/repositories/service.ts";
import { repositoryKind } from "@/lib/execution/git/url.ts";

export const handler = define.handlers({
  async GET({ state }) {
    const [repositories, keys] = await Promise.all([
      repositoryService.list(state.scope),
      keyService.list(state.scope),
    ]);
    return page({ repositories, keyNames: new Map(keys.map(({ id, name }) => [id, name])) });
  },
});

export default define.page<typeof handler>(({ data, state: { ui, shell } }) => (
  <ResourceList
    ui={ui}
    shell={shell}
    noun="repositories"
    rows={data.repositories}
    columns={[
      {
        label: ui.t("repositories.git_url"),
        kind: "text",
        cell: ({ git_url, git_branch }) => (
          <div class="flex items-center gap-2">
            <Name text={git_url} />
            {repositoryKind(git_url) !== "local" && (
              <code class="clamp shrink-0 !max-w-36" title={git_branch}>{git_branch}</code>
            )}
          </div>
        ),
      },
      {
        label: ui.t("repositories.key"),
        cell: ({ ssh_key_id }) => <Name text={data.keyNames.get(ssh_key_id)} />,
      },
    ]}
  >
    <p>
      <a href={ui.href(paths.knownHosts(shell.project.id))}>{ui.t("known_hosts.title")}</a>
    </p>
  </ResourceList>
));
