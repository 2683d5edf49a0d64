import { define, signedIn } from "@/lib/web/state.ts";
import { readForm } from "@/lib/web/form.ts";
import { pageId } from "@/lib/web/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/see_other.ts";
import { deleteToken, deleteTokens } from "@/lib/people/tokens/service.ts";

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
