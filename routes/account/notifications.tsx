import { AccountTabs } from "@/components/account/AccountTabs.tsx";
import { NotificationsForm } from "@/components/account/AccountForms.tsx";
import OwnNotices from "@/islands/OwnNotices.tsx";
import { paths } from "@/lib/base/paths.ts";
import { membersOf } from "@/lib/base/version.ts";
import { OWN_EVENTS } from "@/lib/model/account_row.ts";
import { getUser, updateMembers } from "@/lib/people/accounts/service.ts";
import { notificationsForm } from "@/lib/people/users/schema.ts";
import { formOf } from "@/lib/web/forms/conflict.ts";
import { parseValues } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { asOneself } from "@/lib/web/rights.ts";
import { define } from "@/lib/web/state.ts";

/** The members that the form changes. Others do not make it stale. */
const MEMBERS = ["alert", "notify_own"] as const;

export const handler = formPage({
  rights: asOneself,
  find: async (account) => ({ user: await getUser(account) }),
  shown: ({ user }) => formOf(membersOf(user, MEMBERS)),
  read(sent) {
    // Browsers do not send a list without a chosen item.
    const hasChosen = Object.keys(sent).some((field) => /^notify_own(\.|$)/.test(field));
    return hasChosen ? sent : { ...sent, notify_own: "" };
  },
  parse: (typed) => parseValues(typed, notificationsForm),
  save: ({ scope, value, expected }) => updateMembers(scope, MEMBERS, value, expected),
  next: () => [paths.account("notifications"), "flash.account.saved"],
});

export default define.page<typeof handler>(({ data: { form }, state: { ui } }) => (
  <>
    <AccountTabs ui={ui} current="notifications" />
    <div class="account-forms">
      <section class="card" aria-label={ui.t("account.notifications")}>
        <NotificationsForm ui={ui} form={form} />
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
    </div>
  </>
));
