import { paths } from "@/lib/base/paths.ts";
import { codeForm } from "@/lib/people/factors/schema.ts";
import { renewRecoveryCodes } from "@/lib/people/factors/service.ts";
import { newForm, parseValues } from "@/lib/web/forms/form.ts";
import { define } from "@/lib/web/state.ts";
import { factorForm } from "@/routes/(_pages)/account/second_factor.ts";

/** Does not redirect, because only this response shows the new codes. */
export const handler = define.handlers({
  ...factorForm({
    parse: (typed) => parseValues(typed, codeForm),
    save: ({ scope, value }) => renewRecoveryCodes(scope, value),
    next: ({ result }) => ({ form: newForm(), extra: result }),
  }),
  GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.secondFactor()), 303),
});

export { default } from "./index.tsx";
