import { page } from "fresh";
import { SignedOut, SignOut } from "@/components/auth/SignedOut.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { define } from "@/lib/web/state.ts";
import { paths } from "@/lib/base/paths.ts";
import { clearSessionCookies } from "@/lib/web/session_cookies.ts";
import { signOut } from "@/lib/people/sessions/service.ts";
import { providerSignOut } from "@/lib/people/sso/sign_out.ts";

export const handler = define.handlers({
  /**
   * Reached by a link, or by a change of language after signing out. Only the button ends the
   * session.
   */
  GET(ctx) {
    const { actor, ui } = ctx.state;
    if (!actor) return ctx.redirect(ui.href(paths.signIn()), 303);
    return page({ username: actor.username, provider: null });
  },

  /** Ends the session here. Users of a provider are asked whether to end their session there. */
  async POST(ctx) {
    const { deps, actor, ui } = ctx.state;
    const provider = actor && await providerSignOut({ deps, actor });
    await signOut(deps, actor);
    if (!provider) {
      const response = ctx.redirect(ui.href(paths.signIn()), 303);
      clearSessionCookies(response.headers, deps.config, ctx.url);
      return response;
    }
    const headers = new Headers({ "Cache-Control": "no-store" });
    clearSessionCookies(headers, deps.config, ctx.url);
    return page({ username: "", provider }, { headers });
  },
});

export default define.page<typeof handler>(({ data, state: { ui } }) => {
  const { username, provider } = data;
  return (
    <>
      <Title ui={ui} parts={[ui.t(provider ? "sign_out.title" : "actions.sign_out")]} />
      {provider
        ? <SignedOut ui={ui} provider={provider} />
        : <SignOut ui={ui} username={username} />}
    </>
  );
});
