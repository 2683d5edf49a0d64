import { reopen } from "@/lib/access/scope.ts";
import { page } from "fresh";
import { AskDelete } from "@/components/integrations/AskDelete.tsx";
import { aliasList, aliasOwner } from "@/routes/(_pages)/aliases.ts";
import { deleteAlias, listAliases } from "@/lib/triggers/aliases/service.ts";
import { define } from "@/lib/web/state.ts";
import { notFound } from "@/lib/base/errors.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { requirePermission } from "@/lib/web/shell.ts";

export const handler = define.handlers({
  async GET({ state, params, url }) {
    requirePermission(state.shell, "manage_resources");
    const owner = aliasOwner(params);
    const id = pageId(params.aliasId);
    const aliases = await listAliases(state.scope, owner, url.origin);
    const alias = aliases.find((one) => one.id === id);
    if (!alias) throw notFound();
    return page({ owner, alias });
  },

  async POST(ctx) {
    const { state: { scope }, params } = ctx;
    const owner = aliasOwner(params);
    await deleteAlias(await reopen(scope, "manage_resources"), owner, pageId(params.aliasId));
    return seeOther(ctx, aliasList(scope.projectId, owner), "flash.aliases.deleted");
  },
});

export default define.page<typeof handler>(({ data: { owner, alias }, state }) => (
  <AskDelete
    ui={state.ui}
    shell={state.shell}
    title={state.ui.t("aliases.delete")}
    name={alias.url}
    question={state.ui.t("aliases.question", { url: alias.url })}
    item={`${paths.aliases(state.scope.projectId, owner)}/${alias.id}`}
    cancel={aliasList(state.scope.projectId, owner)}
  />
));
