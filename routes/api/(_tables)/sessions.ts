import { AppError } from "@/lib/base/errors.ts";
import { endSession, endSessions, listSessions } from "@/lib/people/sessions/open_sessions.ts";
import type { SignInForm } from "@/lib/people/sessions/schema.ts";
import { sessionOperations } from "@/lib/people/sessions/operations.ts";
import { signIn, signInOptions, signInWithCode, signOut } from "@/lib/people/sessions/service.ts";
import { bind } from "@/lib/web/api/bind.ts";
import { clearSessionCookies, setSessionCookies, signInOrigin } from "@/lib/web/session_cookies.ts";
import { ownAccount } from "@/lib/web/state.ts";

/** Older clients do not know codes, so the response names the available second factors. */
function sentCode({ code }: SignInForm) {
  if (code) return { code };
  throw new AppError(401, "errors.code_needed", {}, { body: { second_factor: true } });
}

export const sessions = bind(sessionOperations, {
  options: ({ scope }) => signInOptions(scope.deps),
  async signIn({ scope: { deps, actor }, body, req, url, address }) {
    const origin = signInOrigin(req.headers, address);
    const first = await signIn(deps, body, origin);
    const signedIn = first.kind === "code_needed"
      ? await signInWithCode(deps, first.step, sentCode(body), origin)
      : first;
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
