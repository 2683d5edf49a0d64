import { conceal, type Secret } from "../base/secret.ts";
import { ConfigError, type Environment } from "../base/settings.ts";
import { readCertificates, readFile, readSettingsFile } from "../base/settings_file.ts";
import { type ProviderSettings, providersFileSchema } from "./settings.ts";
import { providerVariables } from "./variables.ts";

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
