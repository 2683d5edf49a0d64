import { ConfigError } from "../../base/settings.ts";
import { orOvertaken, OVERTAKEN } from "../../kv/transact.ts";
import { hasAdmin } from "../users/repository.ts";
import { operatorScope } from "./operator.ts";
import { userForm } from "../users/schema.ts";
import { type AccountDeps, createUser } from "./service.ts";

export interface FirstAdmin {
  username: string;
  /** Random password, which is shown only this once; null if the environment contains one. */
  password: string | null;
}

type Environment = Pick<typeof Deno.env, "get">;

/** Creates the admin of `CALLBOARD_ADMIN…` if there is no admin yet. Otherwise returns null. */
export async function ensureFirstAdmin(
  deps: AccountDeps,
  env: Environment,
): Promise<FirstAdmin | null> {
  if (await hasAdmin(deps.kv)) return null;
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
  const user = await orOvertaken(createUser(operatorScope(deps), parsed.data));
  if (user !== OVERTAKEN) {
    return { username: user.username, password: configured === null ? password : null };
  }
  // Another server with the same store was faster.
  if (await hasAdmin(deps.kv)) return null;
  throw new ConfigError(
    "No account is an admin, and the account of CALLBOARD_ADMIN already exists: " +
      "make it one with `deno task user admin --login NAME`",
  );
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
