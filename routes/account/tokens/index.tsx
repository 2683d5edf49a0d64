import { tokenForm } from "@/lib/people/tokens/schema.ts";
import { createToken } from "@/lib/people/tokens/service.ts";
import { newForm, parseValues } from "@/lib/web/forms/form.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";
import { accountForm } from "@/routes/account/index.tsx";

/** Creates a token. Does not redirect, because only this response shows it. */
export const handler = accountForm("token", {
  parse: (typed) => parseValues(withEnd(typed), tokenForm),
  save: ({ scope, value }) => createToken(scope, value),
  next: ({ result }) => ({ form: newForm(), extra: { made: result.id } }),
});

/** Browsers send a day. A token is valid until its end. The schema refuses other texts. */
function withEnd({ expires_at: day, ...values }: FormValues): FormValues {
  if (!day) return values;
  return { ...values, expires_at: /^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T23:59:59Z` : day };
}

export { default } from "@/routes/account/index.tsx";
