import { CodeChallengeMethod, OAuth2Client } from "arctic";
import { Buffer } from "node:buffer";
import * as oauth from "oauth4webapi";
import type { Claims } from "../base/claims.ts";
import { reveal } from "../base/secret.ts";
import { askJson } from "./ask.ts";
import { providerStep, SignInFailure, verify } from "./failure.ts";
import { SKEW_SECONDS } from "./key_set.ts";
import type { Metadata, Provider } from "./provider.ts";

/** Values of one sign-in, which the provider's answer must match. */
export interface Attempt {
  /** Issuer that the answer must be from. */
  issuer: string;
  state: string;
  nonce: string;
  /** Secret of PKCE. The code is useless without it. */
  verifier: string;
  redirectUri: string;
}

/** Identity of a person, as a provider reports it. */
export interface ProviderClaims {
  issuer: string;
  subject: string;
  claims: Claims;
}

/** Returns the URL where the person signs in at the provider. */
export function authorizationUrl(
  { settings }: Provider,
  { server }: Metadata,
  { state, nonce, verifier, redirectUri }: Attempt,
): URL {
  const client = new OAuth2Client(settings.client_id, null, redirectUri);
  const url = client.createAuthorizationURLWithPKCE(
    server.authorization_endpoint!,
    state,
    CodeChallengeMethod.S256,
    verifier,
    settings.scopes,
  );
  if (settings.kind === "oidc") url.searchParams.set("nonce", nonce);
  return url;
}

/**
 * Exchanges the code of an answer for tokens. The answer must be from the issuer where the attempt
 * began, and an ID token must be issued for this client, be valid now, and be made for the attempt.
 * Its signature is verified by `readIdToken`.
 */
export async function exchangeCode(
  provider: Provider,
  { server }: Metadata,
  answer: URLSearchParams,
  { issuer, state, nonce, verifier, redirectUri }: Attempt,
): Promise<oauth.TokenEndpointResponse> {
  const { settings, secret } = provider;
  const client = clientOf(provider);
  if (server.issuer !== issuer) throw new SignInFailure("untrusted", "the issuer has changed");
  const valid = await verify(
    "answer",
    () => oauth.validateAuthResponse(server, client, answer, state),
  );
  const { length } = valid.get("code") ?? "";
  if (length === 0 || length > 4_000) throw new SignInFailure("refused", "the answer has no code");
  const auth = authOf(provider, server.token_endpoint_auth_methods_supported);
  const fields = `client_id, ${secret ? "client_secret" : "client_secret, which is missing"}`;
  const request = [server, client, auth, valid, redirectUri, verifier] as const;
  const response = await providerStep(
    "token endpoint",
    fields,
    () => oauth.authorizationCodeGrantRequest(...request, optionsOf(provider)),
  );
  const isOidc = settings.kind === "oidc";
  if (isOidc && !("id_token" in await response.clone().json())) {
    throw new SignInFailure("untrusted", "the token endpoint returned no ID token; see scopes");
  }
  const expected = isOidc ? { expectedNonce: nonce } : {};
  return await verify(
    "token",
    () => oauth.processAuthorizationCodeResponse(server, client, response, expected),
  );
}

/**
 * Verifies the signature of an ID token, and returns its claims. oauth4webapi could verify it, too,
 * but looks for new keys only once a minute, and cannot verify logout tokens.
 */
export async function readIdToken(
  { settings }: Provider,
  { server: { issuer }, keys }: Metadata,
  idToken: string,
): Promise<ProviderClaims> {
  const { payload } = await keys.verify(idToken, { issuer });
  // oauth4webapi checks it only for tokens with several audiences.
  if (payload.azp !== undefined && payload.azp !== settings.client_id) {
    throw new SignInFailure("untrusted", "token: issued for another client");
  }
  return { issuer, subject: payload.sub!, claims: payload };
}

/**
 * Adds the claims of the userinfo endpoint to those of a token. Throws if they are about someone
 * else.
 */
export async function addUserinfo(
  provider: Provider,
  { server }: Metadata,
  accessToken: string,
  said: ProviderClaims,
): Promise<ProviderClaims> {
  if (!server.userinfo_endpoint) return said;
  const client = clientOf(provider);
  const response = await providerStep(
    "userinfo",
    "scopes",
    () => oauth.userInfoRequest(server, client, accessToken, optionsOf(provider)),
  );
  const claims = await verify(
    "userinfo",
    () => oauth.processUserInfoResponse(server, client, said.subject, response),
  );
  return { ...said, claims: { ...claims, ...said.claims } };
}

const clientOf = ({ settings: { client_id } }: Provider): oauth.Client => ({
  client_id,
  [oauth.clockTolerance]: SKEW_SECONDS,
});

function authOf({ secret }: Provider, methods = ["client_secret_basic"]): oauth.ClientAuth {
  if (!secret) return oauth.None();
  const text = reveal(secret, "provider");
  if (!methods.includes("client_secret_basic")) return oauth.ClientSecretPost(text);
  return (_, { client_id }, _body, headers) => {
    const credentials = `${formEncoded(client_id)}:${formEncoded(text)}`;
    headers.set("Authorization", `Basic ${Buffer.from(credentials).toString("base64")}`);
  };
}

/**
 * Encodes as forms do: RFC 6749, 2.3.1. oauth4webapi also encodes "-", "." and "_", which are in
 * most secrets, and which GitLab does not decode:
 * https://github.com/panva/oauth4webapi/issues/148
 */
const formEncoded = (text: string): string => new URLSearchParams({ "": text }).toString().slice(1);

/** Options that make oauth4webapi send its requests by `askJson`, within its limits. */
const optionsOf = ({ ca }: Provider) => ({
  // The settings decide whether a provider may be asked without TLS.
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: async (url: string, { method, headers, body }: RequestInit) =>
    Response.json(await askJson(url, { method, headers, ...body && { body: String(body) }, ca })),
});
