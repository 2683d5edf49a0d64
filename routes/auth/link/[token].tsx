import { page } from "fresh";
import { UseLink } from "@/components/auth/UseLink.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { define } from "@/lib/web/state.ts";
import { clientAddress } from "@/lib/web/client_address.ts";
import { wayAfter } from "@/lib/web/pages/signed_in.ts";
import { setSignInCookies, signInOrigin } from "@/lib/web/session_cookies.ts";
import { paths } from "@/lib/base/paths.ts";
import { signOut } from "@/lib/people/sessions/service.ts";
import { readSignInLink, useSignInLink } from "@/lib/people/sign_in_links/service.ts";

/** The URL signs in, so caches must not store the page. */
const NOT_STORED = { "Cache-Control": "no-store" };

export const handler = define.handlers({
  /** Only shows a button, because link previews in messages must not use up the link. */
  GET: async ({ state: { deps }, params }) =>
    page({ username: await readSignInLink(deps, params.token) }, { headers: NOT_STORED }),

  async POST(ctx) {
    const { state: { deps, actor, ui }, req, params, info, url } = ctx;
    const address = clientAddress(deps.config, req.headers, info.remoteAddr);
    const signedIn = await useSignInLink(deps, params.token, signInOrigin(req.headers, address));
    await signOut(deps, actor);
    const response = ctx.redirect(ui.href(wayAfter(signedIn, paths.account())), 303);
    setSignInCookies(response.headers, deps.config, url, signedIn);
    return response;
  },
});

export default define.page<typeof handler>(({ data: { username }, state: { ui } }) => (
  <>
    <Title ui={ui} parts={[ui.t("sign_in.title")]} />
    <UseLink ui={ui} username={username} />
  </>
));
