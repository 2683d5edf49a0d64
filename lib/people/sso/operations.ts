import { operation } from "../../access/operation.ts";

const tag = "Signing in";
const access = "public" as const;

export const ssoOperations = {
  start: operation({
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
  }),
  finish: operation({
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
  }),
  endByProvider: operation({
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
  }),
};
