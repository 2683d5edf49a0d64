import { define, ownAccount } from "@/lib/web/state.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { deleteToken, deleteTokens } from "@/lib/people/tokens/service.ts";

export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.account("tokens")), 303),

  /** Revokes the named token, or all. */
  async POST(ctx) {
    const account = ownAccount(ctx.state);
    const { token } = await readForm(ctx.req);
    if (token) await deleteToken(account, token);
    else await deleteTokens(account);
    return seeOther(ctx, paths.account("tokens"), "flash.account.tokens_revoked");
  },
});
