import { AppError } from "@/lib/base/errors.ts";
import { parseWith } from "@/lib/base/parse.ts";
import { paths } from "@/lib/base/paths.ts";
import { passkeySignInForm } from "@/lib/people/passkeys/schema.ts";
import { SIGN_IN_BYTES_MAX } from "@/lib/people/sessions/schema.ts";
import { passkeysHere, signInWithPasskey } from "@/lib/people/sessions/service.ts";
import { clientAddress } from "@/lib/web/client_address.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { setFlash } from "@/lib/web/pages/flash.ts";
import { signInResponse } from "@/lib/web/pages/signed_in.ts";
import { passkeyHolder, signInOrigin } from "@/lib/web/session_cookies.ts";
import { define } from "@/lib/web/state.ts";

export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.signIn() + ctx.url.search), 303),

  /** Signs in with the signature of a passkey. */
  async POST(ctx) {
    const { deps, ui } = ctx.state;
    const { headers } = ctx.req;
    const address = clientAddress(deps.config, headers, ctx.info.remoteAddr);
    try {
      const rp = passkeysHere(deps, ctx.url);
      if (!rp) throw new AppError(403, "errors.no_passkeys");
      const { credential } = parseWith(
        passkeySignInForm,
        await readForm(ctx.req, SIGN_IN_BYTES_MAX),
      );
      const origin = signInOrigin(headers, address);
      const holder = passkeyHolder(headers);
      return signInResponse(ctx, await signInWithPasskey(deps, rp, holder, credential, origin));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const response = ctx.redirect(ui.href(paths.signIn() + ctx.url.search), 303);
      const flash = { kind: "danger", key: "flash.passkey_refused" } as const;
      setFlash(response.headers, deps.config, ctx.url, flash);
      return response;
    }
  },
});
