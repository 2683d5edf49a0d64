import { page } from "fresh";
import { referenceGroups } from "@/components/resources/reference_groups.ts";
import { ResourceUses } from "@/components/resources/ResourceUses.tsx";
import { type NounPermission, RESOURCE_PERMISSIONS } from "@/lib/access/permissions.ts";
import { type Noun, SECTION_OF } from "@/lib/base/nouns.ts";
import { paths } from "@/lib/base/paths.ts";
import type { ResourceService } from "@/lib/resources/common/service.ts";
import { environmentService } from "@/lib/resources/environments/service.ts";
import { namedGitCredentials } from "@/lib/resources/git_credentials/service.ts";
import { inventoryService } from "@/lib/resources/inventories/service.ts";
import { keyService } from "@/lib/resources/keys/service.ts";
import { repositoryService } from "@/lib/resources/repositories/service.ts";
import { secretStorageService } from "@/lib/resources/secret_storages/service.ts";
import { toolchainService } from "@/lib/resources/toolchains/service.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";
import { routeOf } from "@/lib/web/state.ts";
import { confirmRoute } from "../confirm_page.tsx";

type Service = Pick<
  ResourceService<{ id: number; name: string }, never, never, NounPermission>,
  "get" | "delete" | "references"
>;

const SERVICES: Record<Noun, Service> = {
  keys: keyService,
  secret_storages: secretStorageService,
  repositories: repositoryService,
  git_credentials: namedGitCredentials,
  inventories: inventoryService,
  environments: environmentService,
  toolchains: toolchainService,
};

/** Creates the page that asks before a deletion, or shows what prevents it. */
export function deletePage(noun: Noun) {
  const service = SERVICES[noun];
  const section = SECTION_OF[noun];
  return confirmRoute({
    rights: asMember(RESOURCE_PERMISSIONS[noun]),
    async find(scope, { params }) {
      const id = pageId(params.id);
      const { name } = await service.get(scope, id);
      return { id, name, references: await service.references(scope, id) };
    },
    ask: (ui, { name, references }, { shell }) => ({
      title: ui.t(`resources.${noun}.delete`),
      parts: [name],
      question: ui.t(`resources.${noun}.question`, { name }),
      cancel: paths.section(shell.project.id, section),
      uses: {
        title: ui.t("references.cannot_delete", { name }),
        sentence: ui.t("references.sentence", { name }),
        groups: referenceGroups(ui, shell, references),
      },
    }),
    act: (scope, { id }) => service.delete(scope, id),
    next: ({ name }, { state: { scope } }) => [
      paths.section(scope.projectId, section),
      `flash.${noun}.deleted`,
      { name },
    ],
  });
}

/** Lists what uses a resource. */
export const usesPage = (noun: Noun) =>
  routeOf(
    {
      async GET({ state: { scope }, params }) {
        const id = pageId(params.id);
        const [item, references] = await Promise.all([
          SERVICES[noun].get(scope, id),
          SERVICES[noun].references(scope, id),
        ]);
        return page({ item, references });
      },
    },
    ({ data, state: { ui, shell } }) => (
      <ResourceUses
        ui={ui}
        shell={shell}
        noun={noun}
        {...data}
      />
    ),
  );
