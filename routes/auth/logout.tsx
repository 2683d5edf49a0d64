import { page } from "fresh";
import { SignedOut } from "@/components/auth/SignedOut.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { define } from "@/lib/web/state.ts";
import { paths } from "@/lib/base/paths.ts";
import { clearSessionCookies } from "@/lib/web/session_cookies.ts";
import { signOut } from "@/lib/people/sessions/service.ts";
import { providerSignOut } from "@/lib/people/sso/sign_out.ts";

export const handler = define.handlers({
  /** Ends the session here; who came by a provider is asked about the one there. */
  async POST(ctx) {
    const { deps, actor, ui } = ctx.state;
    const provider = actor && await providerSignOut(deps, actor);
    await signOut(deps, actor);
    if (!provider) {
      const response = ctx.redirect(ui.href(paths.signIn()), 303);
      clearSessionCookies(response.headers, deps.config, ctx.url);
      return response;
    }
    const headers = new Headers({ "Cache-Control": "no-store" });
    clearSessionCookies(headers, deps.config, ctx.url);
    return page({ provider }, { headers });
  },
});

export default define.page<typeof handler>(({ data: { provider }, state: { ui } }) => (
  <>
    <Title ui={ui} parts={[ui.t("sign_out.title")]} />
    <SignedOut ui={ui} provider={provider} />
  </>
));
