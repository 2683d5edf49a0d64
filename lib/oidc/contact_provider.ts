import { askJson, fetchFromProvider } from "./ask.ts";
import { authorizationUrl } from "./client.ts";
import { providerStep, SignInFailure } from "./failure.ts";
import type { Provider } from "./provider.ts";

/**
 * Makes the requests of a sign-in that need no person: for the discovery document, the keys and the
 * provider's sign-in page. Throws a failure, which is `refused` if the provider rejects the request
 * for the sign-in page.
 */
export async function contactProvider(provider: Provider, redirectUri: string): Promise<void> {
  const { ca, settings: { kind } } = provider;
  const metadata = await provider.metadata();
  const { issuer, jwks_uri } = metadata.server;
  if (jwks_uri) {
    const { keys } = await providerStep("keys", "endpoint", () => askJson(jwks_uri, { ca }));
    if (!Array.isArray(keys) || keys.length === 0) {
      throw new SignInFailure("untrusted", "keys: the provider has published none; see endpoint");
    }
  }
  // GitHub shows its own errors on the sign-in page.
  if (kind === "github") return;
  const [state, nonce, verifier] = Array.from({ length: 3 }, () => crypto.randomUUID() + "-check");
  const url = authorizationUrl(provider, metadata, { issuer, state, nonce, verifier, redirectUri });
  const { status } = await fetchFromProvider(url.href, { ca });
  if (status === 400) throw new SignInFailure("refused", `${url.host} answered 400`);
}
