import type { PublicDeps } from "../../access/deps.ts";
import { confusableSkeleton } from "../../base/text/confusables.ts";
import type { NamePerson, RecordedPerson } from "../../base/person.ts";
import { visible } from "../../i18n/visible.ts";
import { rowKeys } from "../../store/keys.ts";
import { memoryPart } from "../../store/memory.ts";
import type { Store } from "../../store/store.ts";
import { listUserRows } from "../../model/accounts.ts";

interface Account {
  name: string;
  username: string;
  /** Whether another account has a display name that people confuse with this one. */
  isShared: boolean;
}

interface Accounts {
  byId: ReadonlyMap<number, Account>;
  /** Ids by lower-case username. */
  ids: ReadonlyMap<string, number>;
}

interface Names {
  /** The accounts, and the version of their names before they were read. */
  known?: { version: string; accounts: Promise<Accounts>; told?: NamePerson };
  /** The latest accounts that have been read. Streams use them, as they outlive their request. */
  latest?: Accounts;
}

const namesOfPeople = memoryPart("names of people", (): Names => ({}));

/**
 * Returns the function that names people as of a version of their names, which moves on whichever
 * server an account changes. Only then are the accounts read again, and there is something to wait
 * for.
 */
export function namePersonAt(
  { kv }: PublicDeps,
  version: string | null,
): NamePerson | Promise<NamePerson> {
  const current = namesOfPeople.of(kv).known;
  const isCurrent = current && current.version >= (version ?? "");
  return isCurrent && current.told || asOf(kv, version);
}

/** Returns the function that names people as of now. */
export const readNamePerson = async (kv: Store): Promise<NamePerson> =>
  await asOf(kv, (await kv.get(rowKeys.usersStamp())).versionstamp);

async function asOf(kv: Store, version: string | null): Promise<NamePerson> {
  const asked = version ?? "";
  const names = namesOfPeople.of(kv);
  if (!names.known || names.known.version < asked) {
    names.known = { version: asked, accounts: readAccounts(kv) };
  }
  const current = names.known;
  try {
    names.latest = await current.accounts;
  } catch (error) {
    if (names.known === current) names.known = undefined;
    throw error;
  }
  return current.told ??= (person) => textOf(names.latest!, person);
}

async function readAccounts(kv: Store): Promise<Accounts> {
  const rows = await listUserRows(kv);
  const looks = await Promise.all(rows.map(({ name }) => lookOf(name)));
  const holders = new Map<string, number>();
  const count = (look: string) => holders.set(look, (holders.get(look) ?? 0) + 1);
  looks.forEach(count);
  // A display name must not pass for the text of another account, either.
  const texts = await Promise.all(rows.map((row) => lookOf(longText(row.name, row.username))));
  texts.filter((look) => holders.has(look)).forEach(count);
  return {
    byId: new Map(rows.map(({ id, name, username }, n) => [
      id,
      { name, username, isShared: holders.get(looks[n])! > 1 },
    ])),
    ids: new Map(rows.map(({ id, username }) => [username.toLowerCase(), id])),
  };
}

/** Returns the same text for display names that look alike on a page, which joins spaces. */
const lookOf = (name: string): Promise<string> => confusableSkeleton(spaced(name));

/**
 * Returns the name alone if the person's account has it, and no other one. A name that the account
 * no longer has may have been that of others, or may become so.
 */
function textOf(accounts: Accounts, { user_id, username, user_name }: RecordedPerson): string {
  const name = visible(user_name ?? "");
  const account = user_id === null ? undefined : accounts.byId.get(user_id);
  const isOwn = account && !account.isShared && sameName(account.name, user_name ?? "");
  if (name === "" || isOwn || (user_id === null && !username)) return name;
  return longText(name, account?.username ?? freeUsername(accounts, username, user_id));
}

const sameName = (a: string, b: string) =>
  a === b || spaced(a).toLowerCase() === spaced(b).toLowerCase();

const spaced = (name: string) => name.trim().replace(/\s+/g, " ");

const longText = (name: string, username: string) => `${name} (${visible(username)})`;

/** Returns the username of a deleted account, or its id if another account has the username now. */
const freeUsername = ({ ids }: Accounts, username: string | null | undefined, id: number | null) =>
  id === null || (username && !ids.has(username.toLowerCase())) ? username! : `#${id}`;
