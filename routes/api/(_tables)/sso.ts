import { readText } from "@/lib/http/body.ts";
import { getCookies } from "@/lib/http/cookies.ts";
import { ssoOperations } from "@/lib/people/sso/operations.ts";
import { endByProvider } from "@/lib/people/sso/sign_out.ts";
import { logSsoFailure } from "@/lib/people/sso/failures.ts";
import { finishSignIn } from "@/lib/people/sso/finish.ts";
import { startSignIn } from "@/lib/people/sso/start.ts";
import { bind } from "@/lib/web/api/bind.ts";
import {
  arrived,
  baseOf,
  failedAtStart,
  redirectToProvider,
  wantedAfter,
} from "@/lib/web/pages/sso.ts";
import { signInOrigin } from "@/lib/web/session_cookies.ts";

/** Maximum size in bytes of a logout token. Anyone may send one. */
const LOGOUT_BYTES_MAX = 64 * 1024;

export const sso = bind(ssoOperations, {
  async start({ state, params: { provider }, url, address }) {
    const next = wantedAfter(url);
    try {
      return redirectToProvider(
        state,
        url,
        await startSignIn(state.deps, {
          provider,
          base: baseOf(state.deps.config, url),
          address,
          next,
        }),
      );
    } catch (error) {
      return failedAtStart(state, url, next, logSsoFailure(state.deps, provider, error));
    }
  },
  async finish({ state, params: { provider }, req, url, address }) {
    const arrival = await finishSignIn(state.deps, {
      provider,
      answer: url.searchParams,
      cookies: getCookies(req.headers),
      actor: state.actor,
      origin: signInOrigin(req.headers, address),
    });
    return await arrived(state, url, arrival);
  },
  async endByProvider({ state: { deps }, params: { provider }, req }) {
    const headers = { "Cache-Control": "no-store" };
    try {
      const form = new URLSearchParams(await readText(req, LOGOUT_BYTES_MAX));
      await endByProvider(deps, provider, form.get("logout_token") ?? "");
      return new Response(null, { status: 200, headers });
    } catch (error) {
      logSsoFailure(deps, provider, error);
      return Response.json({ error: "invalid_request" }, { status: 400, headers });
    }
  },
});
