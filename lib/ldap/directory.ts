import { Buffer } from "node:buffer";
import { type Client, type Entry, InvalidCredentialsError, SizeLimitExceededError } from "ldapts";
import type { Claims, NewAccounts } from "../base/claims.ts";
import { asReader, TIME_LIMIT_MS } from "./connection.ts";
import { commonName } from "./dn.ts";
import { DirectoryFailure, refusalOf } from "./failure.ts";
import { fillFilter } from "./filter.ts";
import type { LdapSettings } from "./settings.ts";
import { directoryStep } from "./step.ts";

/** A person whose password was correct, as the directory describes them. */
interface Found {
  /** The directory's name in the settings. */
  issuer: string;
  /** Permanent id of the person in the directory. */
  subject: string;
  profile: { username: string; name: string; email: string };
  claims: Claims;
}

export interface Directory {
  newAccounts: NewAccounts;
  /** Returns null for an unknown name or a wrong password. Throws a DirectoryFailure. */
  prove(login: string, password: string): Promise<Found | null>;
  /**
   * Makes all requests of a sign-in except the check of a password. Throws a DirectoryFailure that
   * says why people cannot sign in.
   */
  check(): Promise<void>;
}

const GROUPS_MAX = 1_000;

/** Creates a directory that is queried anew for each sign-in, so that its answer is current. */
export const createDirectory = (settings: LdapSettings, limitMs?: number): Directory => ({
  newAccounts: settings.newAccounts,
  // A server takes a bind without a password for an anonymous one and reports success.
  prove: async (login, password) =>
    password === "" ? null : await asReader(settings, async (client) => {
      const entry = await findPerson(client, settings, login);
      if (!entry) return null;
      const groups = await groupsOf(client, settings, entry.dn);
      return await isPassword(client, entry.dn, password) ? foundOf(settings, entry, groups) : null;
    }, limitMs),
  check: () =>
    asReader(settings, async (client) => {
      await searchPeople(client, settings, "callboard");
      await groupsOf(client, settings, settings.searchDn);
    }, limitMs),
});

/** Returns the entries with a name. It stops at two, because more than one is an error. */
async function searchPeople(
  client: Client,
  { bind, searchDn, searchFilter, attributes }: LdapSettings,
  login: string,
): Promise<Entry[]> {
  const names = "CALLBOARD_LDAP_SEARCH_DN, CALLBOARD_LDAP_SEARCH_FILTER" +
    (bind ? "" : ", CALLBOARD_LDAP_BIND_DN");
  const { searchEntries } = await directoryStep(
    "search of people",
    names,
    () =>
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
      }),
  );
  return searchEntries;
}

/** Returns the entry with a name; null if there is none. Throws if there are several. */
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

/** Returns the DNs of the groups that name a person as their member. */
async function groupsOf(client: Client, { groups }: LdapSettings, dn: string): Promise<string[]> {
  if (!groups) return [];
  const names = "CALLBOARD_LDAP_GROUP_SEARCH_DN, CALLBOARD_LDAP_GROUP_SEARCH_FILTER";
  const { searchEntries } = await directoryStep(
    "search of groups",
    names,
    () =>
      client.search(groups.dn, {
        scope: "sub",
        filter: fillFilter(groups.filter, dn),
        attributes: ["cn"],
        sizeLimit: GROUPS_MAX,
        timeLimit: TIME_LIMIT_MS / 1000,
      }),
  );
  return searchEntries.map((entry) => entry.dn);
}

async function isPassword(client: Client, dn: string, password: string): Promise<boolean> {
  return await directoryStep("bind of the person", "the directory's own log", async () => {
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
    const why =
      `the entry has no ${attribute}, or the reader is not allowed to see it; see ${setting}`;
    throw new DirectoryFailure("misconfigured", why, entry.dn);
  }
  const groups = [...new Set([...textsOf(entry[attributes.groups]), ...named])];
  return {
    issuer,
    subject,
    profile: {
      username: username.slice(0, 100),
      name: (first(attributes.name) || username).slice(0, 200),
      email: (first(attributes.email) || username).slice(0, 255),
    },
    claims: { dn: entry.dn, groups, group_names: groups.map(commonName) },
  };
}

const textsOf = (value: Entry[string] | undefined): string[] =>
  value === undefined ? [] : [value].flat().map(String);

/** Returns the id as text. Some directories have text ids, others have bytes. */
function idOf(value: Entry[string] | undefined): string {
  const [first] = value === undefined ? [] : [value].flat();
  const bytes = Buffer.isBuffer(first) ? first : Buffer.from(String(first ?? ""));
  const text = bytes.toString("latin1");
  return /^[\x21-\x7e]*$/.test(text) ? text : bytes.toString("hex");
}
