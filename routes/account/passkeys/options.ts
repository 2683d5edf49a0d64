import { AppError } from "@/lib/base/errors.ts";
import { newPasskeyOptions } from "@/lib/people/passkeys/service.ts";
import { passkeysHere } from "@/lib/people/sessions/service.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { define, userScope } from "@/lib/web/state.ts";
import { tellError } from "@/lib/web/translate_errors.ts";

export const handler = define.handlers({
  /** Returns the options for creating a passkey, for the script of the account's page. */
  async POST({ state, url, req }) {
    const rp = passkeysHere(state.deps, url);
    if (!rp) throw new AppError(403, "errors.no_passkeys");
    const scope = userScope(state);
    const { current_password = "" } = await readForm(req);
    try {
      return Response.json(await newPasskeyOptions(scope, rp, current_password));
    } catch (error) {
      const { status, sentence } = tellError(error, state);
      return new Response(sentence, { status });
    }
  },
});
