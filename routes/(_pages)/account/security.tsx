import { type Context, page } from "fresh";
import { AccountAccess } from "@/components/account/AccountAccess.tsx";
import { PasswordForm } from "@/components/account/AccountForms.tsx";
import { AccountTabs } from "@/components/account/AccountTabs.tsx";
import { Identities, type WayOut } from "@/components/identities/Identities.tsx";
import { paths } from "@/lib/base/paths.ts";
import { getUser } from "@/lib/people/accounts/service.ts";
import { listIdentities } from "@/lib/people/identities/service.ts";
import {
  groupProviders,
  offersDirectory,
  passkeysHere,
  signInOptions,
} from "@/lib/people/sessions/service.ts";
import { type FormState, newForm } from "@/lib/web/forms/form.ts";
import { formPage, type FormSettings } from "@/lib/web/pages/form_page.ts";
import { asOneself } from "@/lib/web/rights.ts";
import { define, ownAccount, signedIn, type State } from "@/lib/web/state.ts";
import { accountSecurity } from "./access.ts";

type Forms = "password" | "passkey" | "link" | "directory";

/** Loads the page's data with one of its forms. The others are as if they were not sent. */
async function securityData(
  { state, url }: Pick<Context<State>, "state" | "url">,
  sent: Partial<Record<Forms, FormState>> = {},
  wayOut: WayOut | null = null,
) {
  const account = ownAccount(state);
  const [{ external }, access, identities] = await Promise.all([
    getUser(account),
    accountSecurity(account),
    listIdentities(account),
  ]);
  return {
    external,
    identities,
    wayOut,
    ...access,
    password: sent.password ?? newForm(),
    passkeyForm: passkeysFor(state, url) && (sent.passkey ?? newForm()),
    link: sent.link ?? newForm(),
    directory: offersDirectory(state.deps) ? sent.directory ?? newForm() : null,
  };
}

/** Whether the account may have passkeys. Users of an external provider sign in there. */
const passkeysFor = (state: State, url: URL) =>
  signedIn(state).external ? null : passkeysHere(state.deps, url);

export const securityHandler = define.handlers({
  GET: async (ctx) => page(await securityData(ctx)),
});

type Own = ReturnType<typeof ownAccount>;

/** Creates the handlers of a form of the page, whose address leads to the page. */
export function securityForm<Value, Result>(
  name: Forms,
  settings: Pick<
    FormSettings<Own, Own, object, WayOut, Value, Result, object>,
    "parse" | "save" | "shownStatuses" | "next"
  >,
) {
  const form = formPage({
    rights: asOneself,
    find: () => ({}),
    shown: () => newForm(),
    ...settings,
    beside: (form, _found, ctx, wayOut?: WayOut) => securityData(ctx, { [name]: form }, wayOut),
  });
  return define.handlers({
    ...form,
    GET: (ctx) =>
      ctx.state.kept
        ? form.GET(ctx)
        : ctx.redirect(ctx.state.ui.href(paths.account("security")), 303),
  });
}

/** How one signs in to one's own account. */
export const SecurityPage = define.page<typeof securityHandler>(({ data, state }) => {
  const { ui, deps } = state;
  const { external, identities, directory } = data;
  const { oidc_providers: providers } = signInOptions(deps);
  const names = new Map(groupProviders(deps).map(({ id, name }) => [id, name]));
  return (
    <>
      <AccountTabs ui={ui} current="security" />
      <div class="grid grid-cols-1 gap-6">
        {!external && (
          <section class="card account-card" aria-label={ui.t("account.change_password")}>
            <PasswordForm ui={ui} form={data.password} />
          </section>
        )}
        <AccountAccess ui={ui} {...data}>
          {(providers.length > 0 || identities.length > 0 || directory) && (
            <Identities
              ui={ui}
              identities={identities}
              providers={providers}
              names={names}
              form={data.link}
              directory={directory}
              hasPassword={!external}
              wayOut={data.wayOut}
            />
          )}
        </AccountAccess>
      </div>
    </>
  );
});
