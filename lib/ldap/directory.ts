import { Buffer } from "node:buffer";
import { type Client, type Entry, InvalidCredentialsError, SizeLimitExceededError } from "ldapts";
import type { Claims } from "../base/claims.ts";
import type { NewAccounts } from "../base/new_accounts.ts";
import { asReader, TIME_LIMIT_MS } from "./connection.ts";
import { commonName } from "./dn.ts";
import { DirectoryFailure, refusalOf, step } from "./failure.ts";
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
  /** Null for a name that it does not know, or another password. Throws a DirectoryFailure. */
  prove(login: string, password: string): Promise<Found | null>;
  /** Asks it all but a password. Throws a DirectoryFailure, which says why people cannot sign in. */
  check(): Promise<void>;
}

const GROUPS_MAX = 1_000;

/** A directory that is asked anew for each sign-in: as it says who somebody is now. */
export const createDirectory = (settings: LdapSettings): Directory => ({
  newAccounts: settings.newAccounts,
  // Without a password a server lets in nobody in particular, and says that all is well.
  prove: async (login, password) =>
    password === "" ? null : await asReader(settings, async (client) => {
      const entry = await findPerson(client, settings, login);
      if (!entry) return null;
      const groups = await groupsOf(client, settings, entry.dn);
      return await isPassword(client, entry.dn, password) ? foundOf(settings, entry, groups) : null;
    }),
  check: () =>
    asReader(settings, async (client) => {
      await searchPeople(client, settings, "callboard");
      await groupsOf(client, settings, settings.searchDn);
    }),
});

/** The entries with a name: two at most, since more than one is too many. */
async function searchPeople(
  client: Client,
  { bind, searchDn, searchFilter, attributes }: LdapSettings,
  login: string,
): Promise<Entry[]> {
  const names = "CALLBOARD_LDAP_SEARCH_DN, CALLBOARD_LDAP_SEARCH_FILTER" +
    (bind ? "" : ", CALLBOARD_LDAP_BIND_DN");
  const { searchEntries } = await step("search of people", names, () =>
    client.search(searchDn, {
      scope: "sub",
      filter: fillFilter(searchFilter, login),
      attributes: Object.values(attributes),
      explicitBufferAttributes: [attributes.id],
      sizeLimit: 2,
      timeLimit: TIME_LIMIT_MS / 1000,
    }).catch((error) => {
      if (error instanceof SizeLimitExceededError) throw ambiguous("more than two");
      throw error;
    }));
  return searchEntries;
}

/** The entry with a name; null where there is none. Throws where there are several. */
async function findPerson(client: Client, settings: LdapSettings, login: string) {
  const [entry, second] = await searchPeople(client, settings, login);
  if (second) throw ambiguous(`${entry.dn} and ${second.dn}`);
  return entry ?? null;
}

const ambiguous = (entries: string) =>
  new DirectoryFailure(
    "ambiguous",
    "several entries have this name; see CALLBOARD_LDAP_SEARCH_FILTER, CALLBOARD_LDAP_SEARCH_DN",
    entries,
  );

/** The groups that name a person as their member, by their DNs. */
async function groupsOf(client: Client, { groups }: LdapSettings, dn: string): Promise<string[]> {
  if (!groups) return [];
  const names = "CALLBOARD_LDAP_GROUP_SEARCH_DN, CALLBOARD_LDAP_GROUP_SEARCH_FILTER";
  const { searchEntries } = await step("search of groups", names, () =>
    client.search(groups.dn, {
      scope: "sub",
      filter: fillFilter(groups.filter, dn),
      attributes: ["cn"],
      sizeLimit: GROUPS_MAX,
      timeLimit: TIME_LIMIT_MS / 1000,
    }));
  return searchEntries.map((entry) => entry.dn);
}

async function isPassword(client: Client, dn: string, password: string): Promise<boolean> {
  return await step("bind of the person", "the directory's own log", async () => {
    try {
      await client.bind(dn, password);
      return true;
    } catch (error) {
      if (!(error instanceof InvalidCredentialsError)) throw error;
      const refusal = refusalOf(error.message, dn);
      if (refusal) throw refusal;
      return false;
    }
  });
}

function foundOf({ issuer, attributes }: LdapSettings, entry: Entry, named: string[]): Found {
  const first = (name: string) => textsOf(entry[name])[0]?.trim() ?? "";
  const subject = idOf(entry[attributes.id]);
  const username = first(attributes.username);
  if (!subject || !username) {
    const [attribute, setting] = subject
      ? [attributes.username, "CALLBOARD_LDAP_USERNAME_ATTRIBUTE"]
      : [attributes.id, "CALLBOARD_LDAP_ID_ATTRIBUTE"];
    const why = `the entry has no ${attribute}, or the reader may not see it; see ${setting}`;
    throw new DirectoryFailure("misconfigured", why, entry.dn);
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
