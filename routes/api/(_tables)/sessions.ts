import { endSession, endSessions, listSessions } from "@/lib/people/sessions/open_sessions.ts";
import { sessionOperations } from "@/lib/people/sessions/operations.ts";
import { signIn, signInOptions, signOut } from "@/lib/people/sessions/service.ts";
import { bind } from "@/lib/web/api/bind.ts";
import { clearSessionCookies, setSessionCookies, signInOrigin } from "@/lib/web/session_cookies.ts";
import { ownAccount } from "@/lib/web/state.ts";

export const sessions = bind(sessionOperations, {
  options: ({ scope }) => signInOptions(scope.deps),
  async signIn({ scope: { deps, actor }, body, req, url, address }) {
    const signedIn = await signIn(deps, body, signInOrigin(req.headers, address));
    await signOut(deps, actor);
    const headers = new Headers();
    setSessionCookies(headers, deps.config, url, signedIn);
    return new Response(null, { status: 204, headers });
  },
  async signOut({ scope: { deps, actor }, url }) {
    await signOut(deps, actor);
    const headers = new Headers();
    clearSessionCookies(headers, deps.config, url);
    return new Response(null, { status: 204, headers });
  },
  listOwn: ({ state }) => listSessions(ownAccount(state)),
  endOwnOthers: ({ state }) => endSessions(ownAccount(state)),
  endOwn: ({ state, params }) => endSession(ownAccount(state), params.session),
  list: ({ scope }) => listSessions(scope),
  endAll: ({ scope }) => endSessions(scope),
  end: ({ scope, params }) => endSession(scope, params.session),
});
