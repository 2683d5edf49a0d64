import { answer, api } from "@/lib/web/api.ts";
import { setSessionCookies, signInOrigin } from "@/lib/web/session_cookies.ts";
import { sessionOperations } from "@/lib/people/sessions/operations.ts";
import { signIn, signInOptions, signOut } from "@/lib/people/sessions/service.ts";

export const handler = api(
  answer(sessionOperations.options, ({ deps }) => signInOptions(deps)),
  answer(sessionOperations.signIn, async ({ deps, body, req, url, address, state }) => {
    const signedIn = await signIn(deps, body, signInOrigin(req.headers, address));
    await signOut(deps, state.actor);
    const headers = new Headers();
    setSessionCookies(headers, deps.config, url, signedIn);
    return new Response(null, { status: 204, headers });
  }),
);
