import { CodeChallengeMethod, OAuth2Client } from "arctic";
import { Buffer } from "node:buffer";
import { reveal } from "../base/secret.ts";
import { askJson } from "./ask.ts";
import { providerStep, SignInFailure } from "./failure.ts";
import type { Metadata } from "./metadata.ts";
import type { Provider } from "./provider.ts";

/** Values of one sign-in, which the provider's answer must match. */
export interface Attempt {
  state: string;
  nonce: string;
  /** Secret of PKCE. The code is useless without it. */
  verifier: string;
  redirectUri: string;
}

/** Returns the URL where the person signs in at the provider. */
export function authorizationUrl(
  { settings }: Provider,
  metadata: Metadata,
  { state, nonce, verifier, redirectUri }: Attempt,
): URL {
  const client = new OAuth2Client(settings.client_id, null, redirectUri);
  const url = client.createAuthorizationURLWithPKCE(
    metadata.authorization,
    state,
    CodeChallengeMethod.S256,
    verifier,
    settings.scopes,
  );
  if (settings.kind === "oidc") url.searchParams.set("nonce", nonce);
  return url;
}

/**
 * Exchanges a code for tokens. It does not use arctic, which would wait forever for an answer of
 * any length, and pass the secret on to any redirect.
 */
export async function exchangeCode(
  { settings, secret, ca }: Provider,
  metadata: Metadata,
  code: string,
  { verifier, redirectUri }: Attempt,
): Promise<{ accessToken: string; idToken: string | null }> {
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
  const headers = new Headers();
  const { client_id } = settings;
  if (secret && !metadata.secretInBody) {
    headers.set("Authorization", `Basic ${basicCredentials(client_id, reveal(secret))}`);
  } else {
    body.set("client_id", client_id);
    if (secret) body.set("client_secret", reveal(secret));
  }
  const init = { method: "POST", headers: Object.fromEntries(headers), body, ca };
  const fields = `client_id, ${secret ? "client_secret" : "client_secret, which is missing"}`;
  const answer = await providerStep("token endpoint", fields, () => askJson(metadata.token, init));
  const { access_token, id_token, error } = answer;
  if (typeof access_token !== "string") {
    // GitHub reports errors with status 200.
    const code = typeof error === "string" ? error.slice(0, 80) : "";
    throw new SignInFailure(
      "untrusted",
      `the token endpoint returned no access token ${code}; see client_id, client_secret`,
    );
  }
  return { accessToken: access_token, idToken: typeof id_token === "string" ? id_token : null };
}

/** Encodes both values as in forms before they are joined: RFC 6749, 2.3.1. */
const basicCredentials = (id: string, secret: string): string =>
  Buffer.from(`${formEncoded(id)}:${formEncoded(secret)}`).toString("base64");

const formEncoded = (text: string): string => new URLSearchParams({ "": text }).toString().slice(1);
