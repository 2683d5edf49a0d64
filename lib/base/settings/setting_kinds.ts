/**
 * Kind of a setting. It decides which of the things that its value names runs must not reach.
 *
 * - `text` names nothing on this machine.
 * - `secret` can come from the file that the variable `NAME_FILE` names.
 * - `data` is the folder of all data of a server or a runner.
 * - `file`, `folder` and `store` (a file, or the address of a service) are for the server alone.
 * - `listing` is a JSON file for the server alone. Its members `…_file` name further files.
 * - `project_folders` are folders with `{project}` in place of the id.
 * - `trusted` is a file that others may know but not change: certificates, or a program.
 * - `source` is a file or a folder that runs read.
 */
type SettingKind =
  | "text"
  | "secret"
  | "data"
  | "file"
  | "folder"
  | "store"
  | "listing"
  | "project_folders"
  | "trusted"
  | "source";

/**
 * All variables that are settings, in the order of docs/settings.md, without those that name files
 * of secrets.
 */
export const SETTING_KINDS = {
  CALLBOARD_CONFIG: "file",
  CALLBOARD_HOST: "text",
  CALLBOARD_PORT: "text",
  CALLBOARD_SOCKET: "file",
  CALLBOARD_SOCKET_MODE: "text",
  CALLBOARD_TLS_CERT: "trusted",
  CALLBOARD_TLS_KEY: "file",
  CALLBOARD_URL: "text",
  CALLBOARD_TRUST_PROXY: "text",
  CALLBOARD_LOG_LEVEL: "text",
  CALLBOARD_LOG_FORMAT: "text",
  CALLBOARD_ACCESS_LOG: "text",
  CALLBOARD_DATA: "data",
  CALLBOARD_KV: "store",
  CALLBOARD_NEW_STORE: "text",
  CALLBOARD_SECRET_KEY: "secret",
  CALLBOARD_SECRET_KEY_PREVIOUS: "secret",
  CALLBOARD_SECRET_KEY_NEXT: "secret",
  CALLBOARD_ADMIN: "text",
  CALLBOARD_ADMIN_PASSWORD: "secret",
  CALLBOARD_ADMIN_NAME: "text",
  CALLBOARD_ADMIN_EMAIL: "text",
  CALLBOARD_USERS_CREATE_PROJECTS: "text",
  CALLBOARD_PASSWORD_SIGN_IN_DISABLED: "text",
  CALLBOARD_SECOND_FACTOR_REQUIRED: "text",
  CALLBOARD_OIDC_FILE: "listing",
  CALLBOARD_OIDC_ID: "text",
  CALLBOARD_OIDC_PRESET: "text",
  CALLBOARD_OIDC_TENANT: "text",
  CALLBOARD_OIDC_DISPLAY_NAME: "text",
  CALLBOARD_OIDC_COLOR: "text",
  CALLBOARD_OIDC_PROVIDER_URL: "text",
  CALLBOARD_OIDC_CLIENT_ID: "text",
  CALLBOARD_OIDC_CLIENT_SECRET: "secret",
  CALLBOARD_OIDC_CA_FILE: "trusted",
  CALLBOARD_OIDC_REDIRECT_URL: "text",
  CALLBOARD_OIDC_SCOPES: "text",
  CALLBOARD_OIDC_USERNAME_CLAIM: "text",
  CALLBOARD_OIDC_NAME_CLAIM: "text",
  CALLBOARD_OIDC_EMAIL_CLAIM: "text",
  CALLBOARD_OIDC_NEW_ACCOUNTS: "text",
  CALLBOARD_OIDC_POST_LOGOUT_REDIRECT_URL: "text",
  CALLBOARD_LDAP_URL: "text",
  CALLBOARD_LDAP_START_TLS: "text",
  CALLBOARD_LDAP_CA_FILE: "trusted",
  CALLBOARD_LDAP_BIND_DN: "text",
  CALLBOARD_LDAP_BIND_PASSWORD: "secret",
  CALLBOARD_LDAP_ISSUER: "text",
  CALLBOARD_LDAP_SEARCH_DN: "text",
  CALLBOARD_LDAP_SEARCH_FILTER: "text",
  CALLBOARD_LDAP_ID_ATTRIBUTE: "text",
  CALLBOARD_LDAP_USERNAME_ATTRIBUTE: "text",
  CALLBOARD_LDAP_NAME_ATTRIBUTE: "text",
  CALLBOARD_LDAP_EMAIL_ATTRIBUTE: "text",
  CALLBOARD_LDAP_GROUPS_ATTRIBUTE: "text",
  CALLBOARD_LDAP_GROUP_SEARCH_DN: "text",
  CALLBOARD_LDAP_GROUP_SEARCH_FILTER: "text",
  CALLBOARD_LDAP_NEW_ACCOUNTS: "text",
  CALLBOARD_GROUP_RULES_FILE: "listing",
  CALLBOARD_GROUP_RULES_DAYS: "text",
  CALLBOARD_MAX_PARALLEL_TASKS: "text",
  CALLBOARD_TASK_ISOLATION: "text",
  CALLBOARD_TASK_USER: "text",
  CALLBOARD_TASK_TIME_LIMIT_SECONDS: "text",
  CALLBOARD_STOP_GRACE_SECONDS: "text",
  CALLBOARD_DRAIN_SECONDS: "text",
  CALLBOARD_FULL_DISK_SECONDS: "text",
  CALLBOARD_TASK_OUTPUT_MB: "text",
  CALLBOARD_FULL_RESULTS_MB: "text",
  CALLBOARD_WHEELS: "source",
  CALLBOARD_COLLECTIONS: "source",
  CALLBOARD_GALAXY_URL: "text",
  CALLBOARD_GALAXY_TOKEN: "secret",
  CALLBOARD_GALAXY_KEYRING: "source",
  CALLBOARD_RUNNER_LOST_SECONDS: "text",
  CALLBOARD_OWN_KEYS_ON_RUNNERS: "text",
  CALLBOARD_GLOBAL_ALIAS: "secret",
  CALLBOARD_KEEP_TASKS_PER_TEMPLATE: "text",
  CALLBOARD_KEEP_TASK_DAYS: "text",
  CALLBOARD_KEEP_EVENT_DAYS: "text",
  CALLBOARD_SMTP_URL: "secret",
  CALLBOARD_SMTP_FROM: "text",
  CALLBOARD_TELEGRAM_TOKEN: "secret",
  CALLBOARD_TELEGRAM_CHAT: "text",
  CALLBOARD_TELEGRAM_URL: "text",
  CALLBOARD_SLACK_URL: "secret",
  CALLBOARD_WEBHOOK_URL: "secret",
  CALLBOARD_WEBHOOK_SECRET: "secret",
  CALLBOARD_RUNNER_WEBHOOK: "secret",
  CALLBOARD_RUNNER_WEBHOOK_SECRET: "secret",
  CALLBOARD_ALERT_NETWORKS: "text",
  CALLBOARD_AUDIT_SYSLOG: "text",
  CALLBOARD_AUDIT_FILE: "file",
  CALLBOARD_AUDIT_URL: "text",
  CALLBOARD_AUDIT_FORMAT: "text",
  CALLBOARD_AUDIT_TOKEN: "secret",
  CALLBOARD_AUDIT_CA_FILE: "trusted",
  CALLBOARD_SURVEY_URLS: "secret",
  CALLBOARD_SECRET_FILES: "project_folders",
  CALLBOARD_SECRET_COMMAND: "trusted",
  CALLBOARD_SECRET_NETWORKS: "text",
  CALLBOARD_METRICS_TOKEN: "secret",
  CALLBOARD_INSTALL: "text",
  CALLBOARD_DEMO: "text",
  CALLBOARD_UPGRADE_BACKUP: "text",
  CALLBOARD_BACKUP_AT: "text",
  CALLBOARD_BACKUP_TO: "folder",
  CALLBOARD_BACKUP_KEEP: "text",
  CALLBOARD_BACKUP_PASSPHRASE: "secret",
  CALLBOARD_BACKUP_TEST_AT: "text",
  CALLBOARD_BACKUP_COMMAND: "secret",
  CALLBOARD_BACKUP_COMMAND_SECONDS: "text",
  CALLBOARD_BACKUP_BUCKET_ENDPOINT: "text",
  CALLBOARD_BACKUP_BUCKET_NAME: "text",
  CALLBOARD_BACKUP_BUCKET_PREFIX: "text",
  CALLBOARD_BACKUP_BUCKET_REGION: "text",
  CALLBOARD_BACKUP_BUCKET_PATH_STYLE: "text",
  CALLBOARD_BACKUP_BUCKET_ACCESS_KEY: "text",
  CALLBOARD_BACKUP_BUCKET_SECRET_KEY: "secret",
  CALLBOARD_RUNNER_DATA: "data",
  CALLBOARD_RUNNER_URL: "text",
  CALLBOARD_RUNNER_TOKEN: "secret",
  CALLBOARD_RUNNER_NAME: "text",
  CALLBOARD_RUNNER_MAX_PARALLEL: "text",
  CALLBOARD_RUNNER_INSECURE: "text",
  CALLBOARD_RUNNER_VAULT_URL: "text",
  CALLBOARD_RUNNER_VAULT_TOKEN: "secret",
} as const satisfies Record<string, SettingKind>;

/** Returns the settings of a kind. */
export const settingsOf = (kind: SettingKind): string[] =>
  Object.entries(SETTING_KINDS).flatMap(([name, its]) => its === kind ? [name] : []);
