import { localPath } from "@/lib/http/local_path.ts";
import { getUser } from "@/lib/people/accounts/service.ts";
import { getSecondFactor, prepareSecondFactor } from "@/lib/people/factors/service.ts";
import { type FormState, newForm } from "@/lib/web/forms/form.ts";
import { formPage, type FormSettings } from "@/lib/web/pages/form_page.ts";
import { asUser } from "@/lib/web/rights.ts";
import { ownAccount, type State, userScope } from "@/lib/web/state.ts";

/** Loads the current second factor, the data to set one up, and newly created recovery codes. */
async function factorData(form: FormState, state: State, url: URL, codes: string[] | null = null) {
  const account = ownAccount(state);
  const scope = userScope(state);
  const [factor, user] = await Promise.all([getSecondFactor(account), getUser(account)]);
  const next = url.searchParams.get("next");
  return {
    factor,
    codes,
    setup: factor ? null : await prepareSecondFactor(scope, form.values.setup),
    asksPassword: !user.external,
    required: state.deps.config.secondFactorRequired && !factor,
    next: next && localPath(next),
  };
}

type Own = ReturnType<typeof userScope>;

/** Creates the handlers of a form of the page. New recovery codes are its `extra` data. */
export const factorForm = <Value, Result>(
  settings: Pick<
    FormSettings<Own, Own, object, string[], Value, Result, object>,
    "parse" | "save" | "next"
  >,
) =>
  formPage({
    rights: asUser,
    find: () => ({}),
    shown: () => newForm(),
    ...settings,
    beside: (form, _found, { state, url }, codes?: string[]) => factorData(form, state, url, codes),
  });
