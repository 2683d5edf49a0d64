import { secondFactorPage } from "@/routes/(_pages)/second_factor.ts";
import { paths } from "@/lib/base/paths.ts";
import { codeForm } from "@/lib/people/factors/schema.ts";
import { renewRecoveryCodes } from "@/lib/people/factors/service.ts";
import { submitForm } from "@/lib/web/forms/form.ts";
import { define, userScope } from "@/lib/web/state.ts";

export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.secondFactor()), 303),

  /** Creates new recovery codes. Does not redirect, because only this response shows them. */
  async POST({ state, url, req }) {
    const scope = userScope(state);
    const form = await submitForm(req, codeForm, (value) => renewRecoveryCodes(scope, value));
    if (!form.ok) return await secondFactorPage(state, url, { form }, 422);
    return await secondFactorPage(state, url, { codes: form.result });
  },
});

export { default } from "./index.tsx";
