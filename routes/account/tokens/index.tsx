import { AccountTabs } from "@/components/account/AccountTabs.tsx";
import { TokenForm } from "@/components/account/AccountForms.tsx";
import { Tokens } from "@/components/access/Tokens.tsx";
import { paths } from "@/lib/base/paths.ts";
import { tokenForm } from "@/lib/people/tokens/schema.ts";
import { createToken, listTokens } from "@/lib/people/tokens/service.ts";
import { newForm, parseValues } from "@/lib/web/forms/form.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { asOneself } from "@/lib/web/rights.ts";
import { define, ownAccount } from "@/lib/web/state.ts";

/** Creates a token. Does not redirect, because only this response shows it. */
export const handler = formPage({
  rights: asOneself,
  find: () => ({}),
  shown: () => newForm(),
  parse: (typed) => parseValues(withEnd(typed), tokenForm),
  save: ({ scope, value }) => createToken(scope, value),
  next: ({ result }) => ({ form: newForm(), extra: result.id }),
  beside: async (_form, _found, { state }, made?: string) => ({
    tokens: await listTokens(ownAccount(state)),
    made: made ?? null,
  }),
});

/** Browsers send a day. A token is valid until its end. The schema refuses other texts. */
function withEnd({ expires_at: day, ...values }: FormValues): FormValues {
  if (!day) return values;
  return { ...values, expires_at: /^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T23:59:59Z` : day };
}

export default define.page<typeof handler>(({ data: { form, tokens, made }, state: { ui } }) => (
  <>
    <AccountTabs ui={ui} current="tokens" />
    <Tokens ui={ui} tokens={tokens} revoke={ui.href(paths.revokeAccountTokens())}>
      <div class="max-w-2xl grid gap-4">
        <TokenForm ui={ui} form={form} made={made} />
      </div>
    </Tokens>
  </>
));
