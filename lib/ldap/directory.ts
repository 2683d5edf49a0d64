import { Buffer } from "node:buffer";
import ipaddr from "ipaddr.js";
import { Client, type Entry, InvalidCredentialsError } from "ldapts";
import type { Claims } from "../base/claims.ts";
import type { NewAccounts } from "../base/new_accounts.ts";
import { reveal } from "../base/secret.ts";
import { commonName } from "./dn.ts";
import { fillFilter } from "./filter.ts";
import type { LdapSettings } from "./settings.ts";

/** What a directory says of somebody whose password was right. */
interface Found {
  /** The directory's name in the settings. */
  issuer: string;
  /** By which it knows the person for ever. */
  subject: string;
  profile: { username: string; name: string; email: string };
  claims: Claims;
}

export interface Directory {
  newAccounts: NewAccounts;
  /** Null for a name that it does not know, or another password. Throws when it cannot say. */
  prove(login: string, password: string): Promise<Found | null>;
}

/** Of each connection and each question. */
const TIME_LIMIT_MS = 5_000;
const GROUPS_MAX = 1_000;

/** A directory that is asked anew for each sign-in: as it says who somebody is now. */
export const createDirectory = (settings: LdapSettings): Directory => ({
  newAccounts: settings.newAccounts,
  async prove(login, password) {
    // Without a password a server lets in nobody in particular, and says that all is well.
    if (password === "") return null;
    const client = new Client({
      url: settings.url,
      timeout: TIME_LIMIT_MS,
      connectTimeout: TIME_LIMIT_MS,
      // With any, the client would begin with TLS, and not ask for it.
      tlsOptions: settings.url.startsWith("ldaps:") ? tlsOptionsOf(settings) : undefined,
    });
    try {
      if (settings.startTls) await client.startTLS(tlsOptionsOf(settings));
      if (settings.bind) await client.bind(settings.bind.dn, reveal(settings.bind.password));
      const entry = await findPerson(client, settings, login);
      if (!entry) return null;
      const groups = await groupsOf(client, settings, entry);
      return await isPassword(client, entry.dn, password) ? foundOf(settings, entry, groups) : null;
    } finally {
      await client.unbind().catch(() => {});
    }
  },
});

/** Whose certificate is expected, and who vouches for it. */
function tlsOptionsOf({ url, ca }: LdapSettings) {
  const host = new URL(url.replace(/^ldaps?:/, "http:")).hostname.replace(/^\[|\]$/g, "");
  const servername = ipaddr.isValid(host) ? undefined : host;
  return { host, servername, ...ca !== null && { ca } };
}

/** Who is called that; null where nobody is. Throws where several are. */
async function findPerson(
  client: Client,
  { searchDn, searchFilter, attributes }: LdapSettings,
  login: string,
): Promise<Entry | null> {
  const { searchEntries: [entry, second] } = await client.search(searchDn, {
    scope: "sub",
    filter: fillFilter(searchFilter, login),
    attributes: Object.values(attributes),
    explicitBufferAttributes: [attributes.id],
    sizeLimit: 2,
    timeLimit: TIME_LIMIT_MS / 1000,
  });
  if (second) throw new Error("several entries have this name: CALLBOARD_LDAP_SEARCH_FILTER");
  return entry ?? null;
}

/** The groups that name a person as their member, by their DNs. */
async function groupsOf(client: Client, { groups }: LdapSettings, { dn }: Entry) {
  if (!groups) return [];
  const { searchEntries } = await client.search(groups.dn, {
    scope: "sub",
    filter: fillFilter(groups.filter, dn),
    attributes: ["cn"],
    sizeLimit: GROUPS_MAX,
    timeLimit: TIME_LIMIT_MS / 1000,
  });
  return searchEntries.map((entry) => entry.dn);
}

async function isPassword(client: Client, dn: string, password: string): Promise<boolean> {
  try {
    await client.bind(dn, password);
    return true;
  } catch (error) {
    if (error instanceof InvalidCredentialsError) return false;
    throw error;
  }
}

function foundOf({ issuer, attributes }: LdapSettings, entry: Entry, named: string[]): Found {
  const first = (name: string) => textsOf(entry[name])[0]?.trim() ?? "";
  const subject = idOf(entry[attributes.id]);
  const username = first(attributes.username);
  if (!subject || !username) {
    throw new Error(`the entry has no ${subject ? attributes.username : attributes.id}`);
  }
  const groups = [...new Set([...textsOf(entry[attributes.groups]), ...named])];
  return {
    issuer,
    subject,
    profile: {
      username,
      name: first(attributes.name) || username,
      email: first(attributes.email) || username,
    },
    claims: { dn: entry.dn, groups, group_names: groups.map(commonName) },
  };
}

const textsOf = (value: Entry[string] | undefined): string[] =>
  value === undefined ? [] : [value].flat().map(String);

/** Some directories have their ids as text, some as bytes. */
function idOf(value: Entry[string] | undefined): string {
  const [first] = value === undefined ? [] : [value].flat();
  const bytes = Buffer.isBuffer(first) ? first : Buffer.from(String(first ?? ""));
  const text = bytes.toString("latin1");
  return /^[\x21-\x7e]*$/.test(text) ? text : bytes.toString("hex");
}
