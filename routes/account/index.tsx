import { AccountTabs } from "@/components/account/AccountTabs.tsx";
import { ProfileForm } from "@/components/account/AccountForms.tsx";
import { paths } from "@/lib/base/paths.ts";
import { membersOf } from "@/lib/base/version.ts";
import { getUser, updateMembers } from "@/lib/people/accounts/service.ts";
import { userChangeBody, userChangeForm } from "@/lib/people/users/schema.ts";
import { formOf } from "@/lib/web/forms/conflict.ts";
import { parseValues } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { asOneself } from "@/lib/web/rights.ts";
import { define } from "@/lib/web/state.ts";

/** The members that the form changes. Others do not make it stale. */
const MEMBERS = ["name", "username", "email"] as const;

export const handler = formPage({
  rights: asOneself,
  find: async (account) => ({ user: await getUser(account) }),
  shown: ({ user }) => formOf(membersOf(user, MEMBERS)),
  read({ admin: _, password: __, ...typed }, { user: { external, name, username, email } }) {
    return { ...typed, ...external && { name, username, email } };
  },
  parse: (typed, { user }) => parseValues(typed, user.external ? userChangeBody : userChangeForm),
  save({ scope, value: { alert: _, notify_own: __, ...value }, expected }) {
    return updateMembers(scope, MEMBERS, value, expected);
  },
  next: () => [paths.account(), "flash.account.saved"],
});

export default define.page<typeof handler>(({ data: { user, form }, state: { ui } }) => (
  <>
    <AccountTabs ui={ui} current="profile" />
    <section class="card account-card" aria-label={ui.t("account.profile")}>
      <ProfileForm ui={ui} form={form} external={user.external} />
    </section>
  </>
));
