import { answer, api } from "@/lib/web/api.ts";
import { clearSessionCookies } from "@/lib/web/session_cookies.ts";
import { sessionOperations } from "@/lib/people/sessions/operations.ts";
import { signOut } from "@/lib/people/sessions/service.ts";

export const handler = api(
  answer(sessionOperations.signOut, async ({ deps, url, state }) => {
    await signOut(deps, state.actor);
    const headers = new Headers();
    clearSessionCookies(headers, deps.config, url);
    return new Response(null, { status: 204, headers });
  }),
);
