import * as z from "zod";
import { NEW_ACCOUNTS } from "../base/claims.ts";
import { nearestName, onlyKnown } from "../base/text/nearest.ts";

export const isAddress = (text: string): boolean =>
  ["http:", "https:"].includes(URL.parse(text)?.protocol ?? "");

const issuer = z.string().refine(isAddress, "must be an http or https address").refine(
  (text) => !text.includes("/.well-known/"),
  "must be the issuer: the address before /.well-known/openid-configuration",
);
const address = z.string().refine(isAddress, "must be an http or https address");
const file = z.string().min(1);

/** A claim, or several that are tried in turn: `preferred_username|email`. */
const claim = z.string().min(1).max(500).refine(
  (text) => text.split("{{").slice(1).every((part) => TEMPLATE_PART.test(part)),
  "may contain only names of claims in {{ }}, such as {{ .email }}",
);
const TEMPLATE_PART = /^\s*\.?[\w:./-]+\s*\}\}/;

/** Endpoints of a provider without a discovery document. */
const endpointFields = {
  issuer: issuer.optional(),
  auth: address,
  token: address,
  userinfo: address.optional(),
  jwks: address.optional(),
  algorithms: z.array(z.string()).optional(),
};

const providerFields = {
  /** Only an unknown preset is still here, because known ones are filled in before. */
  preset: z.undefined({ error: ({ input }) => unknownPreset(input) }).optional(),
  tenant: z.undefined("is only for the preset entra").optional(),
  kind: z.enum(["oidc", "github"]).default("oidc"),
  display_name: z.string().trim().min(1).max(100),
  color: z.string().regex(/^[\w#(),.% -]{0,40}$/, "must be a color").default(""),
  icon: z.string().max(100).default(""),
  order: z.number().default(0),
  provider_url: issuer.optional(),
  endpoint: z.strictObject(endpointFields, onlyKnown(endpointFields)).optional(),
  client_id: z.string().min(1).optional(),
  client_id_file: file.optional(),
  client_secret: z.string().min(1).optional(),
  client_secret_file: file.optional(),
  /** File with certificates in PEM that are trusted beside the system's. */
  ca_file: file.optional(),
  redirect_url: address.optional(),
  scopes: z.array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, "must be a single word")).min(1)
    .default(["openid", "profile", "email"]),
  username_claim: claim.default("preferred_username"),
  name_claim: claim.default("name|preferred_username"),
  email_claim: claim.default("email"),
  /** Treatment of people whom this server does not know yet. */
  new_accounts: z.enum(NEW_ACCOUNTS).default("create"),
  /** Page that the provider leads to after its own sign-out. The provider must know this URL. */
  post_logout_redirect_url: address.optional(),
  /** Allows tokens to pass through a network without TLS. */
  allow_http: z.boolean().default(false),
};

/**
 * Settings of one provider. The names are those of Semaphore's `oidc_providers`, so that a block of
 * them can be pasted, and some of our own.
 */
const providerSchema = z.preprocess(
  withPreset,
  z.strictObject(providerFields, onlyKnown(providerFields)).superRefine((provider, ctx) => {
    const issue = (path: string, message: string) =>
      ctx.addIssue({ code: "custom", path: [path], message });
    const { provider_url, endpoint, client_id, client_id_file, allow_http } = provider;
    if (!provider_url && !endpoint) issue("provider_url", "is missing");
    if (!client_id && !client_id_file) issue("client_id", "is missing");
    const asked = [provider_url, ...Object.values(endpoint ?? {}).flat()];
    if (!allow_http && asked.some((url) => url?.startsWith("http:") && !isLoopback(url))) {
      issue("provider_url", "must start with https://, unless allow_http is set");
    }
    if (provider.kind === "oidc" && endpoint && !(endpoint.issuer ?? provider_url)) {
      issue("endpoint", "must have an issuer");
    }
  }),
);
export type ProviderSettings = Omit<z.output<typeof providerSchema>, SecretFields> & {
  /** Part of URLs: `/api/auth/oidc/{id}/login`. */
  id: string;
  client_id: string;
};
type SecretFields =
  | "client_id_file"
  | "client_secret"
  | "client_secret_file"
  | "client_id"
  | "ca_file";

const isLoopback = (url: string): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(URL.parse(url)?.hostname ?? "");

/** Providers by id. */
export const providersSchema = z.record(
  z.string().regex(/^[\w-]{1,50}$/, 'an id is 1 to 50 letters, digits, "-" or "_"'),
  providerSchema,
);
/** Providers as they are pasted: the complete settings of another server, or only the providers. */
export const providersFileSchema = z.preprocess(
  (value) =>
    typeof value === "object" && value !== null && "oidc_providers" in value
      ? value.oidc_providers
      : value,
  providersSchema,
);

/** Settings of well-known providers that are the same on each server. */
const PRESETS: Record<string, object> = {
  google: {
    display_name: "Google",
    color: "#4285f4",
    icon: "google",
    provider_url: "https://accounts.google.com",
    username_claim: "email",
  },
  entra: {
    display_name: "Microsoft",
    color: "#0078d4",
    icon: "microsoft",
    email_claim: "email|preferred_username",
  },
  gitlab: {
    display_name: "GitLab",
    color: "#fc6d26",
    icon: "gitlab",
    provider_url: "https://gitlab.com",
    username_claim: "preferred_username|nickname",
  },
  keycloak: { display_name: "Keycloak", color: "#33c6e9", icon: "key" },
  okta: { display_name: "Okta", color: "#007dc1", icon: "okta" },
  authentik: { display_name: "Authentik", color: "#fd4b2d", icon: "shield-account" },
  github: {
    kind: "github",
    display_name: "GitHub",
    color: "#24292f",
    icon: "github",
    provider_url: "https://github.com",
    scopes: ["read:user", "user:email", "read:org"],
    username_claim: "login",
    name_claim: "name|login",
  },
};

/** Returns the names of all presets, with a suggestion for an unknown one. */
function unknownPreset(preset: unknown): string {
  const names = Object.keys(PRESETS);
  const meant = typeof preset === "string" && nearestName(preset, names);
  return `must be one of ${names.join(", ")}${meant ? `: did you mean ${meant}?` : ""}`;
}

/** Returns the settings on top of those of their `preset`; any other value unchanged. */
function withPreset(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { preset, tenant, ...set } = value as { preset?: unknown; tenant?: unknown };
  if (typeof preset !== "string" || !Object.hasOwn(PRESETS, preset)) return value;
  if (preset !== "entra" && tenant !== undefined) return { ...set, tenant };
  const ofTenant = preset === "entra" && typeof tenant === "string"
    ? { provider_url: `https://login.microsoftonline.com/${encodeURIComponent(tenant)}/v2.0` }
    : {};
  return { ...PRESETS[preset], ...ofTenant, ...set };
}
