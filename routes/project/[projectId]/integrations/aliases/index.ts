import { aliasList, aliasOwner } from "@/lib/aliases/page.ts";
import { createAlias } from "@/lib/aliases/service.ts";
import { define, signedIn } from "@/lib/deps.ts";
import { seeOther } from "@/lib/http/see_other.ts";

/** New addresses: of an integration where the address names one, else of the project. */
export const handler = define.handlers({
  async POST(ctx) {
    const { state, params, url } = ctx;
    const owner = aliasOwner(state, params);
    await createAlias(state.deps, signedIn(state), owner, url.origin);
    return seeOther(ctx, aliasList(owner), "flash.aliases.created");
  },
});
