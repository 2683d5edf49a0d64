import { closest } from "fastest-levenshtein";
import { fileVariable, SECRET_SETTINGS } from "./secret_settings.ts";
import { ConfigError, type Environment } from "./settings.ts";

/**
 * All variables that are settings, in the order of docs/settings.md, without those that name files
 * of secrets.
 */
export const SETTINGS: readonly string[] = [
  "CALLBOARD_HOST",
  "CALLBOARD_PORT",
  "CALLBOARD_URL",
  "CALLBOARD_TRUST_PROXY",
  "CALLBOARD_DATA",
  "CALLBOARD_KV",
  "CALLBOARD_SECRET_KEY",
  "CALLBOARD_SECRET_KEY_PREVIOUS",
  "CALLBOARD_SECRET_KEY_NEXT",
  "CALLBOARD_ADMIN",
  "CALLBOARD_ADMIN_PASSWORD",
  "CALLBOARD_ADMIN_NAME",
  "CALLBOARD_ADMIN_EMAIL",
  "CALLBOARD_USERS_CREATE_PROJECTS",
  "CALLBOARD_PASSWORD_SIGN_IN_DISABLED",
  "CALLBOARD_SECOND_FACTOR_REQUIRED",
  "CALLBOARD_OIDC_FILE",
  "CALLBOARD_OIDC_ID",
  "CALLBOARD_OIDC_PRESET",
  "CALLBOARD_OIDC_TENANT",
  "CALLBOARD_OIDC_DISPLAY_NAME",
  "CALLBOARD_OIDC_COLOR",
  "CALLBOARD_OIDC_PROVIDER_URL",
  "CALLBOARD_OIDC_CLIENT_ID",
  "CALLBOARD_OIDC_CLIENT_SECRET",
  "CALLBOARD_OIDC_CA_FILE",
  "CALLBOARD_OIDC_REDIRECT_URL",
  "CALLBOARD_OIDC_SCOPES",
  "CALLBOARD_OIDC_USERNAME_CLAIM",
  "CALLBOARD_OIDC_NAME_CLAIM",
  "CALLBOARD_OIDC_EMAIL_CLAIM",
  "CALLBOARD_OIDC_NEW_ACCOUNTS",
  "CALLBOARD_OIDC_POST_LOGOUT_REDIRECT_URL",
  "CALLBOARD_LDAP_URL",
  "CALLBOARD_LDAP_START_TLS",
  "CALLBOARD_LDAP_CA_FILE",
  "CALLBOARD_LDAP_BIND_DN",
  "CALLBOARD_LDAP_BIND_PASSWORD",
  "CALLBOARD_LDAP_ISSUER",
  "CALLBOARD_LDAP_SEARCH_DN",
  "CALLBOARD_LDAP_SEARCH_FILTER",
  "CALLBOARD_LDAP_ID_ATTRIBUTE",
  "CALLBOARD_LDAP_USERNAME_ATTRIBUTE",
  "CALLBOARD_LDAP_NAME_ATTRIBUTE",
  "CALLBOARD_LDAP_EMAIL_ATTRIBUTE",
  "CALLBOARD_LDAP_GROUPS_ATTRIBUTE",
  "CALLBOARD_LDAP_GROUP_SEARCH_DN",
  "CALLBOARD_LDAP_GROUP_SEARCH_FILTER",
  "CALLBOARD_LDAP_NEW_ACCOUNTS",
  "CALLBOARD_GROUP_RULES_FILE",
  "CALLBOARD_GROUP_RULES_DAYS",
  "CALLBOARD_MAX_PARALLEL_TASKS",
  "CALLBOARD_TASK_ISOLATION",
  "CALLBOARD_TASK_USER",
  "CALLBOARD_TASK_TIME_LIMIT_SECONDS",
  "CALLBOARD_STOP_GRACE_SECONDS",
  "CALLBOARD_DRAIN_SECONDS",
  "CALLBOARD_FULL_RESULTS_MB",
  "CALLBOARD_WHEELS",
  "CALLBOARD_COLLECTIONS",
  "CALLBOARD_GALAXY_URL",
  "CALLBOARD_GALAXY_TOKEN",
  "CALLBOARD_GALAXY_KEYRING",
  "CALLBOARD_RUNNER_LOST_SECONDS",
  "CALLBOARD_OWN_KEYS_ON_RUNNERS",
  "CALLBOARD_SEMAPHORE_RUNNERS",
  "CALLBOARD_GLOBAL_ALIAS",
  "CALLBOARD_KEEP_TASKS_PER_TEMPLATE",
  "CALLBOARD_KEEP_TASK_DAYS",
  "CALLBOARD_KEEP_EVENT_DAYS",
  "CALLBOARD_SMTP_URL",
  "CALLBOARD_SMTP_FROM",
  "CALLBOARD_TELEGRAM_TOKEN",
  "CALLBOARD_TELEGRAM_CHAT",
  "CALLBOARD_TELEGRAM_URL",
  "CALLBOARD_SLACK_URL",
  "CALLBOARD_WEBHOOK_URL",
  "CALLBOARD_WEBHOOK_SECRET",
  "CALLBOARD_RUNNER_WEBHOOK",
  "CALLBOARD_RUNNER_WEBHOOK_SECRET",
  "CALLBOARD_ALERT_NETWORKS",
  "CALLBOARD_AUDIT_SYSLOG",
  "CALLBOARD_AUDIT_FILE",
  "CALLBOARD_AUDIT_URL",
  "CALLBOARD_AUDIT_FORMAT",
  "CALLBOARD_AUDIT_TOKEN",
  "CALLBOARD_AUDIT_CA_FILE",
  "CALLBOARD_SURVEY_URLS",
  "CALLBOARD_SECRET_FILES",
  "CALLBOARD_SECRET_COMMAND",
  "CALLBOARD_SECRET_NETWORKS",
  "CALLBOARD_METRICS_TOKEN",
  "CALLBOARD_INSTALL",
  "CALLBOARD_DEMO",
  "CALLBOARD_UPGRADE_BACKUP",
  "CALLBOARD_BACKUP_AT",
  "CALLBOARD_BACKUP_TO",
  "CALLBOARD_BACKUP_KEEP",
  "CALLBOARD_BACKUP_PASSPHRASE",
  "CALLBOARD_RUNNER_DATA",
  "CALLBOARD_RUNNER_URL",
  "CALLBOARD_RUNNER_TOKEN",
  "CALLBOARD_RUNNER_NAME",
  "CALLBOARD_RUNNER_MAX_PARALLEL",
  "CALLBOARD_RUNNER_INSECURE",
  "CALLBOARD_RUNNER_VAULT_URL",
  "CALLBOARD_RUNNER_VAULT_TOKEN",
];

/** Settings that a server's environment sets, with null in place of a secret. */
export type EnvironmentSettings = ReadonlyMap<string, string | null>;

/** Returns the settings that `env` sets. Readers of settings treat an empty one as not set. */
export function environmentSettings(env: Environment): EnvironmentSettings {
  const set = SETTINGS.flatMap((name): [string, string | null][] => {
    const value = env.get(name);
    if (!value) return [];
    return [[name, SECRET_SETTINGS.includes(name) ? null : withoutCredentials(value)]];
  });
  return new Map(set);
}

/** Removes the parts of an address that may contain a password or a token. */
export function withoutCredentials(value: string): string {
  const url = URL.parse(value);
  if (!url || !(url.username || url.password || url.search)) return value;
  url.username = url.password = url.search = "";
  return url.href;
}

/**
 * Variables with the prefix of settings that are not settings. Callboard sets one for
 * `operatorCommand` and others for a task's processes, which may run one of its scripts. Kubernetes
 * creates the rest for a service with the name "callboard".
 */
const NO_SETTINGS = [
  /^CALLBOARD_(COMMAND|PROCESS|RESULTS|PASSPHRASE_FILE|LATE_.*)$/,
  // Values that keys and secret variables refer to.
  /^CALLBOARD_VALUE_.*$/,
  /^CALLBOARD_(SERVICE_(HOST|PORT)|PORT_\d+_).*$/,
];

/** Returns each variable that looks like a setting but is not one, and the nearest setting. */
export function unknownSettings(names: readonly string[]): { name: string; nearest: string }[] {
  const known = [...SETTINGS, ...SECRET_SETTINGS.map(fileVariable)];
  return names.filter((name) =>
    name.startsWith("CALLBOARD_") && !known.includes(name) &&
    !NO_SETTINGS.some((pattern) => pattern.test(name))
  ).map((name) => ({ name, nearest: closest(name, known) }));
}

/** Throws ConfigError that names each variable that looks like a setting but is not one. */
export function requireKnownSettings(names: readonly string[]): void {
  const unknown = unknownSettings(names);
  if (unknown.length === 0) return;
  const sentences = unknown.map(({ name, nearest }) =>
    `${name} is not a setting. Did you mean ${nearest}?`
  );
  throw new ConfigError(`${sentences.join("\n")}\ndocs/settings.md lists all settings.`);
}
