import { createHash } from "node:crypto";
import { join } from "node:path";
import { refusingHost } from "../git/refusal.ts";
import { removeTree } from "../process/files.ts";
import { createPrivateDir } from "../process/isolation.ts";
import { withLock } from "../process/lock.ts";
import { runProcess } from "../process/supervise.ts";
import { revealed, type Variables } from "../process/variables.ts";
import { type RunContext, runError } from "../run/context.ts";
import { iniSetting } from "./ini.ts";
import type { CheckoutFacts } from "./inspect.ts";
import type { RequirementsPlan } from "./plan.ts";
import { isExact, type RequiredEntry, requirementText } from "./requirements/entries.ts";
import {
  type InstallationRecord,
  installationsOf,
  installLock,
  keepInstallation,
  pruneInstallations,
  useInstallation,
} from "./requirements/folders.ts";
import { readRequirements, type RequiredFile } from "./requirements/read.ts";
import { resolveEntries } from "./requirements/resolve.ts";
import {
  installedContent,
  localSources,
  refuseOwnSources,
  type RequirementsRoot,
} from "./requirements/sources.ts";
import { requirementLabel } from "../run/requirement_label.ts";
import {
  boundedUse,
  type UsedRequirement,
  type UsedRequirements,
} from "../run/used_requirements.ts";

/** Installed requirements, and how they are called for. */
interface Installed {
  /** Holds `roles` and `collections`. */
  folder: string;
  used: UsedRequirements;
}

interface Wanted extends RequirementsRoot {
  facts: Pick<CheckoutFacts, "requirements" | "config">;
  plan: RequirementsPlan;
  /** Variables of ansible-galaxy, and of git. */
  env: Variables;
}

/**
 * Installs the requirements of a checkout, or finds what was installed for the same ones. Null if
 * nothing is required. What moves in them, such as a branch, is looked up first, so that each state
 * has a folder of its own. `machine` runs git, and `context` Ansible, perhaps in a container.
 */
export async function installRequirements(
  machine: RunContext,
  context: RunContext,
  wanted: Wanted,
): Promise<Installed | null> {
  const { facts: { requirements, config }, plan, env, cwd } = wanted;
  if (requirements.length === 0) return null;
  const files = await readRequirements(machine, requirements, cwd);
  if (files.length === 0) return null;
  await refuseOwnSources(machine, files, env);
  const project = await installationsOf(machine);
  const servers = galaxyServers(revealed(env), config?.lines ?? []);
  const sources = await localSources(machine, wanted, files);
  const asked = nameOf({ files, servers, sources });
  const before = plan.same && await useInstallation(machine, project, plan.same.key);
  if (plan.same && before?.asked === asked) return await known(machine, project, before);
  const { pinned, git } = await pin(machine, files, env, plan.same);
  const key = nameOf({ files: pinned, servers, sources, generation: plan.generation });
  const installed = await useInstallation(machine, project, key);
  if (installed) return await known(machine, project, installed);
  return await withLock(installLock(project), machine.supervision.stop, async () => {
    // Another run may have installed the same meanwhile.
    const installed = await useInstallation(machine, project, key);
    if (installed) return await known(machine, project, installed);
    const folder = join(project, key);
    const fresh = `${folder}.new`;
    await install(machine, context, pinned, { cwd, env, fresh });
    const content = await installedContent(machine, fresh, files.flatMap((file) => file.entries));
    const used = boundedUse(key, [...git, ...content]);
    await keepInstallation(fresh, folder, { asked, used });
    await useInstallation(machine, project, key);
    await pruneInstallations(machine, project)
      .catch((error) => machine.say(`Old requirements could not be removed: ${error.message}`));
    await list(machine, used);
    return { folder, used };
  });
}

async function known(
  context: RunContext,
  project: string,
  { used }: InstallationRecord,
): Promise<Installed> {
  await context.say("The requirements are already installed");
  await list(context, used);
  return { folder: join(project, used.key), used };
}

/** Most requirements that a run lists in its output. */
const LISTED_MAX = 50;

async function list({ say }: RunContext, { items, more }: UsedRequirements): Promise<void> {
  for (const item of items.slice(0, LISTED_MAX)) await say(`  ${requirementLabel(item)}`);
  const left = Math.max(0, items.length - LISTED_MAX) + more;
  if (left > 0) await say(`  and ${left} more`);
}

/** Returns files whose entries do not move any more, and what those of git stand for. */
async function pin(
  context: RunContext,
  files: RequiredFile[],
  env: Variables,
  same: UsedRequirements | undefined,
) {
  const entries = files.flatMap((file) => file.entries);
  const earlier = new Map(entries.map((entry) => [entry, earlierVersion(entry, same)]));
  const open = entries.filter((entry) => !earlier.get(entry));
  const commits = await resolveEntries(context, open, env);
  const git: UsedRequirement[] = [];
  const pinned = files.map((file) => ({
    ...file,
    entries: file.entries.map((entry): RequiredEntry => {
      const resolved = earlier.get(entry) || commits.get(entry) || entry.version;
      const { kind, name, version, from } = entry;
      if (from === "git") git.push({ kind, name, version, resolved });
      return { ...entry, version: resolved };
    }),
  }));
  return { pinned: withDependencies(pinned, same), git };
}

/** Returns the version of an entry in an earlier run; undefined if it is not known. */
function earlierVersion(entry: RequiredEntry, same?: UsedRequirements): string | undefined {
  if (entry.from !== "git" && entry.from !== "galaxy" || isExact(entry)) return undefined;
  const { kind, name, version } = entry;
  return same?.items.find((item) =>
    item.kind === kind && item.name === name && item.version === version
  )?.resolved;
}

/** Adds the versions of collections that an earlier run had because others need them. */
function withDependencies(files: RequiredFile[], same?: UsedRequirements): RequiredFile[] {
  const versions = (same?.items ?? []).filter(({ dependency }) => dependency);
  const at = files.findLastIndex(({ entries }) =>
    entries.some(({ kind }) => kind === "collection")
  );
  return files.map((file, n) => {
    if (n !== at) return file;
    const more = versions.map(({ name, resolved: version }): RequiredEntry => ({
      ...{ kind: "collection", from: "galaxy", name, version, address: name, given: { name } },
    }));
    return { ...file, entries: [...file.entries, ...more] };
  });
}

async function install(
  machine: RunContext,
  context: RunContext,
  files: RequiredFile[],
  { cwd, env, fresh }: { cwd: string; env: Variables; fresh: string },
): Promise<void> {
  await removeTree(fresh);
  const [roles, collections] = [join(fresh, "roles"), join(fresh, "collections")];
  for (const path of [fresh, roles, collections]) {
    await createPrivateDir(machine.env.isolation, path);
  }
  const paths = { ANSIBLE_ROLES_PATH: roles, ANSIBLE_COLLECTIONS_PATH: collections };
  for (const [n, file] of files.entries()) {
    const path = await machine.directory.write(
      `requirements_${n}.yml`,
      requirementText(file.entries),
    );
    await installFile(context, file, { path, cwd, env: { ...env, ...paths } });
  }
}

async function installFile(
  { env: { ansible, timeLimits }, supervision, say, pipe }: RunContext,
  { kind, file }: RequiredFile,
  { path, cwd, env }: { path: string; cwd: string; env: Variables },
): Promise<void> {
  await say(`Installing the requirements of ${file}`);
  // Without the kind, ansible-galaxy installs roles and collections.
  const what = { collections: ["collection"], roles: ["role"], both: [] }[kind];
  const output = pipe();
  let said = "";
  const { exitCode, limitReached } = await runProcess(
    {
      command: [ansible.galaxy, ...what, "install", "-r", path, "--force"],
      cwd,
      env,
      limitMs: timeLimits.galaxyMs,
    },
    supervision,
    (chunk) => {
      said = (said + new TextDecoder().decode(chunk)).slice(-SAID_MAX);
      return output.write(chunk);
    },
  );
  await output.end();
  supervision.stop.throwIfAborted();
  const seconds = Math.round(timeLimits.galaxyMs / 1000);
  if (limitReached) throw runError("errors.run.galaxy_time_limit", { file, seconds });
  if (exitCode === 127) throw runError("errors.run.ansible_missing", { command: ansible.galaxy });
  if (exitCode === 0) return;
  // Ansible wraps lines.
  const host = refusingHost(said.replace(/\s+/g, " "));
  if (host) throw runError("errors.run.requirement_credentials", { host });
  throw runError("errors.run.galaxy_failed", { file });
}

/** Characters at the end of the output in which a host that refused git is looked for. */
const SAID_MAX = 16 * 1024;

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

/** Returns a name that depends on the entries of the files, and not on how they are written. */
const nameOf = (
  { files, ...more }: {
    files: RequiredFile[];
    servers: string[];
    sources: string[];
    generation?: string;
  },
): string => {
  const texts = files.map(({ kind, entries }) => [kind, requirementText(entries)]);
  return createHash("sha256").update(JSON.stringify([texts, more])).digest("hex").slice(0, 32);
};
