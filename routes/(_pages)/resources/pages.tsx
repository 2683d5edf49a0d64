import { page } from "fresh";
import { DeleteResource } from "@/components/resources/DeleteResource.tsx";
import { ResourceUses } from "@/components/resources/ResourceUses.tsx";
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
import { routeOf } from "@/lib/web/state.ts";
import { deleteHandlers } from "../delete.ts";

type Service = Pick<
  ResourceService<{ id: number; name: string }, never>,
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

/** Asks for confirmation before a deletion, or shows what prevents it. */
export const deletePage = (noun: Noun) =>
  routeOf(
    deleteHandlers({
      param: "id",
      service: SERVICES[noun],
      done: (projectId, { name }) => [
        paths.section(projectId, SECTION_OF[noun]),
        `flash.${noun}.deleted`,
        { name },
      ],
    }),
    ({ data, state: { ui, shell } }) => (
      <DeleteResource ui={ui} shell={shell} noun={noun} {...data} />
    ),
  );

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
