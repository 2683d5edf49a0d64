import { z } from "zod";
import { askJson } from "./ask.ts";
import { providerStep, SignInFailure } from "./failure.ts";
import type { KeySet } from "./key_set.ts";
import { isAddress } from "./presets.ts";
import type { ProviderSettings } from "./settings.ts";

/** Endpoints of a provider, and how it expects to be asked. */
export interface Metadata {
  issuer: string;
  authorization: string;
  token: string;
  userinfo?: string;
  /** Endpoint that ends the provider's own session. */
  endSession?: string;
  /** Whether each answer of the provider names its issuer: RFC 9207. */
  saysIssuer: boolean;
  /** Whether the client's secret goes into the body instead of a header. */
  secretInBody: boolean;
  keys: KeySet | null;
}

const address = z.string().max(2_000).refine(isAddress);

/** Fields of a discovery document that are used. */
const documentSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: address,
  token_endpoint: address,
  userinfo_endpoint: address.optional(),
  jwks_uri: address,
  end_session_endpoint: address.optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional().catch(undefined),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional().catch(undefined),
});

type MakeKeys = (url: string) => KeySet;

/** Returns a provider's endpoints from its settings or its discovery document. */
export async function readMetadata(
  settings: ProviderSettings,
  ca: string | null,
  makeKeys: MakeKeys,
): Promise<Metadata> {
  const { kind, endpoint, provider_url } = settings;
  if (kind === "github") return ofGitHub(settings);
  if (!endpoint) {
    return await providerStep(
      "discovery",
      "provider_url",
      () => discover(provider_url!, ca, makeKeys),
    );
  }
  return {
    issuer: endpoint.issuer ?? provider_url!,
    authorization: endpoint.auth,
    token: endpoint.token,
    userinfo: endpoint.userinfo,
    saysIssuer: false,
    secretInBody: false,
    keys: endpoint.jwks ? makeKeys(endpoint.jwks) : null,
  };
}

async function discover(url: string, ca: string | null, makeKeys: MakeKeys): Promise<Metadata> {
  const base = withoutSlash(url);
  const parsed = documentSchema.safeParse(await askDocument(base, ca));
  if (!parsed.success) {
    const missing = parsed.error.issues.map(({ path }) => path.join(".")).join(", ");
    throw new SignInFailure("untrusted", `the discovery document has no usable ${missing}`);
  }
  const document = parsed.data;
  // With another issuer's document, this server would trust that issuer's keys. Some issuers end
  // with a slash.
  if (withoutSlash(document.issuer) !== base) {
    const issuer = document.issuer.slice(0, 200);
    throw new SignInFailure(
      "untrusted",
      `the discovery document has another issuer: ${issuer}. Set provider_url to exactly that`,
    );
  }
  const methods = document.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return {
    issuer: document.issuer,
    authorization: document.authorization_endpoint,
    token: document.token_endpoint,
    userinfo: document.userinfo_endpoint,
    endSession: document.end_session_endpoint,
    saysIssuer: document.authorization_response_iss_parameter_supported ?? false,
    secretInBody: !methods.includes("client_secret_basic"),
    keys: makeKeys(document.jwks_uri),
  };
}

/** Fetches the discovery document. A failure hints at URLs that are often taken for the issuer. */
async function askDocument(base: string, ca: string | null): Promise<Record<string, unknown>> {
  try {
    return await askJson(`${base}/.well-known/openid-configuration`, { ca });
  } catch (error) {
    if (!(error instanceof SignInFailure)) throw error;
    const issuer =
      /^(.+?)(?:\/protocol\/openid-connect\/\w+|(?:\/oauth2)?(?:\/v\d[^/]*)?\/(?:authorize|auth|token))$/
        .exec(base)?.[1];
    const isPlain = base.startsWith("http:") &&
      / 400|no plain HTTP|not answer with a JSON/.test(error.why);
    const hint = issuer
      ? `; this looks like an endpoint, and the issuer may be ${issuer}`
      : isPlain
      ? "; the port may want https://"
      : "";
    throw new SignInFailure(error.told, error.why + hint);
  }
}

const withoutSlash = (url: string) => url.replace(/(?<!\/)\/+$/, "");

/**
 * Returns the endpoints of GitHub, which does not support OpenID Connect. See github.ts for its
 * identities.
 */
function ofGitHub({ provider_url, endpoint }: ProviderSettings): Metadata {
  const base = withoutSlash(provider_url ?? "https://github.com");
  return {
    issuer: base,
    authorization: endpoint?.auth ?? `${base}/login/oauth/authorize`,
    token: endpoint?.token ?? `${base}/login/oauth/access_token`,
    userinfo: endpoint?.userinfo ??
      (base === "https://github.com" ? "https://api.github.com" : `${base}/api/v3`),
    saysIssuer: false,
    secretInBody: true,
    keys: null,
  };
}
