import { openAccount } from "@/lib/access/scope.ts";
import { notFound } from "@/lib/base/errors.ts";
import { paths } from "@/lib/base/paths.ts";
import { deletePasskey } from "@/lib/people/passkeys/service.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define, userScope } from "@/lib/web/state.ts";

export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.user(pageId(ctx.params.userId))), 303),

  /** Removes the named passkey of a user. */
  async POST(ctx) {
    const userId = pageId(ctx.params.userId);
    const account = openAccount(userScope(ctx.state), userId);
    const { passkey } = await readForm(ctx.req);
    if (!passkey) throw notFound();
    await deletePasskey(account, passkey);
    return seeOther(ctx, paths.user(userId), "flash.account.passkey_removed");
  },
});
