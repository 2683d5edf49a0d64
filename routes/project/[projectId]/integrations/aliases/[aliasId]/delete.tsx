import { notFound } from "@/lib/base/errors.ts";
import { deleteAlias, listAliases } from "@/lib/triggers/aliases/service.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { asMember } from "@/lib/web/rights.ts";
import { aliasList, aliasOwner } from "@/routes/(_pages)/integrations/aliases.ts";
import { confirmPage } from "@/routes/(_pages)/confirm_page.tsx";

const { handler, Page } = confirmPage({
  rights: asMember("manage_triggers"),
  async find(scope, { params, url }) {
    const owner = aliasOwner(params);
    const id = pageId(params.aliasId);
    const alias = (await listAliases(scope, owner, url.origin)).find((one) => one.id === id);
    if (!alias) throw notFound();
    return { id, owner, url: alias.url, list: aliasList(scope.projectId, owner) };
  },
  ask: (ui, { url, list }) => ({
    title: ui.t("aliases.delete"),
    parts: [url],
    question: ui.t("aliases.question", { url }),
    cancel: list,
  }),
  act: (scope, { id, owner }) => deleteAlias(scope, owner, id),
  next: ({ list }) => [list, "flash.aliases.deleted"],
});
export { handler, Page as default };
