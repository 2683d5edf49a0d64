import { openAccount } from "@/lib/access/scope.ts";
import { define, userScope } from "@/lib/web/state.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { deleteToken, deleteTokens } from "@/lib/people/tokens/service.ts";

export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.user(pageId(ctx.params.userId))), 303),

  /** Revokes the named token, or all. */
  async POST(ctx) {
    const userId = pageId(ctx.params.userId);
    const account = openAccount(userScope(ctx.state), userId);
    const { token } = await readForm(ctx.req);
    if (token) {
      await deleteToken(account, token);
    } else await deleteTokens(account);
    return seeOther(ctx, paths.user(userId), "flash.account.tokens_revoked");
  },
});
