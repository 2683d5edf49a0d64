import { define, signedIn } from "@/lib/deps.ts";
import { readForm } from "@/lib/http/form.ts";
import { pageId } from "@/lib/http/page_ids.ts";
import { paths } from "@/lib/http/paths.ts";
import { seeOther } from "@/lib/http/see_other.ts";
import { deleteToken, deleteTokens } from "@/lib/tokens/service.ts";

export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.user(pageId(ctx.params.userId))), 303),

  /** Revokes the token that is named, or all. */
  async POST(ctx) {
    const { deps } = ctx.state;
    const userId = pageId(ctx.params.userId);
    const { token } = await readForm(ctx.req);
    if (token) await deleteToken(deps, signedIn(ctx.state), userId, token);
    else await deleteTokens(deps, signedIn(ctx.state), userId);
    return seeOther(ctx, paths.user(userId), "flash.account.tokens_revoked");
  },
});
