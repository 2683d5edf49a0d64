import { ConfigError, type Environment } from "../base/settings.ts";
import { providersSchema } from "./settings.ts";

/** Variables for a single provider without a file. */
const VARIABLES = [
  "CALLBOARD_OIDC_PRESET",
  "CALLBOARD_OIDC_TENANT",
  "CALLBOARD_OIDC_DISPLAY_NAME",
  "CALLBOARD_OIDC_COLOR",
  "CALLBOARD_OIDC_PROVIDER_URL",
  "CALLBOARD_OIDC_CLIENT_ID",
  "CALLBOARD_OIDC_CLIENT_SECRET",
  "CALLBOARD_OIDC_CLIENT_SECRET_FILE",
  "CALLBOARD_OIDC_CA_FILE",
  "CALLBOARD_OIDC_REDIRECT_URL",
  "CALLBOARD_OIDC_SCOPES",
  "CALLBOARD_OIDC_USERNAME_CLAIM",
  "CALLBOARD_OIDC_NAME_CLAIM",
  "CALLBOARD_OIDC_EMAIL_CLAIM",
  "CALLBOARD_OIDC_NEW_ACCOUNTS",
  "CALLBOARD_OIDC_POST_LOGOUT_REDIRECT_URL",
];

const fieldOf = (name: string) => name.split("_").slice(2).join("_").toLowerCase();

/**
 * Returns the provider of the variables by its id; an empty object if none is set. Throws
 * ConfigError.
 */
export function providerVariables(env: Environment) {
  const said = VARIABLES.flatMap((name) => {
    const text = env.get(name)?.trim();
    return text ? [[fieldOf(name), valueOf(name, text)] as const] : [];
  });
  if (said.length === 0) return {};
  const id = env.get("CALLBOARD_OIDC_ID") || "oidc";
  const fields = Object.fromEntries(said);
  const provider = fields.preset ? fields : { display_name: "OpenID Connect", ...fields };
  const parsed = providersSchema.safeParse({ [id]: provider });
  if (parsed.success) return parsed.data;
  const told = parsed.error.issues.map(({ path: [, field], message }) =>
    `CALLBOARD_OIDC_${String(field ?? "id").toUpperCase()} ${message}`
  );
  throw new ConfigError(told.join("; "));
}

const valueOf = (name: string, text: string): unknown =>
  name === "CALLBOARD_OIDC_SCOPES" ? text.split(/[\s,]+/).filter(Boolean) : text;
