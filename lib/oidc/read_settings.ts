import { conceal, type Secret } from "../base/secret.ts";
import { SETTINGS } from "../base/settings/known_settings.ts";
import { ConfigError, type Environment } from "../base/settings/settings.ts";
import { readCertificates, readFile, readSettingsFile } from "../base/settings/settings_file.ts";
import { type ProviderSettings, providersFileSchema, providersSchema } from "./settings.ts";

/** Settings of a provider, and the secret of its client; null for a public client. */
export interface ReadProvider {
  settings: ProviderSettings;
  secret: Secret | null;
  /** Certificates in PEM that are trusted beside the system's; null for the system's alone. */
  ca: string | null;
}

/**
 * Reads the providers of the file that CALLBOARD_OIDC_FILE names, and the provider of the
 * CALLBOARD_OIDC_… variables. Returns them in their order of display. Throws ConfigError.
 */
export async function readProviders(env: Environment): Promise<ReadProvider[]> {
  const ofFile = await readSettingsFile(env, "CALLBOARD_OIDC_FILE", providersFileSchema) ?? {};
  const providers: ReadProvider[] = [];
  for (const [id, written] of Object.entries({ ...ofFile, ...providerVariables(env) })) {
    const { client_id, client_id_file, client_secret, client_secret_file, ca_file, ...settings } =
      written;
    const text = async (value: string | undefined, file: string | undefined) =>
      value ?? (file ? (await readFile(`provider ${id}`, file)).trim() : null);
    const secret = await text(client_secret, client_secret_file);
    if (secret === "") throw new ConfigError(`provider ${id}: ${client_secret_file} is empty`);
    const ca = ca_file ? await readCertificates(`provider ${id}: ca_file`, ca_file) : null;
    providers.push({
      ca,
      settings: { ...settings, id, client_id: (await text(client_id, client_id_file))! },
      secret: secret === null ? null : conceal(secret),
    });
  }
  return providers.toSorted((a, b) =>
    a.settings.order - b.settings.order ||
    a.settings.display_name.localeCompare(b.settings.display_name)
  );
}

/** Variables for a single provider without a file. Each sets the field of its name. */
const VARIABLES = SETTINGS.filter((name) => /^CALLBOARD_OIDC_(?!FILE$|ID$)/.test(name));

const fieldOf = (name: string) => name.split("_").slice(2).join("_").toLowerCase();

/**
 * Returns the provider of the variables by its id; an empty object if none is set. Throws
 * ConfigError.
 */
function providerVariables(env: Environment) {
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
  const reason = parsed.error.issues.map(({ path: [, field], message }) =>
    `CALLBOARD_OIDC_${String(field ?? "id").toUpperCase()} ${message}`
  );
  throw new ConfigError(reason.join("; "));
}

const valueOf = (name: string, text: string): unknown =>
  name === "CALLBOARD_OIDC_SCOPES" ? text.split(/[\s,]+/).filter(Boolean) : text;
