import { AccountTabs } from "@/components/account/AccountTabs.tsx";
import { AppearanceForm, TimezoneForm } from "@/components/account/AccountForms.tsx";
import { ButtonLink } from "@/components/ui/Button.tsx";
import { paths } from "@/lib/base/paths.ts";
import { chooseTimezone } from "@/lib/people/accounts/service.ts";
import { timezoneForm } from "@/lib/people/users/schema.ts";
import { newForm, parseValues } from "@/lib/web/forms/form.ts";
import { formPage } from "@/lib/web/pages/form_page.ts";
import { asOneself } from "@/lib/web/rights.ts";
import { define, signedIn } from "@/lib/web/state.ts";

export const handler = formPage({
  rights: asOneself,
  find: () => ({}),
  shown: (_found, { state }) => newForm({ timezone: signedIn(state).timezone ?? "" }),
  parse: (typed) => parseValues(typed, timezoneForm),
  save: ({ scope, value }) => chooseTimezone(scope, value),
  next: () => [paths.account("appearance"), "flash.account.timezone_saved"],
});

export default define.page<typeof handler>(({ data: { form }, state }) => {
  const { ui } = state;
  const shortcuts = ui.t("shortcuts.title");
  const look = newForm({ lang: signedIn(state).language ?? "", theme: ui.theme });
  return (
    <>
      <AccountTabs ui={ui} current="appearance" />
      <div class="account-forms">
        <section class="card" aria-label={ui.t("account.appearance")}>
          <AppearanceForm ui={ui} form={look} />
        </section>
        <section class="card" aria-label={ui.t("account.timezone_title")}>
          <TimezoneForm ui={ui} form={form} />
        </section>
      </div>
      <p>
        <ButtonLink icon="keyboard" href={ui.href(paths.shortcuts())} over>{shortcuts}</ButtonLink>
      </p>
    </>
  );
});
