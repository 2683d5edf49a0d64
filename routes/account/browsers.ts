import { paths } from "@/lib/base/paths.ts";
import { forgetBrowsers } from "@/lib/people/factors/trusted_browsers.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define, ownAccount } from "@/lib/web/state.ts";

export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.account("security")), 303),

  /** Requires a code again from the named browser, or from all. */
  async POST(ctx) {
    const account = ownAccount(ctx.state);
    const { browser } = await readForm(ctx.req);
    await forgetBrowsers(account, browser);
    return seeOther(ctx, paths.account("security"), "flash.account.browsers_forgotten");
  },
});
