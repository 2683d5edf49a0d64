import type { Context } from "fresh";
import { OwnKeys } from "@/components/account/OwnKeys.tsx";
import { AccountAccess } from "@/components/account/AccountAccess.tsx";
import OwnNotices from "@/islands/OwnNotices.tsx";
import { Identities, type WayOut } from "@/components/identities/Identities.tsx";
import {
  PasswordForm,
  ProfileForm,
  TimezoneForm,
  TokenForm,
} from "@/components/account/AccountForms.tsx";
import { Frame } from "@/components/shell/Frame.tsx";
import { PageHeader, Title } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/base/paths.ts";
import { listProjects } from "@/lib/maintenance/projects/service.ts";
import { OWN_EVENTS } from "@/lib/model/account_row.ts";
import { getUser, updateUser } from "@/lib/people/accounts/service.ts";
import { listIdentities } from "@/lib/people/identities/service.ts";
import {
  groupProviders,
  offersDirectory,
  passkeysHere,
  signInOptions,
} from "@/lib/people/sessions/service.ts";
import { userChangeBody, userChangeForm, type UserView } from "@/lib/people/users/schema.ts";
import { listOwnKeys } from "@/lib/resources/own_keys/service.ts";
import { formOf } from "@/lib/web/forms/conflict.ts";
import { type FormState, newForm, parseValues } from "@/lib/web/forms/form.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";
import { formPage, type FormSettings } from "@/lib/web/pages/form_page.ts";
import { frameOf } from "@/lib/web/pages/frame.ts";
import { asOneself } from "@/lib/web/rights.ts";
import { define, ownAccount, signedIn, type State, userScope } from "@/lib/web/state.ts";
import { accountAccess } from "@/routes/(_pages)/account/access.ts";

type Forms = "profile" | "timezone" | "password" | "token" | "passkey" | "link" | "directory";

/** Parts of the page that are shown once, by the answer to a form. */
interface Once {
  made?: string;
  wayOut?: WayOut;
}

/** Loads the page's data with one of its forms. The others are as if they were not sent. */
async function accountData(
  { state, url }: Pick<Context<State>, "state" | "url">,
  sent: Partial<Record<Forms, FormState>>,
  { made, wayOut }: Once = {},
) {
  const account = ownAccount(state);
  const [user, projects, access, identities, ownKeys] = await Promise.all([
    getUser(account),
    listProjects(userScope(state)),
    accountAccess(account),
    listIdentities(account),
    listOwnKeys(userScope(state)),
  ]);
  return {
    user,
    projects,
    profile: sent.profile ?? profileForm(user),
    timezone: sent.timezone ?? newForm({ timezone: account.actor.timezone ?? "" }),
    password: sent.password ?? newForm(),
    token: sent.token ?? newForm(),
    passkeyForm: passkeysFor(state, url) && (sent.passkey ?? newForm()),
    made: made ?? null,
    ...access,
    link: sent.link ?? newForm(),
    directory: offersDirectory(state.deps) ? sent.directory ?? newForm() : null,
    wayOut: wayOut ?? null,
    identities,
    ownKeys,
  };
}

/** Whether the account may have passkeys. Users of an external provider sign in there. */
const passkeysFor = (state: State, url: URL) =>
  signedIn(state).external ? null : passkeysHere(state.deps, url);

const profileForm = (user: UserView): FormState => {
  const { name, username, email, alert, notify_own } = user;
  return formOf(user, { name, username, email, alert, notify_own });
};

export const handler = formPage({
  rights: asOneself,
  find: async (account) => ({ user: await getUser(account) }),
  shown: ({ user }) => profileForm(user),
  read(sent, { user: { external, name, username, email } }): FormValues {
    // Browsers do not send a list without a chosen item.
    const hasChosen = Object.keys(sent).some((field) => /^notify_own(\.|$)/.test(field));
    const { admin: _, password: __, ...typed } = sent;
    return {
      ...typed,
      ...!hasChosen && { notify_own: "" },
      ...external && { name, username, email },
    };
  },
  parse: (typed, { user }) => parseValues(typed, user.external ? userChangeBody : userChangeForm),
  save: ({ scope, value, expected }) => updateUser(scope, value, expected),
  next: () => [paths.account(), "flash.account.saved"],
  beside: (profile, _found, ctx) => accountData(ctx, { profile }),
});

type Own = ReturnType<typeof ownAccount>;

/** Creates the handlers of another form of the page, whose address leads to the page. */
export function accountForm<Value, Result>(
  name: Forms,
  settings: Pick<
    FormSettings<Own, Own, object, Once, Value, Result, object>,
    "parse" | "save" | "shownStatuses" | "next"
  >,
) {
  const form = formPage({
    rights: asOneself,
    find: () => ({}),
    shown: () => newForm(),
    ...settings,
    beside: (form, _found, ctx, once?: Once) => accountData(ctx, { [name]: form }, once),
  });
  return define.handlers({
    ...form,
    GET: (ctx) =>
      ctx.state.kept ? form.GET(ctx) : ctx.redirect(ctx.state.ui.href(paths.account()), 303),
  });
}

export default define.page<typeof handler>(({ data, state, url, req }) => {
  const { ui } = state;
  const { user, projects, profile, timezone, password, token, made } = data;
  const { oidc_providers: providers } = signInOptions(state.deps);
  const names = new Map(groupProviders(state.deps).map(({ id, name }) => [id, name]));
  return (
    <Frame
      {...frameOf(state.deps, signedIn(state), { url, req })}
      ui={ui}
      shell={null}
      projects={projects}
    >
      <Title ui={ui} parts={[ui.t("account.edit")]} />
      <PageHeader title={ui.t("account.edit")} />
      <div class="grid grid-cols-1 gap-6">
        <div class="account-forms">
          <section class="card" aria-label={ui.t("account.edit")}>
            <ProfileForm ui={ui} form={profile} external={user.external} />
          </section>
          <div class="grid gap-6">
            <section class="card" aria-label={ui.t("account.timezone_title")}>
              <TimezoneForm ui={ui} form={timezone} />
            </section>
            <OwnNotices
              events={OWN_EVENTS.map((value) => ({ value, label: ui.t(`alert_events.${value}`) }))}
              texts={{
                title: ui.t("account.notices"),
                hint: ui.t("account.notices_hint"),
                unsupported: ui.t("account.notices_unsupported"),
                denied: ui.t("account.notices_denied"),
              }}
            />
            {!user.external && (
              <section class="card" aria-label={ui.t("account.change_password")}>
                <PasswordForm ui={ui} form={password} />
              </section>
            )}
          </div>
        </div>
        {(providers.length > 0 || data.identities.length > 0 || data.directory) && (
          <Identities
            ui={ui}
            identities={data.identities}
            providers={providers}
            names={names}
            form={data.link}
            directory={data.directory}
            hasPassword={!user.external}
            wayOut={data.wayOut}
          />
        )}
        <OwnKeys ui={ui} keys={data.ownKeys} />
        <AccountAccess ui={ui} {...data}>
          <div class="max-w-2xl grid gap-4">
            <TokenForm ui={ui} form={token} made={made} />
          </div>
        </AccountAccess>
      </div>
    </Frame>
  );
});
