import * as z from "zod";
import { accountPage } from "@/routes/account/index.tsx";
import { define, ownAccount } from "@/lib/web/state.ts";
import { submitForm } from "@/lib/web/forms/form.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { passwordForm } from "@/lib/people/users/schema.ts";
import { changePassword } from "@/lib/people/accounts/service.ts";

/** Requires the current password. Only older clients of the API may omit it. */
const ownPasswordForm = passwordForm.extend({
  current_password: z.string("errors.required").min(1, "errors.required").max(
    1024,
    "errors.too_long",
  ),
});

export const handler = define.handlers({
  GET(ctx) {
    const password = restoredForm(ctx.state);
    if (password) return accountPage(ctx, { password });
    return ctx.redirect(ctx.state.ui.href(paths.account()), 303);
  },

  async POST(ctx) {
    const account = ownAccount(ctx.state);
    const form = await submitForm(
      ctx.req,
      ownPasswordForm,
      (value) => changePassword(account, value),
    );
    if (!form.ok) return await accountPage(ctx, { password: form }, 422);
    return seeOther(ctx, paths.account(), "flash.account.password_changed");
  },
});

export { default } from "@/routes/account/index.tsx";
