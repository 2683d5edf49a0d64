import { AppError } from "@/lib/base/errors.ts";
import { paths } from "@/lib/base/paths.ts";
import { passkeyForm } from "@/lib/people/passkeys/schema.ts";
import { addPasskey } from "@/lib/people/passkeys/service.ts";
import { passkeysHere } from "@/lib/people/sessions/service.ts";
import { parseValues } from "@/lib/web/forms/form.ts";
import { accountForm } from "@/routes/account/index.tsx";

/** Adds a passkey that the browser has created. */
export const handler = accountForm("passkey", {
  parse(typed, _found, { state, url }) {
    if (!passkeysHere(state.deps, url)) throw new AppError(403, "errors.no_passkeys");
    return parseValues(typed, passkeyForm);
  },
  save: ({ scope, value, ctx: { url } }) =>
    addPasskey(scope, passkeysHere(scope.deps, url)!, value),
  next: () => [paths.account(), "flash.account.passkey_added"],
});

export { default } from "@/routes/account/index.tsx";
