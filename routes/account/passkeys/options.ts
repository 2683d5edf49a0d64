import { AppError } from "@/lib/base/errors.ts";
import { newPasskeyOptions } from "@/lib/people/passkeys/service.ts";
import { passkeysHere } from "@/lib/people/sessions/service.ts";
import { define, userScope } from "@/lib/web/state.ts";

export const handler = define.handlers({
  /** What a browser makes a passkey of, for the script of the account's page. */
  async POST({ state, url }) {
    const rp = passkeysHere(state.deps, url);
    if (!rp) throw new AppError(403, "errors.no_passkeys");
    return Response.json(await newPasskeyOptions(userScope(state), rp));
  },
});
