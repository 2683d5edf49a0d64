import { page } from "fresh";
import { SignIn } from "@/components/auth/SignIn.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { define } from "@/lib/web/state.ts";
import { clientAddress } from "@/lib/web/client_address.ts";
import { newForm, submitForm } from "@/lib/web/forms/form.ts";
import { localPath } from "@/lib/http/local_path.ts";
import { signInResponse } from "@/lib/web/pages/signed_in.ts";
import { signInOrigin } from "@/lib/web/session_cookies.ts";
import { SIGN_IN_BYTES_MAX, signInForm } from "@/lib/people/sessions/schema.ts";
import { passkeysHere, signIn, signInOptions } from "@/lib/people/sessions/service.ts";

/** Statuses of errors that the form shows, including wrong credentials. */
const SHOWN_STATUSES = [400, 401, 403, 429, 503];

export const handler = define.handlers({
  GET(ctx) {
    if (ctx.state.actor) return ctx.redirect(ctx.state.ui.href(nextOf(ctx.url)), 303);
    return page({ form: newForm() });
  },

  async POST(ctx) {
    const { deps } = ctx.state;
    const { headers } = ctx.req;
    const origin = signInOrigin(headers, clientAddress(deps.config, headers, ctx.info.remoteAddr));
    const form = await submitForm(
      ctx.req,
      signInForm,
      (value) => signIn(deps, value, origin),
      { shownStatuses: SHOWN_STATUSES, bytesMax: SIGN_IN_BYTES_MAX },
    );
    if (!form.ok) return page({ form }, { status: 422 });
    return signInResponse(ctx, form.result);
  },
});

const nextOf = (url: URL) => localPath(url.searchParams.get("next"));

export default define.page<typeof handler>(({ data, state: { ui, deps }, url }) => (
  <>
    <Title ui={ui} parts={[ui.t("sign_in.title")]} />
    <SignIn
      ui={ui}
      form={data.form}
      options={signInOptions(deps)}
      passkeys={passkeysHere(deps, url) !== null}
      query={url.search}
    />
  </>
));
