import { resolve } from "node:path";
import { createSecretBox, decodeKey } from "../../lib/access/secret_box.ts";
import type { UserActor } from "../../lib/access/actor.ts";
import { ConfigError } from "../../lib/base/settings.ts";
import type { ImportDeps } from "../../lib/maintenance/semaphore/import.ts";
import { restSource } from "../../lib/maintenance/semaphore/rest.ts";
import type { Source } from "../../lib/maintenance/semaphore/source.ts";
import { sqliteSource } from "../../lib/maintenance/semaphore/sqlite.ts";
import { operatorScope } from "../../lib/people/accounts/operator.ts";
import { findUserByLogin, listUserRows } from "../../lib/people/users/repository.ts";
import { askSecret } from "../ask_secret.ts";

export const USAGE = `Projects of another server, with their team, while this server runs or not.

  deno task import semaphore --url ADDRESS [--token TOKEN]
  deno task import semaphore --sqlite FILE [--config FILE]

  --project ID     only this one; may be said again
  --owner LOGIN    who owns the projects here; the first administrator if not said
  --history N      the newest N tasks of each template come along, with their output; or "all"
  --admins         administrators there are administrators here, without a question; without a
                   terminal to ask at, they are not, and are named
  --no-users       makes no accounts: members without one here are told
  --dry-run        tells what would be made, and makes nothing

By its address everything comes but secrets. A token that is not given is taken from
SEMAPHORE_API_TOKEN, or asked for. FILE is the database, or what "sqlite3 ... .dump" made of it;
its secrets come along when the config.json that is named with --config, or
SEMAPHORE_ACCESS_KEY_ENCRYPTION, has their key.

Each call makes new projects. Whole tasks come along: after a failure in the middle of a history,
keep what is there, or delete the project and call again.`;

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
        ? `There is no account "${login}".`
        : "Start the server once: it makes the first admin.",
    );
  }
  const { id, username, name, external } = found;
  // The person who calls this has access to the machine, so the account needs no permission to
  // restore projects.
  return { ...operatorScope(null).actor, id, username, name, external };
}
