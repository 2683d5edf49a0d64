import { page } from "fresh";
import { AskDelete } from "@/components/integrations/AskDelete.tsx";
import { aliasList, aliasOwner } from "@/lib/aliases/page.ts";
import { deleteAlias, listAliases } from "@/lib/aliases/service.ts";
import { define, signedIn } from "@/lib/deps.ts";
import { notFound } from "@/lib/errors.ts";
import { pageId } from "@/lib/http/page_ids.ts";
import { paths } from "@/lib/http/paths.ts";
import { seeOther } from "@/lib/http/see_other.ts";
import { requirePermission } from "@/lib/http/shell.ts";

export const handler = define.handlers({
  async GET({ state, params, url }) {
    requirePermission(state.shell, "manage_resources");
    const owner = aliasOwner(state, params);
    const id = pageId(params.aliasId);
    const aliases = await listAliases(state.deps, signedIn(state), owner, url.origin);
    const alias = aliases.find((one) => one.id === id);
    if (!alias) throw notFound();
    return page({ owner, alias });
  },

  async POST(ctx) {
    const { state, params } = ctx;
    const owner = aliasOwner(state, params);
    await deleteAlias(state.deps, signedIn(state), owner, pageId(params.aliasId));
    return seeOther(ctx, aliasList(owner), "flash.aliases.deleted");
  },
});

export default define.page<typeof handler>(({ data: { owner, alias }, state }) => (
  <AskDelete
    ui={state.ui}
    shell={state.shell}
    title={state.ui.t("aliases.delete")}
    name={alias.url}
    question={state.ui.t("aliases.question", { url: alias.url })}
    item={`${paths.aliases(owner.projectId, owner.integrationId)}/${alias.id}`}
    cancel={aliasList(owner)}
  />
));
