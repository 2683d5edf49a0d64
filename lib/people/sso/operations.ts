import { operation } from "../../access/operation.ts";

const tag = "Signing in";
const access = "public" as const;

export const ssoOperations = {
  start: operation({
    id: "startProviderSignIn",
    method: "GET",
    path: "/auth/oidc/{provider}/login",
    tag,
    summary: "Go to a provider to sign in; `redirect` is the page to come back to",
    access,
    isUnsafe: true,
    status: 303,
  }),
  finish: operation({
    id: "finishProviderSignIn",
    method: "GET",
    path: "/auth/oidc/{provider}/redirect",
    tag,
    summary: "Where a provider leads back to; the answer sets the session's cookie",
    access,
    isUnsafe: true,
    status: 303,
  }),
  endByProvider: operation({
    id: "endSessionsByProvider",
    method: "POST",
    path: "/auth/oidc/{provider}/backchannel_logout",
    tag,
    summary: "Where a provider tells that its sessions are over: a form with a `logout_token`",
    access,
    status: 200,
    errors: [400],
  }),
};
