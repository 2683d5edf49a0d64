import { resolve } from "node:path";
import { createSecretBox } from "../../lib/access/secret_box.ts";
import { decodeKey } from "../../lib/access/secret_keys.ts";
import type { UserActor } from "../../lib/access/actor.ts";
import { operatorCommand } from "../../lib/base/machine/operator_command.ts";
import { ConfigError } from "../../lib/base/settings/settings.ts";
import type { ImportDeps } from "../../lib/maintenance/semaphore/import.ts";
import { restSource } from "../../lib/maintenance/semaphore/rest.ts";
import type { Source } from "../../lib/maintenance/semaphore/source.ts";
import { sqliteSource } from "../../lib/maintenance/semaphore/sqlite.ts";
import { operatorScope } from "../../lib/people/accounts/operator.ts";
import { findUserByLogin } from "../../lib/people/users/repository.ts";
import { listUserRows } from "../../lib/model/accounts.ts";
import { askSecret } from "../ask_secret.ts";

const COMMAND = operatorCommand("import semaphore");

export const USAGE =
  `Imports projects and their teams from another server. Callboard may be running.

  ${COMMAND} --url ADDRESS [--token TOKEN]
  ${COMMAND} --sqlite FILE [--config FILE]

  --project ID     import only this project; may be repeated
  --owner LOGIN    owner of the projects here; the first administrator by default
  --history N      also import the latest N tasks of each template with their output, or "all"
  --admins         make the administrators of the other server administrators here without asking;
                   without a terminal and without this option, they are only listed
  --no-users       create no accounts; members without an account here are listed
  --dry-run        show what would be created, and create nothing

With --url, everything is imported except secrets. If no token is given, it is taken from
SEMAPHORE_API_TOKEN, or asked for. FILE is the database, or the output of "sqlite3 ... .dump". Its
secrets are imported if their key is in the config.json named with --config, or in
SEMAPHORE_ACCESS_KEY_ENCRYPTION.

Each call creates new projects. Tasks are imported completely or not at all. If a history stops in
the middle, keep the imported part, or delete the project and call again.`;

export interface Options {
  url?: string;
  token?: string;
  sqlite?: string;
  config?: string;
  project?: string[];
  owner?: string;
  history?: string;
  admins?: boolean;
  "no-users"?: boolean;
  "dry-run"?: boolean;
}

/** A Deno task runs in the project's folder. INIT_CWD is the folder of the person who called it. */
const pathOf = (path: string) => resolve(Deno.env.get("INIT_CWD") ?? ".", path);

export async function openSource(options: Options): Promise<Source> {
  if (Boolean(options.url) === Boolean(options.sqlite)) throw new ConfigError(USAGE);
  if (options.sqlite) return await sqliteSource(pathOf(options.sqlite), await foreignBox(options));
  const token = options.token ?? Deno.env.get("SEMAPHORE_API_TOKEN") ??
    await askSecret("API token of the other server: ");
  return restSource(options.url!, token);
}

/** Returns the box that opens the secrets of a database, or null if they are stored unencrypted. */
async function foreignBox({ config }: Options) {
  const key = config
    ? JSON.parse(await Deno.readTextFile(pathOf(config))).access_key_encryption
    : Deno.env.get("SEMAPHORE_ACCESS_KEY_ENCRYPTION");
  return key ? await createSecretBox(decodeKey(key, "access_key_encryption")) : null;
}

export function tasksWanted({ history = "0" }: Options): number {
  if (history === "all") return Infinity;
  if (!/^\d{1,9}$/.test(history)) throw new ConfigError(USAGE);
  return Number(history);
}

export async function ownerOf({ kv }: ImportDeps, login: string | undefined): Promise<UserActor> {
  const found = login
    ? (await findUserByLogin(kv, login.toLowerCase()))?.value
    : (await listUserRows(kv)).find(({ admin }) => admin);
  if (!found) {
    throw new ConfigError(
      login
        ? `The account "${login}" does not exist.`
        : "No account is an admin. Start the server once to create the first admin.",
    );
  }
  const { id, username, name, external } = found;
  // The person who calls this has access to the machine, so the account needs no permission to
  // restore projects.
  return { ...operatorScope(null).actor, id, username, name, external };
}
