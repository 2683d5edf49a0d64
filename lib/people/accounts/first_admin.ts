import { ConfigError } from "../../base/settings/settings.ts";
import { operatorCommand } from "../../base/machine/operator_command.ts";
import { orOvertaken, OVERTAKEN } from "../../store/transact.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { listIdentityRows } from "../identities/repository.ts";
import { listPasskeyRows } from "../passkeys/repository.ts";
import { hasAdmin } from "../users/repository.ts";
import type { UserRow } from "../../model/account_row.ts";
import { findUser } from "../../model/accounts.ts";
import { operatorScope } from "./operator.ts";
import { userForm } from "../users/schema.ts";
import { type AccountDeps, createUser } from "./service.ts";

/** The only admin, shown to the person who starts the server. */
export interface FirstAdmin {
  username: string;
  /** Random password, which is shown only this once; null if there is none. */
  password: string | null;
  /** Whether a link that sets a password is the only way to sign in. */
  needsLink: boolean;
}

interface FirstAdminOptions {
  /** Whether a person reads what the process prints. A password would otherwise stay in a log. */
  attended: boolean;
}

type Environment = Pick<typeof Deno.env, "get">;

/**
 * Creates the admin of `CALLBOARD_ADMIN…` if there is no admin yet. Returns null if an admin can
 * already sign in.
 */
export async function ensureFirstAdmin(
  deps: AccountDeps,
  env: Environment,
  { attended }: FirstAdminOptions,
): Promise<FirstAdmin | null> {
  if (await hasAdmin(deps.kv)) return await waitingAdmin(deps.kv);
  const configured = env.get("CALLBOARD_ADMIN_PASSWORD") || null;
  const password = configured ?? randomPassword();
  const parsed = userForm.safeParse({
    username: env.get("CALLBOARD_ADMIN") || "admin",
    name: env.get("CALLBOARD_ADMIN_NAME") || "Administrator",
    email: env.get("CALLBOARD_ADMIN_EMAIL") || "admin@localhost",
    password,
    admin: true,
  });
  if (!parsed.success) throw new ConfigError(unusable(parsed.error.issues[0].path[0]));
  const needsLink = configured === null && !attended;
  const form = { ...parsed.data, ...needsLink && { password: "" } };
  const user = await orOvertaken(createUser(operatorScope(deps), form));
  if (user !== OVERTAKEN) {
    const isShown = configured === null && attended;
    return { username: user.username, password: isShown ? password : null, needsLink };
  }
  // Another server with the same store was faster.
  if (await hasAdmin(deps.kv)) return await waitingAdmin(deps.kv);
  throw new ConfigError(
    "No account is an admin, and the account of CALLBOARD_ADMIN already exists: " +
      `make it one with "${operatorCommand("user admin --login NAME")}"`,
  );
}

/** Returns the only admin if they have no way to sign in yet; otherwise null. */
export async function waitingAdmin(kv: Store): Promise<FirstAdmin | null> {
  const admins = await Array.fromAsync(kv.list({ prefix: rowKeys.admins() }, { limit: 2 }));
  const [id, ...others] = admins.map(({ key }) => key[1] as number);
  if (id === undefined || others.length > 0) return null;
  const user = await findUser(kv, id);
  if (!user || await hasWayIn(kv, user.value)) return null;
  return { username: user.value.username, password: null, needsLink: true };
}

/** Whether someone can sign in to an account. */
export async function hasWayIn(kv: Store, { id, password, external }: UserRow): Promise<boolean> {
  if (password !== null || external) return true;
  return [...await listIdentityRows(kv, id), ...await listPasskeyRows(kv, id)].length > 0;
}

const SETTINGS: Record<string, string> = {
  username: "CALLBOARD_ADMIN",
  name: "CALLBOARD_ADMIN_NAME",
  email: "CALLBOARD_ADMIN_EMAIL",
  password: "CALLBOARD_ADMIN_PASSWORD",
};

const unusable = (field: PropertyKey) =>
  `${SETTINGS[String(field)]} cannot be used for the first admin's account`;

/** Letters and digits that are not mistaken for others, because someone will type them. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const LENGTH = 20;

function randomPassword(): string {
  let password = "";
  while (password.length < LENGTH) {
    const [byte] = crypto.getRandomValues(new Uint8Array(1));
    // The bytes past the last whole alphabet are skipped, so that each letter is equally likely.
    if (byte < 256 - 256 % ALPHABET.length) password += ALPHABET[byte % ALPHABET.length];
  }
  return password;
}
