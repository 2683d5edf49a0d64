import { accountPage } from "@/routes/account/index.tsx";
import { define, userScope } from "@/lib/web/state.ts";
import { parseValues, saveForm } from "@/lib/web/forms/form.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { paths } from "@/lib/base/paths.ts";
import { tokenForm } from "@/lib/people/tokens/schema.ts";
import { createToken } from "@/lib/people/tokens/service.ts";

export const handler = define.handlers({
  GET(ctx) {
    const token = restoredForm(ctx.state);
    if (token) return accountPage(ctx, { token });
    return ctx.redirect(ctx.state.ui.href(paths.account()), 303);
  },

  /** Creates a token. Does not redirect, because only this response shows it. */
  async POST(ctx) {
    const scope = userScope(ctx.state);
    const { expires_at: day, ...values } = await readForm(ctx.req);
    const parsed = parseValues(day ? { ...values, expires_at: endOf(day) } : values, tokenForm);
    const form = await saveForm(parsed, (value) => createToken(scope, value));
    if (form.ok) return await accountPage(ctx, { made: form.result.id });
    const typed = { ...form, values: { ...values, expires_at: day ?? "" } };
    return await accountPage(ctx, { token: typed }, 422);
  },
});

/**
 * Returns the end of a day, because browsers send a day and a token is valid until its end. The
 * schema refuses other texts.
 */
const endOf = (day: string) => /^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T23:59:59Z` : day;

export { default } from "@/routes/account/index.tsx";
