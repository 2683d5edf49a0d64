import { type Context, page } from "fresh";
import { UseLink } from "@/components/auth/UseLink.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { define, type State } from "@/lib/web/state.ts";
import { clientAddress } from "@/lib/web/client_address.ts";
import { newForm, submitForm } from "@/lib/web/forms/form.ts";
import { wayAfter } from "@/lib/web/pages/signed_in.ts";
import { setSignInCookies, signInOrigin } from "@/lib/web/session_cookies.ts";
import { paths } from "@/lib/base/paths.ts";
import { SIGN_IN_BYTES_MAX } from "@/lib/people/sessions/schema.ts";
import { signOut } from "@/lib/people/sessions/service.ts";
import {
  readSignInLink,
  setPasswordByLink,
  useSignInLink,
} from "@/lib/people/sign_in_links/service.ts";
import { newPasswordForm } from "@/lib/people/users/schema.ts";

/** The URL signs in, so caches must not store the page. */
const NOT_STORED = { "Cache-Control": "no-store" };

export const handler = define.handlers({
  /** Only shows a form, because link previews in messages must not use up the link. */
  async GET(ctx) {
    const { state: { deps }, params: { token } } = ctx;
    const link = await readSignInLink(deps, token, originOf(ctx));
    return page({ link, form: newForm() }, { headers: NOT_STORED });
  },

  async POST(ctx) {
    const { state: { deps, actor, ui }, req, params: { token }, url } = ctx;
    const origin = originOf(ctx);
    const link = await readSignInLink(deps, token, origin);
    const form = link.setsPassword
      ? await submitForm(
        req,
        newPasswordForm,
        (value) => setPasswordByLink(deps, token, value, origin),
        { bytesMax: SIGN_IN_BYTES_MAX },
      )
      : { ok: true as const, result: await useSignInLink(deps, token, origin) };
    if (!form.ok) return page({ link, form }, { status: 422, headers: NOT_STORED });
    await signOut(deps, actor);
    const next = link.setsPassword ? "/" : paths.account("security");
    const response = ctx.redirect(ui.href(wayAfter(form.result, next)), 303);
    setSignInCookies(response.headers, deps.config, url, form.result);
    return response;
  },
});

const originOf = (
  { req: { headers }, info, state }: Pick<Context<State>, "req" | "info" | "state">,
) => signInOrigin(headers, clientAddress(state.deps.config, headers, info.remoteAddr));

export default define.page<typeof handler>(({ data: { link, form }, state: { ui } }) => (
  <>
    <Title ui={ui} parts={[ui.t("sign_in.title")]} />
    <UseLink ui={ui} {...link} form={form} />
  </>
));
