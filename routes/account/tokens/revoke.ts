import { define, signedIn } from "@/lib/web/state.ts";
import { readForm } from "@/lib/web/form.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/see_other.ts";
import { deleteToken, deleteTokens } from "@/lib/people/tokens/service.ts";

export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.account()), 303),

  /** Revokes the token that is named, or all. */
  async POST(ctx) {
    const { deps } = ctx.state;
    const actor = signedIn(ctx.state);
    const { token } = await readForm(ctx.req);
    if (token) await deleteToken(deps, actor, actor.id, token);
    else await deleteTokens(deps, actor, actor.id);
    return seeOther(ctx, paths.account(), "flash.account.tokens_revoked");
  },
});
