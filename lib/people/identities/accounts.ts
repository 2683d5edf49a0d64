import type { Deps } from "../../access/deps.ts";
import type { Actor, SystemActor } from "../../access/actor.ts";
import { signInClient, type SignInOrigin } from "../../access/sessions.ts";
import { AppError } from "../../base/errors.ts";
import type { NewAccounts } from "../../base/claims.ts";
import { recordEvent } from "../../events/record.ts";
import { nextId } from "../../store/ids.ts";
import { transact } from "../../store/transact.ts";
import type { Store } from "../../store/store.ts";
import { findUserByLogin, insertUser, isFreeUsername, replaceUser } from "../users/repository.ts";
import { findUser } from "../../model/accounts.ts";
import type { UserRow } from "../../model/account_row.ts";
import { visibleName, visibleUsername } from "../users/usernames.ts";
import { getIdentity, identityRow, listIdentityRows, setIdentity } from "./repository.ts";
import type { Profile, Proof } from "./schema.ts";
import { waitForAdmin } from "./waiting.ts";

type IdentityDeps = Pick<Deps, "kv" | "clock" | "log">;

/**
 * Returns the account of a person whom a provider has verified, with the names that the provider
 * reports. If there is none, `newAccounts` decides whether it is created, requested or refused. All
 * but the first throw 403 with a message, as does an e-mail address that another account has.
 */
export async function accountOf(
  deps: IdentityDeps,
  said: Proof,
  newAccounts: NewAccounts,
): Promise<UserRow> {
  const proof = { ...said, profile: visible(said.profile) };
  const { value } = await getIdentity(deps.kv, proof);
  const known = value && await noteSignIn(deps, value.user_id, proof);
  if (known) return known;
  await refuseKnownAddress(deps.kv, proof.profile);
  if (newAccounts === "refuse") throw new AppError(403, "errors.external.no_accounts");
  if (newAccounts === "ask") await waitForAdmin(deps, proof);
  return await createAccount(deps, proof);
}

/**
 * Creates the account of someone whom `actor` accepts, or who needs no approval. Throws 403 as
 * `accountOf` does.
 */
export async function createAccount(
  deps: IdentityDeps,
  proof: Proof,
  actor?: Actor,
): Promise<UserRow> {
  const id = await nextId(deps.kv, "users");
  return await transact(deps.kv, async (op) => {
    const identity = await getIdentity(deps.kv, proof);
    await refuseKnownAddress(deps.kv, proof.profile);
    const { email, name, username: wanted } = visible(proof.profile);
    const username = await freeUsername(deps.kv, wanted);
    const created = deps.clock.now().toISOString();
    const names = { username, name, email };
    const row = {
      id,
      created,
      ...names,
      admin: false,
      external: true,
      alert: false,
      notify_own: [],
      password: null,
    };
    await insertUser(deps.kv, op, row);
    op.check(identity);
    setIdentity(op, identityRow(deps, id, proof));
    const event = { projectId: 0, object: "user", id, name: username, action: "joined" } as const;
    recordEvent(op, deps, actor ?? byThemselves(row), {
      ...event,
      params: { provider: proof.provider },
    });
    return row;
  });
}

/** Returns the actor of a person's sign-in, as the history names them, with its client if known. */
export const byThemselves = (
  { id, username }: Pick<UserRow, "id" | "username">,
  origin?: SignInOrigin,
): SystemActor => ({
  kind: "server",
  id: 0,
  projectId: 0,
  person: { id, username },
  ...origin && { client: signInClient(origin) },
});

/**
 * Throws 403 if an account has the address. Accounts are never matched by address, because a
 * provider may give it to anyone. Its owner links the provider instead.
 */
async function refuseKnownAddress(kv: Store, { email }: Profile): Promise<void> {
  if (await findUserByLogin(kv, email)) {
    throw new AppError(403, "errors.external.email_taken", { email });
  }
}

/** Returns a provider's names as they may be shown, so that no one can pass for someone else. */
function visible({ username, name, email }: Profile): Profile {
  const shown = visibleUsername(username) || visibleUsername(email.split("@")[0]) || "user";
  return { username: shown, name: visibleName(name, 200) || shown, email };
}

const NAMES_TRIED = 20;

/** Returns `wanted`, or else a username that begins with it and that nobody has. */
export async function freeUsername(kv: Store, wanted: string): Promise<string> {
  for (let n = 1; n <= NAMES_TRIED; n++) {
    const name = n === 1 ? wanted : `${wanted}-${n}`;
    if (await isFreeUsername(kv, name)) return name;
  }
  return `${wanted}-${crypto.randomUUID().slice(0, 8)}`;
}

/** Stores what the provider reported at this sign-in. Returns null if the account is gone. */
function noteSignIn(deps: IdentityDeps, userId: number, proof: Proof): Promise<UserRow | null> {
  const { kv } = deps;
  return transact(kv, async (op) => {
    const [entry, identity] = [await findUser(kv, userId), await getIdentity(kv, proof)];
    if (!entry || identity.value?.user_id !== userId) return null;
    op.check(identity);
    setIdentity(op, { ...identityRow(deps, userId, proof), created: identity.value.created });
    const [oldest] = await listIdentityRows(kv, userId);
    const isOldest = oldest?.issuer === proof.issuer && oldest.subject === proof.subject;
    if (!entry.value.external || !isOldest) return entry.value;
    const row = { ...entry.value, ...await namesNow(kv, entry.value, proof.profile) };
    await replaceUser(kv, op, entry, row);
    return row;
  });
}

/**
 * Returns the names of the account from now on. A name that someone else has by then stays theirs.
 */
async function namesNow(kv: Store, before: UserRow, said: Profile): Promise<Profile> {
  const isFree = async (text: string) =>
    ((await findUserByLogin(kv, text))?.value.id ?? before.id) === before.id;
  return {
    name: said.name,
    username: await isFreeUsername(kv, said.username, before.id) ? said.username : before.username,
    email: await isFree(said.email) ? said.email : before.email,
  };
}
