import { aliasList, aliasOwner } from "@/routes/(_pages)/aliases.ts";
import { createAlias } from "@/lib/triggers/aliases/service.ts";
import { define, signedIn } from "@/lib/web/state.ts";
import { seeOther } from "@/lib/web/see_other.ts";

/** New addresses: of an integration where the address names one, else of the project. */
export const handler = define.handlers({
  async POST(ctx) {
    const { state, params, url } = ctx;
    const owner = aliasOwner(state, params);
    await createAlias(state.deps, signedIn(state), owner, url.origin);
    return seeOther(ctx, aliasList(owner), "flash.aliases.created");
  },
});
