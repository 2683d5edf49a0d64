import { createHash } from "node:crypto";
import { join } from "node:path";
import { removeTree } from "../process/files.ts";
import { withLock } from "../process/lock.ts";
import { revealed, type Variables } from "../process/variables.ts";
import { type RunContext, runError } from "../run/context.ts";
import { requirementLabel } from "../run/requirement_label.ts";
import {
  boundedUse,
  type UsedRequirement,
  type UsedRequirements,
} from "../run/used_requirements.ts";
import { iniSetting } from "./inventory/ini.ts";
import type { CheckoutFacts } from "./inventory/inspect.ts";
import type { RequirementsPlan } from "./plan.ts";
import { areSame, gitDependencies, moves } from "./requirements/dependencies.ts";
import { isExact, type RequiredEntry, requirementText } from "./requirements/entries.ts";
import {
  type InstallationRecord,
  installationsOf,
  installLock,
  keepDependencies,
  keepInstallation,
  lastDependencies,
  pruneInstallations,
  useInstallation,
} from "./requirements/folders.ts";
import { install } from "./requirements/install.ts";
import { readRequirements, type RequiredFile } from "./requirements/read.ts";
import { resolveEntries } from "./requirements/resolve.ts";
import {
  installedContent,
  localSources,
  refuseOwnSources,
  type RequirementsRoot,
} from "./requirements/sources.ts";

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
  const entries = files.flatMap((file) => file.entries);
  const pinOf = (entries: RequiredEntry[]) => pin(machine, entries, env, plan.same);
  const expect = () => expectedDependencies(project, asked, pinOf);
  const [pinned, expected] = await Promise.all([pinOf(entries), expect()]);
  const filesWith = ({ pinned: more }: Dependencies) =>
    withDependencies(withEntries(files, pinned), [...earlierDependencies(plan.same), ...more]);
  const keyOf = (dependencies: Dependencies) =>
    nameOf({ files: filesWith(dependencies), servers, sources, generation: plan.generation });
  const find = async (dependencies: Dependencies) => {
    const found = await useInstallation(machine, project, keyOf(dependencies));
    return found && await known(machine, project, found);
  };
  const installed = await find(expected);
  if (installed) return installed;
  return await withLock(installLock(project), machine.supervision.stop, async () => {
    // Another run may have installed the same meanwhile.
    const start = await expect();
    const installed = await find(start);
    if (installed) return installed;
    const fresh = join(project, `${keyOf(start)}.new`);
    const { now, found } = await settle(machine, start, {
      install: (now, round) =>
        install(machine, context, filesWith(now), { cwd, env, fresh, round }),
      look: () => gitDependencies(machine, fresh, { entries, env }),
      pinOf,
    });
    await keepDependencies(project, asked, now.entries);
    const key = keyOf(now);
    const same = await find(now);
    if (same) {
      await removeTree(fresh);
      return same;
    }
    const content = await installedContent(machine, fresh, [...entries, ...found]);
    const git = [...usedOfGit(entries, pinned), ...usedOfGit(found, await pinOf(found))];
    const used = boundedUse(key, [...git, ...content]);
    const folder = join(project, key);
    await keepInstallation(fresh, folder, { asked, used });
    await useInstallation(machine, project, key);
    await pruneInstallations(machine, project)
      .catch((error) => machine.say(`Old requirements could not be removed: ${error.message}`));
    await list(machine, used);
    return { folder, used };
  });
}

/** Git repositories that installed content depends on and that move, and what they stand for. */
interface Dependencies {
  entries: RequiredEntry[];
  pinned: RequiredEntry[];
}

/** Returns what the last installation of the same files depends on, or nothing if it is not so. */
async function expectedDependencies(
  project: string,
  asked: string,
  pinOf: (entries: RequiredEntry[]) => Promise<RequiredEntry[]>,
): Promise<Dependencies> {
  const entries = await lastDependencies(project, asked);
  // A repository that does not answer may not be needed any more. Otherwise, Ansible will say so.
  return await pinOf(entries)
    .then((pinned) => ({ entries, pinned }), () => ({ entries: [], pinned: [] }));
}

/** Times that dependencies may turn out to have others. */
const ROUNDS_MAX = 5;

/** Installs until all that is depended on is at the commit that was looked up. */
async function settle(
  { say }: RunContext,
  start: Dependencies,
  { install, look, pinOf }: {
    install(now: Dependencies, round: number): Promise<void>;
    look(): Promise<RequiredEntry[]>;
    pinOf(entries: RequiredEntry[]): Promise<RequiredEntry[]>;
  },
) {
  let now = start;
  for (let round = 1;; round++) {
    await install(now, round);
    const found = await look();
    const entries = found.filter(moves);
    if (areSame(entries, now.entries)) return { now, found };
    if (round === ROUNDS_MAX) {
      throw runError("errors.run.requirement_unreachable", {
        name: entries[0]?.name ?? "",
        said: "",
      });
    }
    now = { entries, pinned: await pinOf(entries) };
    await say("Installing again, with the commits of dependencies");
  }
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

/** Returns entries that do not move any more, in the same order. */
async function pin(
  context: RunContext,
  entries: RequiredEntry[],
  env: Variables,
  same: UsedRequirements | undefined,
): Promise<RequiredEntry[]> {
  const earlier = new Map(entries.map((entry) => [entry, earlierVersion(entry, same)]));
  const open = entries.filter((entry) => !earlier.get(entry));
  const commits = await resolveEntries(context, open, env);
  return entries.map((entry) => ({
    ...entry,
    version: earlier.get(entry) || commits.get(entry) || entry.version,
  }));
}

/** Returns those of git, and what they stand for. */
const usedOfGit = (entries: RequiredEntry[], pinned: RequiredEntry[]): UsedRequirement[] =>
  entries.map(({ kind, name, version }, n) => ({
    kind,
    name,
    version,
    resolved: pinned[n].version,
  }))
    .filter((_, n) => entries[n].from === "git");

/** Returns the version of an entry in an earlier run; undefined if it is not known. */
function earlierVersion(entry: RequiredEntry, same?: UsedRequirements): string | undefined {
  if (entry.from !== "git" && entry.from !== "galaxy" || isExact(entry)) return undefined;
  const { kind, name, version } = entry;
  return same?.items.find((item) =>
    item.kind === kind && item.name === name && item.version === version
  )?.resolved;
}

/** Returns the versions of collections that an earlier run had because others need them. */
const earlierDependencies = (same?: UsedRequirements): RequiredEntry[] =>
  (same?.items ?? []).filter(({ dependency }) => dependency)
    .map(({ name, resolved: version }): RequiredEntry => ({
      ...{ kind: "collection", from: "galaxy", name, version, address: name, given: { name } },
    }));

/** Returns files with other entries, of which there are as many. */
function withEntries(files: RequiredFile[], entries: RequiredEntry[]): RequiredFile[] {
  const rest = [...entries];
  return files.map((file) => ({ ...file, entries: rest.splice(0, file.entries.length) }));
}

/**
 * Adds dependencies with their versions to files that ask for such content. Ansible does not look
 * for those that a file asks for.
 */
function withDependencies(files: RequiredFile[], dependencies: RequiredEntry[]): RequiredFile[] {
  const asksFor = (kind: RequiredEntry["kind"]) => ({ entries }: RequiredFile) =>
    entries.some((entry) => entry.kind === kind);
  // A role of an earlier file stays, and a collection of a later one replaces it.
  const at = {
    role: files.findIndex(asksFor("role")),
    collection: files.findLastIndex(asksFor("collection")),
  };
  return files.map((file, n) => ({
    ...file,
    entries: [...file.entries, ...dependencies.filter(({ kind }) => at[kind] === n)],
  }));
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
