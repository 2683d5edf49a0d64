import { paths } from "@/lib/base/paths.ts";
import { codeForm } from "@/lib/people/factors/schema.ts";
import { removeSecondFactor } from "@/lib/people/factors/service.ts";
import { parseValues } from "@/lib/web/forms/form.ts";
import { define } from "@/lib/web/state.ts";
import { factorForm } from "@/routes/(_pages)/account/second_factor.ts";

export const handler = define.handlers({
  ...factorForm({
    parse: (typed) => parseValues(typed, codeForm),
    save: ({ scope, value }) => removeSecondFactor(scope, value),
    next: () => [paths.account("security"), "flash.account.factor_removed"],
  }),
  GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.secondFactor()), 303),
});

export { default } from "./index.tsx";
