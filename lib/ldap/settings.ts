import { conceal, type Secret } from "../base/secret.ts";
import { NEW_ACCOUNTS, type NewAccounts } from "../base/claims.ts";
import { ConfigError, type Environment, readSwitch } from "../base/settings/settings.ts";
import { readCertificates } from "../base/settings/settings_file.ts";

/** Prefix of directory issuers, so that none is taken for a provider's. */
const ISSUER_PREFIX = "ldap:";
/** Issuer of a directory if the settings do not name one. */
export const DEFAULT_ISSUER = `${ISSUER_PREFIX}directory`;

/** Settings for the sign-in through a directory: see docs/single-sign-on.md. */
export interface LdapSettings {
  /** Name that accounts know the directory by. It stays when the server or the DNs change. */
  issuer: string;
  /** `ldap://` or `ldaps://`, with the host that the certificate is for. */
  url: string;
  startTls: boolean;
  /** Certificates in PEM that are trusted instead of the system's; null for the system's. */
  ca: string | null;
  /** Account that searches for people; null if anonymous searches are allowed. */
  bind: { dn: string; password: Secret } | null;
  searchDn: string;
  /** Filter for people. Each `%s` stands for the username that was typed. */
  searchFilter: string;
  attributes: Record<"id" | "username" | "name" | "email" | "groups", string>;
  /**
   * Search for groups that name their members, where `%s` is the person's DN. Null if the entries
   * of people name their groups.
   */
  groups: { dn: string; filter: string } | null;
  newAccounts: NewAccounts;
}

const ATTRIBUTES: LdapSettings["attributes"] = {
  id: "entryUUID",
  username: "uid",
  name: "cn",
  email: "mail",
  groups: "memberOf",
};

/**
 * Reads the directory of the CALLBOARD_LDAP_… variables; null if none is configured. Throws
 * ConfigError.
 */
export async function readLdap(env: Environment): Promise<LdapSettings | null> {
  const get = (name: string) => env.get(name)?.trim() || null;
  const url = get("CALLBOARD_LDAP_URL");
  if (!url) return null;
  const protocol = protocolOf(url);
  const caFile = get("CALLBOARD_LDAP_CA_FILE");
  const groupDn = get("CALLBOARD_LDAP_GROUP_SEARCH_DN");
  const ca = caFile && await readCertificates("CALLBOARD_LDAP_CA_FILE", caFile);
  return {
    issuer: issuerOf(get("CALLBOARD_LDAP_ISSUER")),
    url,
    startTls: protocol === "ldap:" && readSwitch(env, "CALLBOARD_LDAP_START_TLS", true),
    ca,
    bind: readBind(env, get("CALLBOARD_LDAP_BIND_DN")),
    searchDn: get("CALLBOARD_LDAP_SEARCH_DN") ?? missing("CALLBOARD_LDAP_SEARCH_DN"),
    searchFilter: await filterOf(env, "CALLBOARD_LDAP_SEARCH_FILTER", "(uid=%s)"),
    attributes: {
      id: attributeOf(env, "CALLBOARD_LDAP_ID_ATTRIBUTE", ATTRIBUTES.id),
      username: attributeOf(env, "CALLBOARD_LDAP_USERNAME_ATTRIBUTE", ATTRIBUTES.username),
      name: attributeOf(env, "CALLBOARD_LDAP_NAME_ATTRIBUTE", ATTRIBUTES.name),
      email: attributeOf(env, "CALLBOARD_LDAP_EMAIL_ATTRIBUTE", ATTRIBUTES.email),
      groups: attributeOf(env, "CALLBOARD_LDAP_GROUPS_ATTRIBUTE", ATTRIBUTES.groups),
    },
    groups: groupDn === null ? null : {
      dn: groupDn,
      filter: await filterOf(env, "CALLBOARD_LDAP_GROUP_SEARCH_FILTER", "(member=%s)"),
    },
    newAccounts: newAccountsOf(get("CALLBOARD_LDAP_NEW_ACCOUNTS")),
  };
}

function issuerOf(name: string | null): string {
  if (name === null) return DEFAULT_ISSUER;
  if (/^[\w.-]{1,100}$/.test(name)) return ISSUER_PREFIX + name;
  throw new ConfigError(
    'CALLBOARD_LDAP_ISSUER must be 1 to 100 letters, digits, ".", "-" or "_"',
  );
}

function protocolOf(text: string): string {
  const url = URL.parse(text);
  const isPlain = url?.hostname && ["", "/"].includes(url.pathname) && !url.username && !url.search;
  if (url && isPlain && ["ldap:", "ldaps:"].includes(url.protocol)) return url.protocol;
  throw new ConfigError(
    "CALLBOARD_LDAP_URL must be ldap://host:port or ldaps://host:port, without anything after it",
  );
}

function readBind(env: Environment, dn: string | null): LdapSettings["bind"] {
  if (!dn) return null;
  const password = env.get("CALLBOARD_LDAP_BIND_PASSWORD") ?? "";
  // A server takes a name without a password for an anonymous bind and reports success.
  if (password === "") {
    throw new ConfigError(
      "CALLBOARD_LDAP_BIND_DN needs CALLBOARD_LDAP_BIND_PASSWORD, or a file with it",
    );
  }
  return { dn, password: conceal(password) };
}

async function filterOf(env: Environment, name: string, fallback: string): Promise<string> {
  const text = env.get(name)?.trim();
  if (!text) return fallback;
  if (/^\(.*\)$/.test(text) && text.includes("%s") && await isFilter(text)) return text;
  throw new ConfigError(
    `${name} must be a filter in parentheses that contains %s, such as ${fallback}`,
  );
}

async function isFilter(template: string): Promise<boolean> {
  const { fillFilter } = await import("./filter.ts");
  try {
    fillFilter(template, "");
    return true;
  } catch {
    return false;
  }
}

function attributeOf(env: Environment, name: string, fallback: string): string {
  const text = env.get(name)?.trim();
  if (!text) return fallback;
  if (/^[A-Za-z][A-Za-z0-9;-]{0,99}$/.test(text)) return text;
  throw new ConfigError(`${name} must be the name of an attribute, such as ${fallback}`);
}

function newAccountsOf(text: string | null): NewAccounts {
  const known = NEW_ACCOUNTS.find((choice) => choice === (text ?? "create"));
  return known ?? missing("CALLBOARD_LDAP_NEW_ACCOUNTS", "must be create, ask or refuse");
}

function missing(name: string, must = "is required with CALLBOARD_LDAP_URL"): never {
  throw new ConfigError(`${name} ${must}`);
}
