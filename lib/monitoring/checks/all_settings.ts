import { readFileRules } from "../../access/file_rules.ts";
import { readSecretKeys, type SecretKeys } from "../../access/secret_keys.ts";
import { readAuditSettings } from "../../audit/settings.ts";
import { readCertificatePair } from "../../base/settings/certificate_pair.ts";
import { type Config, readConfig, requireSignInMethod } from "../../base/settings/config.ts";
import { unknownSettings } from "../../base/settings/known_settings.ts";
import { withSecretFiles } from "../../base/settings/secret_settings.ts";
import { ConfigError, type Environment } from "../../base/settings/settings.ts";
import { readPackageSources } from "../../execution/run/package_sources.ts";
import { readSourceSettings } from "../../execution/sources/settings.ts";
import { type LdapSettings, readLdap } from "../../ldap/settings.ts";
import { parseAutomaticBackups } from "../../maintenance/server_backup/automatic_settings.ts";
import { type ReadProvider, readProviders } from "../../oidc/read_settings.ts";
import { readRunnerConfig } from "../../runner/program/settings.ts";
import { type Finding, problem } from "./finding.ts";
import { checkPaths } from "./paths_check.ts";

/** All settings as a start reads them. Those that are not usable count as not set. */
interface AllSettings {
  config: Config;
  providers: ReadProvider[];
  ldap: LdapSettings | null;
  /** Null if the server has no secret key yet, or it cannot be read. */
  keys: SecretKeys | null;
  /** Variables with secrets from files in place, without those that are not usable. */
  env: Environment;
  /** One for each problem. */
  findings: Finding[];
}

const NOTHING: Environment = { get: () => undefined };

/**
 * Reads all settings of a server and of a runner past the first problem. `names` are those of all
 * variables. Nothing is started or changed.
 */
export async function readAllSettings(
  { variables, names }: { variables: Environment; names: readonly string[] },
): Promise<AllSettings> {
  const findings: Finding[] = unknownSettings(names)
    .map((unknown) => problem("failed", "doctor.settings.unknown", { ...unknown }));
  const first = lenientReader(variables, findings);
  const { env, read } = lenientReader(
    await first.read(withSecretFiles, () => variables),
    findings,
  );
  const config = await read((env) => readConfig(env, ""), () => readConfig(NOTHING, ""));
  const { tls } = config;
  if (tls) await read(() => readCertificatePair(tls), () => null);
  const providers = await read(readProviders, () => []);
  const ldap = await read(readLdap, () => null);
  await read(readFileRules, () => []);
  await read(readAuditSettings, () => null);
  await read(readSourceSettings, () => null);
  await read(readPackageSources, () => null);
  await read((env) => readRunnerConfig(env, ""), () => null);
  await read((env) => parseAutomaticBackups(env, config), () => null);
  await read(() => requireSignInMethod(config, providers.length), () => {});
  const keys = await read((env) => readSecretKeys(env, config.dataDir), () => null);
  findings.push(...await checkPaths(env, config));
  return { config, providers, ldap, keys, env, findings };
}

const NAMES = /\b(?:CALLBOARD|DENO_KV)_[A-Z_]*[A-Z]\b/g;

/** Reads settings like a start, but past the first problem. */
interface LenientReader {
  /** The variables, without those that were not usable. */
  env: Environment;
  /** Returns what `work` reads, or `otherwise` if it fails for no variable that it names. */
  read<T>(work: (env: Environment) => T | Promise<T>, otherwise: () => T): Promise<T>;
}

/** Creates a reader that adds a finding for each problem and hides the variables it names. */
function lenientReader(variables: Environment, findings: Finding[]): LenientReader {
  const [hidden, known] = [new Set<string>(), new Set<string>()];
  const env = {
    get: (name: string) => hidden.has(name) ? undefined : variables.get(name),
  };
  const note = ({ message }: ConfigError) => {
    if (!known.has(message)) {
      findings.push(problem("failed", "doctor.settings.invalid", { why: message }));
    }
    known.add(message);
    const before = hidden.size;
    for (const [name] of message.matchAll(NAMES)) hidden.add(name);
    return hidden.size > before;
  };
  return {
    env,
    async read(work, otherwise) {
      for (;;) {
        try {
          return await work(env);
        } catch (error) {
          if (!(error instanceof ConfigError)) throw error;
          if (!note(error)) return otherwise();
        }
      }
    },
  };
}
