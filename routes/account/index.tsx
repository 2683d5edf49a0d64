import { page } from "fresh";
import { accountAccess } from "@/routes/(_pages)/account_access.ts";
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
import { define, ownAccount, signedIn, type State, userScope } from "@/lib/web/state.ts";
import { expectedOf, formOf, refusedForm, withChoices } from "@/lib/web/forms/conflict.ts";
import { type FormState, newForm, parseValues, saveForm } from "@/lib/web/forms/form.ts";
import { type FormValues, readForm } from "@/lib/web/forms/read_form.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { frameOf } from "@/lib/web/pages/frame.ts";
import { paths } from "@/lib/base/paths.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { listProjects } from "@/lib/maintenance/projects/service.ts";
import { listIdentities } from "@/lib/people/identities/service.ts";
import {
  groupProviders,
  offersDirectory,
  passkeysHere,
  signInOptions,
} from "@/lib/people/sessions/service.ts";
import { userChangeBody, userChangeForm, type UserView } from "@/lib/people/users/schema.ts";
import { OWN_EVENTS } from "@/lib/model/account_row.ts";
import { getUser, updateUser } from "@/lib/people/accounts/service.ts";
import { listOwnKeys } from "@/lib/resources/own_keys/service.ts";

const profileForm = (user: UserView): FormState => {
  const { name, username, email, alert, notify_own } = user;
  return formOf(user, { name, username, email, alert, notify_own });
};

type Forms = "profile" | "timezone" | "password" | "token" | "passkey" | "link" | "directory";

/** Renders the page with its forms. Each is blank unless it was sent. */
export async function accountPage(
  { state, url }: { state: State; url: URL },
  sent:
    & Partial<Record<Forms, FormState>>
    & {
      made?: string;
      wayOut?: WayOut;
    },
  status = 200,
  headers?: Headers,
) {
  const account = ownAccount(state);
  const [user, projects, access, identities, ownKeys] = await Promise.all([
    getUser(account),
    listProjects(userScope(state)),
    accountAccess(account),
    listIdentities(account),
    listOwnKeys(userScope(state)),
  ]);
  return page({
    user,
    projects,
    profile: sent.profile ?? profileForm(user),
    timezone: sent.timezone ?? newForm({ timezone: account.actor.timezone ?? "" }),
    password: sent.password ?? newForm(),
    token: sent.token ?? newForm(),
    passkeyForm: passkeysFor(state, url) && (sent.passkey ?? newForm()),
    made: sent.made ?? null,
    ...access,
    link: sent.link ?? newForm(),
    directory: offersDirectory(state.deps) ? sent.directory ?? newForm() : null,
    wayOut: sent.wayOut ?? null,
    identities,
    ownKeys,
  }, { status, headers });
}

/** Whether the account may have passkeys. Users of an external provider sign in there. */
const passkeysFor = (state: State, url: URL) =>
  signedIn(state).external ? null : passkeysHere(state.deps, url);

export const handler = define.handlers({
  GET: (ctx) => accountPage(ctx, { profile: restoredForm(ctx.state) }),

  async POST(ctx) {
    const account = ownAccount(ctx.state);
    const user = await getUser(account);
    const { external, name, username, email } = user;
    const typed = withChoices(await readForm(ctx.req), profileForm(user));
    // Browsers do not send a list without a chosen item.
    const hasChosen = Object.keys(typed).some((field) => /^notify_own(\.|$)/.test(field));
    const { admin: _, password: __, ...values }: FormValues = {
      ...typed,
      ...!hasChosen && { notify_own: "" },
      ...external && { name, username, email },
    };
    const form = await saveForm(
      parseValues(values, external ? userChangeBody : userChangeForm),
      (value) => updateUser(account, value, expectedOf(typed)),
    );
    if (!form.ok) {
      const readNow = async () => profileForm(await getUser(account));
      const refused = await refusedForm(values, form.errors, readNow);
      return await accountPage(ctx, { profile: refused.form }, refused.status);
    }
    return seeOther(ctx, paths.account(), "flash.account.saved");
  },
});

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
