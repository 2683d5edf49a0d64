import { accountPage } from "@/routes/account/index.tsx";
import { define, ownAccount } from "@/lib/web/state.ts";
import { submitForm } from "@/lib/web/forms/form.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { timezoneForm } from "@/lib/people/users/schema.ts";
import { chooseTimezone } from "@/lib/people/accounts/service.ts";

export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.account()), 303),

  async POST(ctx) {
    const form = await submitForm(
      ctx.req,
      timezoneForm,
      (value) => chooseTimezone(ownAccount(ctx.state), value),
    );
    if (!form.ok) return await accountPage(ctx, { timezone: form }, 422);
    return seeOther(ctx, paths.account(), "flash.account.timezone_saved");
  },
});

export { default } from "@/routes/account/index.tsx";
