import { openAccount } from "@/lib/access/scope.ts";
import { parseArgs } from "node:util";
import { createPasswords } from "../lib/access/passwords.ts";
import { type Config, localAddress, readConfig } from "../lib/base/settings/config.ts";
import { operatorCommand } from "../lib/base/machine/operator_command.ts";
import { ConfigError } from "../lib/base/settings/settings.ts";
import { pendingSteps } from "../lib/maintenance/migrations.ts";
import { openData } from "../lib/maintenance/open_data.ts";
import { AppError } from "../lib/base/errors.ts";
import { parseWith } from "../lib/base/parse.ts";
import { openStore } from "../lib/store/file/open_store.ts";
import type { Store } from "../lib/store/store.ts";
import { createHub } from "../lib/base/hub.ts";
import { resetSecondFactor } from "../lib/people/factors/service.ts";
import { paths } from "../lib/base/paths.ts";
import { makeSignInLink } from "../lib/people/sign_in_links/service.ts";
import { forgiveAccount } from "../lib/people/throttling/limiter.ts";
import { waitingAdmin } from "../lib/people/accounts/first_admin.ts";
import { operatorScope } from "../lib/people/accounts/operator.ts";
import { findUserByLogin, hasAdmin } from "../lib/people/users/repository.ts";
import { listUserRows } from "../lib/model/accounts.ts";
import { passwordForm, userForm } from "../lib/people/users/schema.ts";
import type { UserRow } from "../lib/model/account_row.ts";
import {
  type AccountDeps,
  changePassword,
  createUser,
  updateUser,
} from "../lib/people/accounts/service.ts";
import { columns, say } from "./console.ts";
import { explain } from "./explain.ts";
import { moveIssuer } from "./move_identities.ts";
import { checkSettings } from "./run_script.ts";
import { askSecret } from "./ask_secret.ts";

const COMMAND = operatorCommand("user");

const USAGE = `Manages the accounts of this server, whether it is running or not.

  ${COMMAND} first-link [--login NAME]
  ${COMMAND} list
  ${COMMAND} add --login NAME --name "FULL NAME" --email ADDRESS [--password WORD] [--admin]
  ${COMMAND} password --login NAME [--password WORD] [--keep-tokens]
  ${COMMAND} admin --login NAME
  ${COMMAND} reset-second-factor --login NAME
  ${COMMAND} link --login NAME
  ${COMMAND} move-identities [OLD-ISSUER NEW-ISSUER]

first-link prints a link that sets a password once, for the first administrator or for the account
that is named. Other sessions of the account end then.
If no password is given, the command asks for it, or reads it from the first line of its input.
A new password ends all sessions of the account and, without --keep-tokens, revokes its API tokens.
A link signs in once, even if passwords are disabled and the provider cannot be reached. After a
provider or a directory has changed its issuer, move-identities moves its linked accounts to the
new one. Without names, it lists all issuers.`;

interface Options {
  login?: string;
  name?: string;
  email?: string;
  password?: string;
  admin?: boolean;
  "keep-tokens"?: boolean;
}

type Command = (
  deps: AccountDeps,
  options: Options,
  config: Config,
  names: string[],
) => Promise<void>;

const COMMANDS: Record<string, Command> = {
  async "first-link"(deps, { login }, config, [name = login]) {
    const user = await getUser(deps, name ?? await firstAdminName(deps.kv, config));
    await printLink(deps, config, user, { setsPassword: true });
  },

  async list({ kv }) {
    const header = ["ID", "LOGIN", "NAME", "E-MAIL", ""];
    const rows = (await listUserRows(kv)).map(({ id, username, name, email, admin, external }) => [
      String(id),
      username,
      name,
      email,
      [admin && "admin", external && "external"].filter(Boolean).join(", "),
    ]);
    say(columns([header, ...rows]));
  },

  async add(deps, { login, name, email, password, admin }) {
    if (!login || !name || !email) throw new ConfigError(USAGE);
    const form = { username: login, name, email, admin, password: password ?? await newPassword() };
    const user = await createUser(operatorScope(deps), parseWith(userForm, form));
    say(`Added ${user.admin ? "the admin" : "the user"} "${user.username}".`);
  },

  async password(deps, { login, password, "keep-tokens": keepTokens = false }) {
    const user = await getUser(deps, login);
    const revoke_tokens = !keepTokens;
    const typed = password ?? await newPassword();
    const form = parseWith(passwordForm, { password: typed, revoke_tokens });
    await changePassword(openAccount(operatorScope(deps), user.id), form);
    await forgiveAccount(deps.kv, [user.username, user.email]);
    const tokens = keepTokens ? "API tokens are still valid" : "API tokens were revoked";
    say(`Changed the password of "${user.username}". Sessions were ended, and ${tokens}.`);
  },

  async admin(deps, { login }) {
    const user = await getUser(deps, login);
    await updateUser(openAccount(operatorScope(deps), user.id), {
      ...user,
      password: "",
      admin: true,
    });
    say(`"${user.username}" is now an admin.`);
  },

  async "reset-second-factor"(deps, { login }) {
    const user = await getUser(deps, login);
    await resetSecondFactor(openAccount(operatorScope(deps), user.id));
    say(`Removed the second factor of "${user.username}". The password is now enough to sign in.`);
  },

  async link(deps, { login }, config) {
    await printLink(deps, config, await getUser(deps, login), { setsPassword: false });
  },

  "move-identities": ({ kv }, _, __, names) => moveIssuer(kv, names),
};

/** Returns the username of the only admin, who has no way to sign in yet. */
async function firstAdminName(kv: Store, { kv: store }: Config): Promise<string> {
  const admin = await waitingAdmin(kv);
  if (admin) return admin.username;
  if (!await hasAdmin(kv)) {
    throw new ConfigError(
      `There is no administrator in ${store}. Start the server first, and use its settings here.`,
    );
  }
  throw new ConfigError(
    "An administrator can already sign in. For a link that sets a new password, name the " +
      `account: ${COMMAND} first-link --login NAME`,
  );
}

/** Prints a link to an account. It begins with the public address, if there is one. */
async function printLink(
  deps: AccountDeps,
  config: Config,
  { id, username }: UserRow,
  { setsPassword }: { setsPassword: boolean },
): Promise<void> {
  const { url, passwordSignIn } = config;
  const scope = openAccount(operatorScope(deps), id);
  const { token, minutes } = await makeSignInLink(scope, { setsPassword });
  const does = setsPassword && passwordSignIn ? "sets the password of" : "signs in as";
  say(`This link ${does} "${username}", once and within ${minutes} minutes:`);
  say(
    (url?.href.replace(/\/$/, "") ?? localAddress(config) ?? "https://…") + paths.signInLink(token),
  );
  if (!url) say("If the server has another address for your browser, use that with the same path.");
}

async function getUser({ kv }: AccountDeps, login: string | undefined): Promise<UserRow> {
  if (!login) throw new ConfigError(USAGE);
  const entry = await findUserByLogin(kv, login);
  if (!entry) throw new AppError(404, "errors.unknown_user");
  return entry.value;
}

/** How many names follow a command without an option. */
const NAMES_MAX: Record<string, number> = { "move-identities": 2, "first-link": 1 };

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      login: { type: "string" },
      name: { type: "string" },
      email: { type: "string" },
      password: { type: "string" },
      admin: { type: "boolean" },
      "keep-tokens": { type: "boolean" },
    },
  });
  const [name, ...names] = positionals;
  const namesMax = NAMES_MAX[name] ?? 0;
  if (!Object.hasOwn(COMMANDS, name) || names.length > namesMax) throw new ConfigError(USAGE);
  const config = readConfig(Deno.env, "");
  await openData(config);
  using kv = await openStore(config.kv);
  await pendingSteps(kv); // Refuses the store of a later version.
  const deps: AccountDeps = {
    kv,
    clock: { now: () => new Date(), ticks: () => performance.now() },
    hub: createHub(),
    passwords: createPasswords(kv),
  };
  await COMMANDS[name](deps, values, config, names);
}

if (import.meta.main) {
  try {
    await checkSettings();
    await main(Deno.args);
  } catch (error) {
    say(explain(error));
    Deno.exit(1);
  }
}

/**
 * Returns the new password. Asks for it twice at a terminal, otherwise reads the input's first
 * line.
 */
async function newPassword(): Promise<string> {
  if (!Deno.stdin.isTerminal()) {
    return (await new Response(Deno.stdin.readable).text()).split(/\r?\n/)[0];
  }
  const password = await askSecret("New password: ");
  if (await askSecret("Again: ") !== password) throw new ConfigError("The two passwords differ.");
  return password;
}
