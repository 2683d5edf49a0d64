import { dirname } from "node:path";
import { refusingHost } from "../../git/refusal.ts";
import { collectProcess } from "../../process/supervise.ts";
import { revealed, type Variables } from "../../process/variables.ts";
import { type RunContext, runError } from "../../run/context.ts";
import { sshCommand } from "../../ssh/command.ts";
import { isExact, type RequiredEntry } from "./entries.ts";

/** Repositories that are asked in parallel. */
const PARALLEL_MAX = 8;
/** Time for the answer of a repository. */
const LIMIT_MS = 60_000;
const SAID_MAX = 300;

/** Names of git and their commits. */
type Refs = Map<string, string>;

/**
 * Returns the commit of each git entry that may move: of a branch, a tag, or the default branch.
 * Throws with the name of the entry if its repository does not say.
 */
export async function resolveEntries(
  context: RunContext,
  entries: RequiredEntry[],
  env: Variables,
): Promise<Map<RequiredEntry, string>> {
  const moving = entries.filter((entry) => entry.from === "git" && !isExact(entry));
  const groups = [...Map.groupBy(moving, ({ address }) => address).values()];
  const commits = new Map<RequiredEntry, string>();
  if (groups.length === 0) return commits;
  const access = await accessOf(context, env);
  const ask = async () => {
    for (let group = groups.pop(); group; group = groups.pop()) {
      const refs = await remoteRefs(context, group, access);
      for (const entry of group) commits.set(entry, commitOf(entry, refs));
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_MAX }, ask));
  return commits;
}

/** Returns the variables of ansible-galaxy, with which git asks nobody. */
async function accessOf(
  { env, projectId, directory }: RunContext,
  variables: Variables,
): Promise<Variables> {
  return {
    GIT_SSH_COMMAND: `${await sshCommand(env, projectId, null)} -o BatchMode=yes`,
    ...variables,
    GIT_TERMINAL_PROMPT: "0",
    // A repository around the data folder is none of the run's.
    GIT_CEILING_DIRECTORIES: dirname(directory.path),
  };
}

/** Names an address. It may have a login, and everyone can see arguments. */
function withAddress(access: Variables, address: string): Variables {
  const count = Number(revealed(access).GIT_CONFIG_COUNT) || 0;
  return {
    ...access,
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: "remote.requirement.url",
    [`GIT_CONFIG_VALUE_${count}`]: address,
  };
}

async function remoteRefs(
  { env: { timeLimits }, directory, supervision }: RunContext,
  group: RequiredEntry[],
  access: Variables,
): Promise<Refs> {
  const [{ name, address }] = group;
  const names = new Set(group.flatMap(({ version }) => candidates(version)));
  const { exitCode, stdout, stderr } = await collectProcess({
    command: ["git", "ls-remote", "--quiet", "--symref", "--", "requirement", "HEAD", ...names],
    cwd: directory.path,
    env: withAddress(access, address),
    limitMs: Math.min(timeLimits.gitMs, LIMIT_MS),
  }, supervision);
  supervision.stop.throwIfAborted();
  if (exitCode !== 0) {
    const host = refusingHost(stderr);
    if (host) throw runError("errors.run.requirement_credentials", { host });
    const said = stderr.trim().split("\n").at(0)?.replace(/\/\/[^/@\s]*@/g, "//") ?? "";
    throw runError("errors.run.requirement_unreachable", { name, said: said.slice(0, SAID_MAX) });
  }
  const refs: Refs = new Map();
  for (const line of stdout.split("\n")) {
    const [value, name] = line.split("\t");
    // "ref: refs/heads/main	HEAD" names the default branch.
    if (name === "HEAD" && value.startsWith("ref: ")) refs.set("default", value.slice(5));
    else if (name) refs.set(name, value);
  }
  return refs;
}

/** Returns the full names that a version may have. A tag may be an object that has the commit. */
function candidates(version: string): string[] {
  const name = version.replace(/^(refs\/)?(heads|tags|remotes\/origin)\/|^origin\//, "");
  if (name === "" || name === "HEAD") return ["HEAD"];
  const tags = [`refs/tags/${name}^{}`, `refs/tags/${name}`];
  const heads = [`refs/heads/${name}`];
  if (/^(refs\/)?tags\//.test(version)) return tags;
  return /^(refs\/)?(heads|remotes)\/|^origin\//.test(version) ? heads : [...tags, ...heads];
}

/** Returns the commit that git would check out. A name of the default branch comes before tags. */
function commitOf({ name, version }: RequiredEntry, refs: Refs): string {
  const names = candidates(version);
  const own = names.filter((one) => one === refs.get("default"));
  const commit = [...own, ...names].map((one) => refs.get(one)).find((hash) => hash !== undefined);
  if (commit) return commit;
  // The start of a commit is as good as the whole one.
  if (/^[0-9a-f]{7,}$/.test(version)) return version;
  throw runError("errors.run.requirement_ref", { name, version: version || "HEAD" });
}
