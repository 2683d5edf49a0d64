import { type FileRule, readFileRules } from "../../access/file_rules.ts";
import { type AuditSettings, readAuditSettings } from "../../audit/settings.ts";
import type { Clock } from "../../base/time/clock.ts";
import { type Config, readConfig, requireSignInMethod } from "../../base/settings/config.ts";
import { programVersion } from "../../base/machine/program_version.ts";
import { readEnvironment } from "../../base/settings/secret_settings.ts";
import type { Environment } from "../../base/settings/settings.ts";
import { type LdapSettings, readLdap } from "../../ldap/settings.ts";
import { createProviders, type Providers } from "../../oidc/provider.ts";
import { readProviders } from "../../oidc/read_settings.ts";

/** The settings of a server, as its environment and files say. */
export interface ServerSettings {
  env: Environment;
  config: Config;
  providers: Providers;
  ldap: LdapSettings | null;
  fileRules: FileRule[];
  audit: AuditSettings;
}

/** Reads all settings. Throws ConfigError for one that cannot be used. */
export async function readServerSettings(version: string, clock: Clock): Promise<ServerSettings> {
  const env = await readEnvironment();
  const config = readConfig(env, programVersion(version));
  const settings = {
    env,
    config,
    providers: createProviders(await readProviders(env), clock),
    ldap: await readLdap(env),
    fileRules: await readFileRules(env),
    audit: await readAuditSettings(env),
  };
  requireSignInMethod(config, settings.providers.list.length);
  return settings;
}
