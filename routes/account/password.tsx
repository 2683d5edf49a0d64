import * as z from "zod";
import { paths } from "@/lib/base/paths.ts";
import { changePassword } from "@/lib/people/accounts/service.ts";
import { passwordForm } from "@/lib/people/users/schema.ts";
import { parseValues } from "@/lib/web/forms/form.ts";
import { securityForm } from "@/routes/(_pages)/account/security.tsx";

/** Requires the current password. Only older clients of the API may omit it. */
const ownPasswordForm = passwordForm.extend({
  current_password: z.string("errors.required").min(1, "errors.required").max(
    1024,
    "errors.too_long",
  ),
});

export const handler = securityForm("password", {
  parse: (typed) => parseValues(typed, ownPasswordForm),
  save: ({ scope, value }) => changePassword(scope, value),
  next: () => [paths.account("security"), "flash.account.password_changed"],
});

export { SecurityPage as default } from "@/routes/(_pages)/account/security.tsx";
