import { AccountTabs } from "@/components/account/AccountTabs.tsx";
import { ProfileForm } from "@/components/account/AccountForms.tsx";
import { paths } from "@/lib/base/paths.ts";
import { getUser, updateUser } from "@/lib/people/accounts/service.ts";
import { userChangeBody, userChangeForm } from "@/lib/people/users/schema.ts";
import { formOf } from "@/lib/web/forms/conflict.ts";
import { parseValues } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { asOneself } from "@/lib/web/rights.ts";
import { define } from "@/lib/web/state.ts";

export const handler = formPage({
  rights: asOneself,
  find: async (account) => ({ user: await getUser(account) }),
  shown: ({ user }) => {
    const { name, username, email } = user;
    return formOf(user, { name, username, email });
  },
  read({ admin: _, password: __, ...typed }, { user: { external, name, username, email } }) {
    return { ...typed, ...external && { name, username, email } };
  },
  parse: (typed, { user }) => parseValues(typed, user.external ? userChangeBody : userChangeForm),
  save: ({ scope, value, found: { user: { alert, notify_own } }, expected }) =>
    updateUser(scope, { ...value, alert, notify_own }, expected),
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
