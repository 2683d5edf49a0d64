import type { AuthorizationServer } from "oauth4webapi";
import * as z from "zod";
import type { Clock } from "../base/time/clock.ts";
import type { Secret } from "../base/secret.ts";
import { askJson } from "./ask.ts";
import { providerStep, SignInFailure } from "./failure.ts";
import { ALGORITHMS, type KeySet, keySet } from "./key_set.ts";
import type { ReadProvider } from "./read_settings.ts";
import { isAddress, type ProviderSettings } from "./settings.ts";

/** Endpoints of a provider, how it expects to be asked, and its keys. */
export interface Metadata {
  /** Fields of its discovery document that are used, by the names that they have there. */
  server: AuthorizationServer;
  keys: KeySet;
}

/** A provider and its metadata. */
export interface Provider {
  settings: ProviderSettings;
  secret: Secret | null;
  /** Certificates in PEM that are trusted beside the system's; null for the system's alone. */
  ca: string | null;
  /** Returns its metadata, which is fetched when it is needed, and again after an hour. */
  metadata(): Promise<Metadata>;
  /** Whether the last attempt to fetch its metadata failed. */
  isDown(): boolean;
}

/** Sign-in providers of this server, in the order in which they are offered. */
export interface Providers {
  list: readonly Provider[];
  find(id: string): Provider | null;
}

/** Returns the address that the provider sends people back to, below the server's URL `base`. */
export const redirectUriOf = (
  { settings: { id, redirect_url } }: Pick<Provider, "settings">,
  base: string,
): string => redirect_url ?? `${base}/api/auth/oidc/${id}/redirect`;

const FRESH_MS = 60 * 60_000;

export function createProviders(
  read: readonly ReadProvider[],
  clock: Pick<Clock, "now" | "ticks">,
): Providers {
  const list = read.map((provider) => createProvider(provider, clock));
  return {
    list,
    find: (id) => list.find(({ settings }) => settings.id === id) ?? null,
  };
}

/**
 * Creates a provider whose metadata is not fetched yet. Callers that wait in parallel share one
 * fetch.
 */
function createProvider(
  { settings, secret, ca }: ReadProvider,
  clock: Pick<Clock, "now" | "ticks">,
): Provider {
  let known: { at: number; metadata: Metadata } | null = null;
  let asking: Promise<Metadata> | null = null;
  let isDown = false;
  async function askAgain(): Promise<Metadata> {
    try {
      const server = {
        ...await readServer(settings, ca),
        id_token_signing_alg_values_supported: ALGORITHMS,
      };
      const metadata = { server, keys: keySet(server.jwks_uri, settings, ca, clock) };
      known = { at: clock.ticks(), metadata };
      isDown = false;
      return metadata;
    } catch (error) {
      isDown = true;
      // Old metadata is better than none while the provider is unavailable.
      if (known) return known.metadata;
      throw error;
    } finally {
      asking = null;
    }
  }
  return {
    settings,
    secret,
    ca,
    isDown: () => isDown,
    metadata() {
      if (known && clock.ticks() - known.at < FRESH_MS) return Promise.resolve(known.metadata);
      return asking ??= askAgain();
    },
  };
}

/** Returns a provider's endpoints from its settings or its discovery document. */
async function readServer(
  settings: ProviderSettings,
  ca: string | null,
): Promise<AuthorizationServer> {
  const { kind, endpoint, provider_url } = settings;
  if (kind === "github") return ofGitHub(settings);
  if (!endpoint) {
    return await providerStep("discovery", "provider_url", () => discover(provider_url!, ca));
  }
  return {
    issuer: endpoint.issuer ?? provider_url!,
    authorization_endpoint: endpoint.auth,
    token_endpoint: endpoint.token,
    userinfo_endpoint: endpoint.userinfo,
    jwks_uri: endpoint.jwks,
  };
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

/**
 * Returns a provider's discovery document. Not by oauth4webapi, which does not check the endpoints,
 * and refuses an issuer for a slash at its end.
 */
async function discover(url: string, ca: string | null): Promise<AuthorizationServer> {
  const base = withoutSlash(url);
  const { data, error } = documentSchema.safeParse(await askDocument(base, ca));
  if (error) {
    const missing = error.issues.map(({ path }) => path.join(".")).join(", ");
    throw new SignInFailure("untrusted", `the discovery document has no usable ${missing}`);
  }
  // With another issuer's document, this server would trust that issuer's keys.
  if (withoutSlash(data.issuer) !== base) {
    const issuer = data.issuer.slice(0, 200);
    throw new SignInFailure(
      "untrusted",
      `the discovery document has another issuer: ${issuer}. Set provider_url to exactly that`,
    );
  }
  return data;
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
    throw new SignInFailure(error.reason, error.why + hint);
  }
}

const withoutSlash = (url: string) => url.replace(/(?<!\/)\/+$/, "");

/**
 * Returns the endpoints of GitHub, which does not support OpenID Connect. See github.ts for its
 * identities.
 */
function ofGitHub({ provider_url, endpoint }: ProviderSettings): AuthorizationServer {
  const base = withoutSlash(provider_url ?? "https://github.com");
  return {
    issuer: base,
    authorization_endpoint: endpoint?.auth ?? `${base}/login/oauth/authorize`,
    token_endpoint: endpoint?.token ?? `${base}/login/oauth/access_token`,
    userinfo_endpoint: endpoint?.userinfo ??
      (base === "https://github.com" ? "https://api.github.com" : `${base}/api/v3`),
    token_endpoint_auth_methods_supported: ["client_secret_post"],
  };
}
