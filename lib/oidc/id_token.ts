import type { Claims } from "../base/claims.ts";
import { askJson } from "./ask.ts";
import { providerStep, SignInFailure } from "./failure.ts";
import type { Metadata } from "./metadata.ts";
import type { Provider } from "./provider.ts";

/** Identity of a person, as a provider reports it. */
export interface ProviderClaims {
  issuer: string;
  subject: string;
  claims: Claims;
}

/**
 * Verifies an ID token and returns its claims. It must be signed by the provider for this client
 * alone, not be expired, and be made for this sign-in.
 */
export async function readIdToken(
  { settings }: Provider,
  { issuer, keys }: Metadata,
  idToken: string,
  nonce: string,
): Promise<ProviderClaims> {
  if (!keys) {
    throw new SignInFailure("untrusted", "no keys to verify tokens with; see endpoint.jwks");
  }
  const required = ["sub", "exp", "iat", "nonce"];
  const { payload } = await keys.verify(idToken, { issuer, required });
  if (payload.nonce !== nonce) throw new SignInFailure("untrusted", "token: another nonce");
  const isForMany = Array.isArray(payload.aud) && payload.aud.length > 1;
  // With several audiences, another one could have requested the token.
  if (payload.azp === undefined ? isForMany : payload.azp !== settings.client_id) {
    throw new SignInFailure("untrusted", "token: issued for another client");
  }
  return { issuer, subject: payload.sub!, claims: payload };
}

/**
 * Adds the claims of the userinfo endpoint to those of a token. Throws if they are about someone
 * else.
 */
export async function addUserinfo(
  { ca }: Provider,
  { userinfo }: Metadata,
  accessToken: string,
  said: ProviderClaims,
): Promise<ProviderClaims> {
  if (!userinfo) return said;
  const headers = { Authorization: `Bearer ${accessToken}` };
  const claims = await providerStep("userinfo", "scopes", () => askJson(userinfo, { headers, ca }));
  if (claims.sub !== said.subject) {
    throw new SignInFailure("untrusted", "userinfo: for another subject");
  }
  return { ...said, claims: { ...claims, ...said.claims } };
}
