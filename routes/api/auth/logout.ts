import { answer, api } from "@/lib/http/api.ts";
import { clearSessionCookies } from "@/lib/http/session_cookies.ts";
import { sessionOperations } from "@/lib/sessions/operations.ts";
import { signOut } from "@/lib/sessions/service.ts";

export const handler = api(
  answer(sessionOperations.signOut, async ({ deps, url, state }) => {
    await signOut(deps, state.actor);
    const headers = new Headers();
    clearSessionCookies(headers, deps.config, url);
    return new Response(null, { status: 204, headers });
  }),
);
