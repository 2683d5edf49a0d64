import { answer, api } from "@/lib/http/api.ts";
import { setSessionCookies } from "@/lib/http/session_cookies.ts";
import { sessionOperations } from "@/lib/sessions/operations.ts";
import { signIn, signInOptions, signOut } from "@/lib/sessions/service.ts";

export const handler = api(
  answer(sessionOperations.options, ({ deps }) => signInOptions(deps)),
  answer(sessionOperations.signIn, async ({ deps, body, req, url, address, state }) => {
    const userAgent = req.headers.get("user-agent") ?? "";
    const token = await signIn(deps, body, { address, userAgent });
    await signOut(deps, state.actor);
    const headers = new Headers();
    setSessionCookies(headers, deps.config, url, token);
    return new Response(null, { status: 204, headers });
  }),
);
