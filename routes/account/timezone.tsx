import { paths } from "@/lib/base/paths.ts";
import { chooseTimezone } from "@/lib/people/accounts/service.ts";
import { timezoneForm } from "@/lib/people/users/schema.ts";
import { parseValues } from "@/lib/web/forms/form.ts";
import { accountForm } from "@/routes/account/index.tsx";

export const handler = accountForm("timezone", {
  parse: (typed) => parseValues(typed, timezoneForm),
  save: ({ scope, value }) => chooseTimezone(scope, value),
  next: () => [paths.account(), "flash.account.timezone_saved"],
});

export { default } from "@/routes/account/index.tsx";
