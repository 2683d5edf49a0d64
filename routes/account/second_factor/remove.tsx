import { secondFactorPage } from "@/routes/(_pages)/second_factor.ts";
import { paths } from "@/lib/base/paths.ts";
import { codeForm } from "@/lib/people/factors/schema.ts";
import { removeSecondFactor } from "@/lib/people/factors/service.ts";
import { submitForm } from "@/lib/web/forms/form.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define, userScope } from "@/lib/web/state.ts";

export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.secondFactor()), 303),

  async POST(ctx) {
    const { state, url, req } = ctx;
    const scope = userScope(state);
    const form = await submitForm(req, codeForm, (value) => removeSecondFactor(scope, value));
    if (!form.ok) return await secondFactorPage(state, url, { form }, 422);
    return seeOther(ctx, paths.account(), "flash.account.factor_removed");
  },
});

export { default } from "./index.tsx";
