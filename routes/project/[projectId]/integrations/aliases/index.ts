import { reopen } from "@/lib/access/scope.ts";
import { aliasList, aliasOwner } from "@/routes/(_pages)/integrations/aliases.ts";
import { createAlias } from "@/lib/triggers/aliases/service.ts";
import { define } from "@/lib/web/state.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";

/** Creates webhook URLs of the integration that the path names, or else of the project. */
export const handler = define.handlers({
  async POST(ctx) {
    const { state: { scope }, params, url } = ctx;
    const owner = aliasOwner(params);
    await createAlias(await reopen(scope, "manage_triggers"), owner, url.origin);
    return seeOther(ctx, aliasList(scope.projectId, owner), "flash.aliases.created");
  },
});
