import { notFound } from "@/lib/base/errors.ts";
import { paths } from "@/lib/base/paths.ts";
import { deletePasskey } from "@/lib/people/passkeys/service.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define, ownAccount } from "@/lib/web/state.ts";

export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.account()), 303),

  /** Removes the passkey that is named. */
  async POST(ctx) {
    const account = ownAccount(ctx.state);
    const { passkey } = await readForm(ctx.req);
    if (!passkey) throw notFound();
    await deletePasskey(account, passkey);
    return seeOther(ctx, paths.account(), "flash.account.passkey_removed");
  },
});
