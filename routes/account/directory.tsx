import { accountPage } from "@/routes/account/index.tsx";
import { paths } from "@/lib/base/paths.ts";
import { directoryLinkForm } from "@/lib/people/sessions/schema.ts";
import { linkDirectory } from "@/lib/people/sessions/service.ts";
import { submitForm } from "@/lib/web/forms/form.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define, ownAccount } from "@/lib/web/state.ts";

const SHOWN_STATUSES = [400, 403, 409, 429, 503];

export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.account()), 303),

  /** Links the account to a person of the directory. */
  async POST(ctx) {
    const account = ownAccount(ctx.state);
    const form = await submitForm(
      ctx.req,
      directoryLinkForm,
      (value) => linkDirectory(account, value),
      { shownStatuses: SHOWN_STATUSES },
    );
    if (!form.ok) return await accountPage(ctx, { directory: form }, 422);
    return seeOther(ctx, paths.account(), "flash.account.linked");
  },
});

export { default } from "@/routes/account/index.tsx";
