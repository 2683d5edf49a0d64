import { AccountTabs } from "@/components/account/AccountTabs.tsx";
import { TokenForm } from "@/components/access/TokenForm.tsx";
import { SHOW_TEMPLATES } from "@/components/access/TokenLimits.tsx";
import { Tokens } from "@/components/access/Tokens.tsx";
import { Checkbox } from "@/components/ui/forms/Choice.tsx";
import { paths } from "@/lib/base/paths.ts";
import { tokenForm } from "@/lib/people/tokens/schema.ts";
import { createToken, listTokens } from "@/lib/people/tokens/service.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { asOneself } from "@/lib/web/rights.ts";
import { define, ownAccount } from "@/lib/web/state.ts";
import { limitNames, ownChoices } from "@/routes/(_pages)/tokens/choices.ts";
import { newTokenForm, parseToken } from "@/routes/(_pages)/tokens/form.ts";

/** Creates a token. Does not redirect, because only this response shows it. */
export const handler = formPage({
  rights: asOneself,
  find: () => ({}),
  shown: newTokenForm,
  button: ({ [SHOW_TEMPLATES]: pressed, ...values }) =>
    pressed ? { form: { values, errors: {}, isRedrawn: true } } : null,
  parse: (typed) => parseToken(typed, tokenForm),
  save: ({ scope, value }) => createToken(scope, value),
  next: ({ result }) => ({ form: newTokenForm(), extra: result.id }),
  async beside(form, _found, { state }, made?: string) {
    const tokens = await listTokens(ownAccount(state));
    return {
      tokens,
      choices: await ownChoices(state, form.values),
      names: await limitNames(state, tokens),
      made: made ?? null,
    };
  },
});

export default define.page<typeof handler>(({ data, state: { ui } }) => {
  const { form, tokens, choices, names, made } = data;
  const label = ui.t("tokens.may_make_tokens");
  return (
    <>
      <AccountTabs ui={ui} current="tokens" />
      <Tokens ui={ui} tokens={tokens} names={names} revoke={ui.href(paths.revokeAccountTokens())}>
        <div class="max-w-2xl grid gap-4">
          <TokenForm
            {...{ ui, form, choices, made }}
            action={ui.href(paths.account("tokens"))}
          >
            <Checkbox {...{ ui, form, label }} name="may_make_tokens" />
          </TokenForm>
        </div>
      </Tokens>
    </>
  );
});
