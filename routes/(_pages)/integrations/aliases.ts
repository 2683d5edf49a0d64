import { pageId } from "@/lib/web/pages/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import type { AliasOwner } from "@/lib/triggers/aliases/service.ts";

/** Returns the owner of the webhook URLs that a page is about. */
export const aliasOwner = ({ integrationId }: Record<string, string>): AliasOwner =>
  integrationId === undefined ? null : pageId(integrationId);

/** Returns the path of the list of these webhook URLs. */
export const aliasList = (projectId: number, integrationId: AliasOwner): string =>
  `${
    integrationId === null
      ? paths.section(projectId, "integrations")
      : paths.integration(projectId, integrationId)
  }#aliases`;
