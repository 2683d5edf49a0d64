import { operation } from "../../access/operation.ts";
import { readText } from "../../http/body.ts";
import { getCookies } from "../../http/cookies.ts";
import { AppError } from "../../base/errors.ts";
import {
  SIGN_IN_BYTES_MAX,
  type SignInForm,
  signInForm,
  signInOptionsSchema,
} from "../../people/sessions/schema.ts";
import { signIn, signInOptions, signInWithCode, signOut } from "../../people/sessions/service.ts";
import { logSsoFailure } from "../../people/sso/failures.ts";
import { finishSignIn } from "../../people/sso/finish.ts";
import { endByProvider } from "../../people/sso/sign_out.ts";
import { startSignIn } from "../../people/sso/start.ts";
import { arrived, baseOf, failedAtStart, redirectToProvider, wantedAfter } from "../pages/sso.ts";
import { clearSessionCookies, setSessionCookies, signInOrigin } from "../session_cookies.ts";

const tag = "Signing in";
const access = "public";

/** Older clients do not know codes, so the response names the available second factors. */
function sentCode({ code }: SignInForm) {
  if (code) return { code };
  throw new AppError(401, "errors.code_needed", {}, { body: { second_factor: true } });
}

export const signInOperations = [
  operation({
    id: "getSignInOptions",
    method: "GET",
    path: "/auth/login",
    tag,
    summary: "List the ways to sign in",
    access,
    answer: signInOptionsSchema,
    run: ({ scope }) => signInOptions(scope.deps),
  }),
  operation({
    id: "signIn",
    method: "POST",
    path: "/auth/login",
    tag,
    summary: "Sign in with a username or email address",
    details: "The answer sets the session cookie.",
    access,
    body: signInForm,
    bodyBytesMax: SIGN_IN_BYTES_MAX,
    status: 204,
    errors: [401, 403, 429],
    async run({ scope: { deps, actor }, body, req, url, address }) {
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
  }),
  operation({
    id: "signOut",
    method: "POST",
    path: "/auth/logout",
    tag,
    summary: "Sign out",
    details: "Ends the session of the cookie.",
    access,
    status: 204,
    async run({ scope: { deps, actor }, url }) {
      await signOut(deps, actor);
      const headers = new Headers();
      clearSessionCookies(headers, deps.config, url);
      return new Response(null, { status: 204, headers });
    },
  }),
];

/** Maximum size in bytes of a logout token. Anyone may send one. */
const LOGOUT_BYTES_MAX = 64 * 1024;

export const ssoOperations = [
  operation({
    id: "startProviderSignIn",
    takesAnyQuery: true,
    method: "GET",
    path: "/auth/oidc/{provider}/login",
    tag,
    summary: "Start a sign-in through a provider",
    details: "Redirects to the provider. `redirect` is the page to open after the sign-in.",
    access,
    isUnsafe: true,
    status: 303,
    async run({ scope, ui, params: { provider }, url, address }) {
      const next = wantedAfter(url);
      try {
        return redirectToProvider(
          scope,
          url,
          await startSignIn(scope.deps, {
            provider,
            base: baseOf(scope.deps.config, url),
            address,
            next,
          }),
        );
      } catch (error) {
        return failedAtStart(
          { ...scope, ui },
          url,
          next,
          logSsoFailure(scope.deps, provider, error),
        );
      }
    },
  }),
  operation({
    id: "finishProviderSignIn",
    takesAnyQuery: true,
    method: "GET",
    path: "/auth/oidc/{provider}/redirect",
    tag,
    summary: "Finish a sign-in through a provider",
    details: "The provider redirects the browser here. The answer sets the session cookie.",
    access,
    isUnsafe: true,
    status: 303,
    async run({ scope, ui, params: { provider }, req, url, address }) {
      const arrival = await finishSignIn(scope.deps, {
        provider,
        answer: url.searchParams,
        cookies: getCookies(req.headers),
        actor: scope.actor,
        origin: signInOrigin(req.headers, address),
      });
      return await arrived({ ...scope, ui }, url, arrival);
    },
  }),
  operation({
    id: "endSessionsByProvider",
    takesAnyQuery: true,
    method: "POST",
    path: "/auth/oidc/{provider}/backchannel_logout",
    tag,
    summary: "End the sessions that a provider has ended",
    details:
      "The provider sends a form with a `logout_token` (OpenID Connect Back-Channel Logout).",
    access,
    status: 200,
    errors: [400],
    async run({ scope: { deps }, params: { provider }, req }) {
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
  }),
];
