import { parseArgs } from "node:util";
import denoJson from "../deno.json" with { type: "json" };
import { createPasswords } from "../lib/access/passwords.ts";
import { openSecretKeys } from "../lib/access/same_key.ts";
import { readConfig } from "../lib/base/settings/config.ts";
import { programVersion } from "../lib/base/machine/program_version.ts";
import { operatorCommand } from "../lib/base/machine/operator_command.ts";
import { readEnvironment } from "../lib/base/settings/secret_settings.ts";
import { ConfigError } from "../lib/base/settings/settings.ts";
import { openData } from "../lib/maintenance/open_data.ts";
import { migrate, pendingSteps } from "../lib/maintenance/migrations.ts";
import { identifyStore, noteWriter } from "../lib/maintenance/store_identity.ts";
import { copyBeforeUpgrade } from "../lib/maintenance/upgrade_copies.ts";
import { stderrLog } from "../lib/base/log.ts";
import { openStore } from "../lib/store/file/open_store.ts";
import { createHub } from "../lib/base/hub.ts";
import {
  type ImportDeps,
  importProject,
  importUsers,
  newAdmins,
} from "../lib/maintenance/semaphore/import.ts";
import { operatorScope } from "../lib/people/accounts/operator.ts";
import type { Source } from "../lib/maintenance/semaphore/source.ts";
import { oneLine, say } from "./console.ts";
import { explain } from "./explain.ts";
import { checkSettings } from "./run_script.ts";
import { openSource, type Options, ownerOf, tasksWanted, USAGE } from "./import/options.ts";
import { printImport, progressOf } from "./import/print_import.ts";

async function importAccounts(deps: ImportDeps, source: Source, options: Options): Promise<void> {
  const admins = await newAdmins(deps, source);
  if (options["dry-run"]) {
    if (admins.length > 0) say(`Administrators without an account here: ${named(admins)}`);
    return;
  }
  const withAdmins = admins.length > 0 && (options.admins ?? mayBeAdmins(admins));
  const imported = await importUsers(operatorScope(deps), source, { withAdmins });
  if (imported.withPassword.length > 0) {
    say(`Accounts created with their password: ${named(imported.withPassword)}`);
  }
  const without = imported.added.filter((username) => !imported.withPassword.includes(username));
  if (without.length > 0) {
    const command = operatorCommand("user password --login NAME");
    say(`Accounts created without a password. Set one with ${command}:`);
    say(`  ${named(without)}`);
  }
  if (imported.admins.length > 0 && withAdmins) say(`Administrators: ${named(imported.admins)}`);
  else if (imported.admins.length > 0) {
    const command = operatorCommand("user admin --login NAME");
    say(`Not administrators here. Change that with ${command}:`);
    say(`  ${named(imported.admins)}`);
  }
  if (imported.kept.length > 0) {
    say(`Accounts not created, because they exist or are not valid: ${named(imported.kept)}`);
  }
}

const named = (usernames: string[]) => usernames.map(oneLine).join(", ");

/**
 * Asks at the terminal. Without a terminal no one becomes an administrator: scripts use `--admins`.
 */
function mayBeAdmins(admins: string[]): boolean {
  if (!Deno.stdin.isTerminal()) return false;
  say(`Administrators of the other server: ${named(admins)}`);
  return confirm("Make them administrators of this server too?");
}

async function importAll(deps: ImportDeps, options: Options): Promise<void> {
  const history = tasksWanted(options);
  const source = await openSource(options);
  const owner = await ownerOf(deps, options.owner);
  const dryRun = options["dry-run"] ?? false;
  if (!options["no-users"]) await importAccounts(deps, source, options);
  const wanted = new Set(options.project);
  const projects = (await source.projects())
    .filter(({ id }) => wanted.size === 0 || wanted.has(String(id)));
  if (projects.length === 0) say("No project matches.");
  for (const [at, { id, name }] of projects.entries()) {
    say(`\n[${at + 1}/${projects.length}] ${oneLine(name)}`);
    const onProgress = progressOf(name);
    printImport(
      await importProject({ deps, actor: owner }, source, id, { dryRun, history, onProgress }),
    );
  }
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
      admins: { type: "boolean" },
      "no-users": { type: "boolean" },
      "dry-run": { type: "boolean" },
    },
  });
  if (positionals.join() !== "semaphore") throw new ConfigError(USAGE);
  const env = await readEnvironment();
  const config = readConfig(env, programVersion(denoJson.version));
  await openData(config);
  using kv = await openStore(config.kv);
  const { secrets } = await openSecretKeys(kv, env, config.dataDir);
  const clock = { now: () => new Date(), ticks: () => performance.now() };
  const { version, steps } = await pendingSteps(kv);
  const store = await identifyStore({ kv, clock, config });
  if (steps > 0) await copyBeforeUpgrade({ kv, config, log: stderrLog }, { store, version });
  await migrate(kv, secrets);
  await noteWriter(kv, config.version);
  await importAll({
    kv,
    config,
    clock,
    log: stderrLog,
    hub: createHub(),
    passwords: createPasswords(kv),
    secrets,
  }, values);
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
