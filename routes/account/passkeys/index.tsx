import { AppError } from "@/lib/base/errors.ts";
import { paths } from "@/lib/base/paths.ts";
import { passkeyForm } from "@/lib/people/passkeys/schema.ts";
import { addPasskey } from "@/lib/people/passkeys/service.ts";
import { passkeysHere } from "@/lib/people/sessions/service.ts";
import { parseValues } from "@/lib/web/forms/form.ts";
import { securityForm } from "@/routes/(_pages)/account/security.tsx";

/** Adds a passkey that the browser has created. */
export const handler = securityForm("passkey", {
  parse(typed, _found, { state, url }) {
    if (!passkeysHere(state.deps, url)) throw new AppError(403, "errors.no_passkeys");
    return parseValues(typed, passkeyForm);
  },
  save: ({ scope, value, ctx: { url } }) =>
    addPasskey(scope, passkeysHere(scope.deps, url)!, value),
  next: () => [paths.account("security"), "flash.account.passkey_added"],
});

export { SecurityPage as default } from "@/routes/(_pages)/account/security.tsx";
