import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { createPasswords } from "../lib/access/passwords.ts";
import { requireSameKey } from "../lib/access/same_key.ts";
import { createSecretBox, decodeKey, loadSecretKey } from "../lib/access/secret_box.ts";
import type { UserActor } from "../lib/access/actor.ts";
import { readConfig } from "../lib/base/config.ts";
import { ConfigError } from "../lib/base/settings.ts";
import { openDataFolder } from "../lib/base/data_folder.ts";
import { migrate } from "../lib/upkeep/migrations.ts";
import { openStore } from "../lib/kv/open_store.ts";
import { createHub } from "../lib/base/hub.ts";
import type { HistoryProgress, HistoryReport } from "../lib/upkeep/semaphore/history.ts";
import {
  type ImportDeps,
  type ImportedProject,
  importProject,
  importUsers,
} from "../lib/upkeep/semaphore/import.ts";
import { restSource } from "../lib/upkeep/semaphore/rest.ts";
import type { Source } from "../lib/upkeep/semaphore/source.ts";
import { sqliteSource } from "../lib/upkeep/semaphore/sqlite.ts";
import { operatorScope } from "../lib/people/users/operator.ts";
import { findUserByLogin, listUserRows } from "../lib/people/users/repository.ts";
import { askSecret } from "./ask_secret.ts";
import { say } from "./console.ts";
import { explain } from "./explain.ts";

const USAGE = `Projects of another server, with their team, while this server runs or not.

  deno task import semaphore --url ADDRESS [--token TOKEN]
  deno task import semaphore --sqlite FILE [--config FILE]

  --project ID     only this one; may be said again
  --owner LOGIN    who owns the projects here; the first administrator if not said
  --history N      the newest N tasks of each template come along, with their output; or "all"
  --no-users       makes no accounts: members without one here are told
  --dry-run        tells what would be made, and makes nothing

By its address everything comes but secrets. A token that is not given is taken from
SEMAPHORE_API_TOKEN, or asked for. FILE is the database, or what "sqlite3 ... .dump" made of it;
its secrets come along when the config.json that is named with --config, or
SEMAPHORE_ACCESS_KEY_ENCRYPTION, has their key.

Each call makes new projects. Whole tasks come along: after a failure in the middle of a history,
keep what is there, or delete the project and call again.`;

/** Between two lines about a history that comes along. */
const PROGRESS_MS = 2_000;
/** Why tasks were left out is told so many times: each that fails may have a reason of its own. */
const REASONS_MAX = 20;

interface Options {
  url?: string;
  token?: string;
  sqlite?: string;
  config?: string;
  project?: string[];
  owner?: string;
  history?: string;
  "no-users"?: boolean;
  "dry-run"?: boolean;
}

/** A task runs in the project's folder, wherever the person who called it stands. */
const pathOf = (path: string) => resolve(Deno.env.get("INIT_CWD") ?? ".", path);

async function openSource(options: Options): Promise<Source> {
  if (Boolean(options.url) === Boolean(options.sqlite)) throw new ConfigError(USAGE);
  if (options.sqlite) return await sqliteSource(pathOf(options.sqlite), await foreignBox(options));
  const token = options.token ?? Deno.env.get("SEMAPHORE_API_TOKEN") ??
    await askSecret("API token of the other server: ");
  return restSource(options.url!, token);
}

/** What opens the secrets of a database; null where they are stored in clear. */
async function foreignBox({ config }: Options) {
  const key = config
    ? JSON.parse(await Deno.readTextFile(pathOf(config))).access_key_encryption
    : Deno.env.get("SEMAPHORE_ACCESS_KEY_ENCRYPTION");
  return key ? await createSecretBox(decodeKey(key, "access_key_encryption")) : null;
}

function tasksWanted({ history = "0" }: Options): number {
  if (history === "all") return Infinity;
  if (!/^\d{1,9}$/.test(history)) throw new ConfigError(USAGE);
  return Number(history);
}

async function ownerOf({ kv }: ImportDeps, login: string | undefined): Promise<UserActor> {
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
  // Whoever calls this has the machine: the account need not be allowed to restore projects.
  return { ...operatorScope(null).actor, id, username, name, external };
}

async function importAll(deps: ImportDeps, options: Options): Promise<void> {
  const history = tasksWanted(options);
  const source = await openSource(options);
  const owner = await ownerOf(deps, options.owner);
  const dryRun = options["dry-run"] ?? false;
  if (!options["no-users"] && !dryRun) {
    const { added, withPassword, kept } = await importUsers(operatorScope(deps), source);
    if (withPassword.length > 0) {
      say(`Accounts, with the password they had: ${withPassword.join(", ")}`);
    }
    const without = added.filter((username) => !withPassword.includes(username));
    if (without.length > 0) {
      say(`Accounts, without a password until you set one (deno task user password --login NAME):`);
      say(`  ${without.join(", ")}`);
    }
    if (kept.length > 0) say(`Accounts that are here already, or cannot be: ${kept.join(", ")}`);
  }
  const wanted = new Set(options.project);
  const projects = (await source.projects())
    .filter(({ id }) => wanted.size === 0 || wanted.has(String(id)));
  if (projects.length === 0) say("There is no such project.");
  for (const [at, { id, name }] of projects.entries()) {
    say(`\n[${at + 1}/${projects.length}] ${name}`);
    const onProgress = progressOf(name);
    tell(await importProject({ deps, actor: owner }, source, id, { dryRun, history, onProgress }));
  }
}

/** Tells now and then how far a project's history has come. */
function progressOf(name: string) {
  let told = performance.now();
  return (progress: HistoryProgress) => {
    if (performance.now() - told < PROGRESS_MS) return;
    told = performance.now();
    say(`  history of ${name}: ${farOf(progress)}`);
  };
}

const count = (n: number) => n.toLocaleString("en");

const farOf = ({ done, total, lines }: HistoryProgress) =>
  `${count(done)} of ${count(total)} tasks, ${count(lines)} lines`;

function tell({ id, report, strangers, history }: ImportedProject): void {
  const counts = Object.entries(report.creates).filter(([, names]) => names.length > 0)
    .map(([kind, names]) => `${names.length} ${kind}`);
  say(`  ${id === null ? "would be made" : `made as project ${id}`}: ${counts.join(", ")}`);
  const list = (title: string, lines: string[]) => {
    if (lines.length > 0) say([`  ${title}:`, ...lines.map((line) => `    ${line}`)].join("\n"));
  };
  list("Left out", report.left_out.map(({ kind, name, reason }) => `${kind} "${name}": ${reason}`));
  list(
    "To be typed in again",
    report.secrets.map(({ kind, name, variable }) =>
      `${kind} "${name}"${variable ? `, ${variable}` : ""}`
    ),
  );
  list(
    "Webhooks with a new address",
    report.new_aliases.map(({ alias, new_alias }) => `${alias} is now ${new_alias}`),
  );
  list("Members without an account here", strangers);
  tellHistory(id, history);
}

function tellHistory(id: number | null, history: HistoryReport): void {
  const { done, total, imported, lines, leftOut, failed } = history;
  if (total > 0) {
    say(
      id === null
        ? `  History: ${count(total)} tasks would be asked for`
        : `  History: ${count(imported)} of ${count(total)} tasks, ${count(lines)} lines`,
    );
  }
  const reasons = [...leftOut];
  for (const [reason, tasks] of reasons.slice(0, REASONS_MAX)) {
    say(`    left out ${count(tasks)}: ${reason}`);
  }
  if (reasons.length > REASONS_MAX) say("    ...");
  if (failed === 0) return;
  if (done < total) say(`    It ended after ${count(done)} tasks: the newest did not come along.`);
  Deno.exitCode = 1;
}

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      url: { type: "string" },
      token: { type: "string" },
      sqlite: { type: "string" },
      config: { type: "string" },
      project: { type: "string", multiple: true },
      owner: { type: "string" },
      history: { type: "string" },
      "no-users": { type: "boolean" },
      "dry-run": { type: "boolean" },
    },
  });
  if (positionals.join() !== "semaphore") throw new ConfigError(USAGE);
  const config = readConfig(Deno.env, "");
  await openDataFolder(config);
  const secretKey = await loadSecretKey(Deno.env.get("CALLBOARD_SECRET_KEY"), config.dataDir);
  const secrets = await createSecretBox(secretKey);
  using kv = await openStore(config.kv);
  await requireSameKey(kv, secrets);
  await migrate(kv, secrets);
  await importAll({
    kv,
    config,
    clock: { now: () => new Date(), ticks: () => performance.now() },
    hub: createHub(),
    passwords: createPasswords(),
    secrets,
  }, values);
}

if (import.meta.main) {
  try {
    await main(Deno.args);
  } catch (error) {
    say(explain(error));
    Deno.exit(1);
  }
}
