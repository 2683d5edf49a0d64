import { accountPage } from "@/routes/account/index.tsx";
import { AppError } from "@/lib/base/errors.ts";
import { paths } from "@/lib/base/paths.ts";
import { passkeyForm } from "@/lib/people/passkeys/schema.ts";
import { addPasskey } from "@/lib/people/passkeys/service.ts";
import { passkeysHere } from "@/lib/people/sessions/service.ts";
import { submitForm } from "@/lib/web/forms/form.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { define, userScope } from "@/lib/web/state.ts";

export const handler = define.handlers({
  GET: (ctx) => ctx.redirect(ctx.state.ui.href(paths.account()), 303),

  /** Adds a passkey that the browser has created. */
  async POST(ctx) {
    const scope = userScope(ctx.state);
    const rp = passkeysHere(scope.deps, ctx.url);
    if (!rp) throw new AppError(403, "errors.no_passkeys");
    const form = await submitForm(ctx.req, passkeyForm, (value) => addPasskey(scope, rp, value));
    if (!form.ok) return await accountPage(ctx, { passkey: form }, 422);
    return seeOther(ctx, paths.account(), "flash.account.passkey_added");
  },
});

export { default } from "@/routes/account/index.tsx";
