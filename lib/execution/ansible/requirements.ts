import { join } from "node:path";
import { iniSetting } from "./ini.ts";
import type { CheckoutFacts, Requirement } from "./inspect.ts";
import { withLock } from "../process/lock.ts";
import { refuseOwnFiles } from "../git/own_files.ts";
import { collectProcess, runProcess } from "../process/supervise.ts";
import { revealed, type Variables } from "../process/variables.ts";
import { type RunContext, runError } from "../run/context.ts";
import { createPrivateDir, createTraversableDir } from "../process/isolation.ts";
import { removeTree, subdirectories } from "../process/files.ts";

/** Installed requirements not used for this long are removed at the server's next start. */
const UNUSED_DAYS_MAX = 60;
const galaxyDirectory = (dataDir: string) => join(dataDir, "galaxy");

/**
 * Installs the requirements of a checkout and returns the folder that holds `roles` and
 * `collections`, or null if nothing is required. Each version of the requirement files, from each
 * source, has a folder of its own in the project, so that updating one template changes nothing in
 * a run of another.
 */
export async function installRequirements(
  context: RunContext,
  { requirements, config }: Pick<CheckoutFacts, "requirements" | "config">,
  { cwd, env }: { cwd: string; env: Variables },
): Promise<string | null> {
  if (requirements.length === 0) return null;
  const { dataDir, isolation } = context.env;
  const project = join(galaxyDirectory(dataDir), String(context.projectId));
  for (const path of [galaxyDirectory(dataDir), project]) {
    await createTraversableDir(isolation, path);
  }
  const name = await nameOf(requirements, galaxyServers(revealed(env), config?.lines ?? []));
  const folder = join(await Deno.realPath(project), name);
  return await withLock(join(project, "lock"), context.supervision.stop, async () => {
    if (await exists(folder)) {
      await Deno.utime(folder, new Date(), new Date());
      await context.say("The requirements are already installed");
      return folder;
    }
    await refuseOwnSources(context, requirements, env);
    const fresh = `${folder}.new`;
    await removeTree(fresh);
    for (const path of [fresh, join(fresh, "roles"), join(fresh, "collections")]) {
      await createPrivateDir(isolation, path);
    }
    for (const requirement of requirements) {
      await install(context, requirement, { cwd, env: { ...env, ...galaxyPaths(fresh) } });
    }
    await Deno.rename(fresh, folder);
    return folder;
  });
}

/** Refuses roles and collections from the data folder, as far as the files name them literally. */
async function refuseOwnSources(
  context: RunContext,
  requirements: Requirement[],
  gitEnv: Variables,
): Promise<void> {
  const { env, directory, supervision } = context;
  const { stdout } = await collectProcess(
    {
      // The server itself may read only its own folders.
      command: ["cat", "--", ...requirements.map(({ path }) => path)],
      cwd: directory.path,
      env: { PATH: env.path },
      limitMs: env.timeLimits.gitMs,
    },
    supervision,
  );
  await refuseOwnFiles(context, stdout.match(LOCAL_SOURCES) ?? [], gitEnv);
}

/** Paths and `file://` addresses, also after `git+`. */
const LOCAL_SOURCES = /(?<=^|[\s"'+,[{])(?:file:\/\/)?\/[^\s"',{}[\]#]+/gm;

const galaxyPaths = (folder: string) => ({
  ANSIBLE_ROLES_PATH: join(folder, "roles"),
  ANSIBLE_COLLECTIONS_PATH: join(folder, "collections"),
});

async function install(
  { env: { ansible, timeLimits }, supervision, say, pipe }: RunContext,
  { kind, path }: Requirement,
  { cwd, env }: { cwd: string; env: Variables },
): Promise<void> {
  const file = path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
  await say(`Installing the requirements of ${file}`);
  // Without the kind, ansible-galaxy reads roles and collections, and the old format for roles.
  const what = { collections: ["collection"], roles: ["role"], both: [] }[kind];
  const output = pipe();
  const { exitCode, limitReached } = await runProcess(
    {
      command: [ansible.galaxy, ...what, "install", "-r", path, "--force"],
      cwd,
      env,
      limitMs: timeLimits.galaxyMs,
    },
    supervision,
    output.write,
  );
  await output.end();
  supervision.stop.throwIfAborted();
  const seconds = Math.round(timeLimits.galaxyMs / 1000);
  if (limitReached) throw runError("errors.run.galaxy_time_limit", { file, seconds });
  if (exitCode === 127) throw runError("errors.run.ansible_missing", { command: ansible.galaxy });
  if (exitCode !== 0) throw runError("errors.run.galaxy_failed", { file });
}

/** Returns the Galaxy servers that Ansible asks, in order, but not their tokens. */
function galaxyServers(env: Record<string, string>, config: string[]): string[] {
  const setting = (variable: string, section: string, name: string) =>
    env[`ANSIBLE_GALAXY_${variable}`] ?? iniSetting(config, section, name) ?? "";
  const names = setting("SERVER_LIST", "galaxy", "server_list").split(/[\s,]+/).filter(Boolean);
  const urls = names.map((name) =>
    setting(`SERVER_${name.toUpperCase()}_URL`, `galaxy_server.${name}`, "url")
  );
  return [setting("SERVER", "galaxy", "server"), ...urls].filter(Boolean);
}

/**
 * Returns a name that depends only on the contents of the files, not on their names, and on the
 * servers.
 */
async function nameOf(requirements: Requirement[], servers: string[]): Promise<string> {
  const files = requirements.map(({ kind, hash }) => `${kind} ${hash}\n`);
  const text = [...files, ...servers.map((url) => `server ${url}\n`)].join("");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex().slice(0, 32);
}

const exists = (path: string) => Deno.stat(path).then(() => true, () => false);

/** Removes requirements that no template has used for a long time, and unfinished installations. */
export async function pruneRequirements(dataDir: string): Promise<void> {
  const oldest = Date.now() - UNUSED_DAYS_MAX * 86_400_000;
  for (const project of await subdirectories(galaxyDirectory(dataDir))) {
    for (const folder of await subdirectories(project)) {
      const { mtime } = await Deno.stat(folder);
      if (folder.endsWith(".new") || (mtime?.getTime() ?? 0) < oldest) await removeTree(folder);
    }
  }
}
