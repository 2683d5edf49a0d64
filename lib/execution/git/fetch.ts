import { join } from "node:path";
import { readPlainFile } from "../process/files.ts";
import { type RunContext, runError } from "../run/context.ts";
import type { RepositoryPlan } from "../run/plan.ts";
import type { GitAccess } from "./access.ts";
import { git } from "./git.ts";
import { commitId, refMissing, refsOf, TAGS } from "./ref.ts";

/** A commit in a repository's mirror. */
export interface FetchedCommit {
  /** Path of the bare repository. */
  mirror: string;
  hash: string;
}

/** A commit as a checkout needs it. */
export interface MirroredCommit extends FetchedCommit {
  /** Null for a checkout of this commit alone. */
  history: History | null;
}

/** The history and the tags that a checkout shows. */
interface History {
  /** Git's list of commits whose parents are missing; null if none are. */
  shallow: string | null;
  /** Tags, in the form of git's file of packed names. */
  refs: string;
}

const HASH = /^[0-9a-f]{40,64}$/;

/** Each fetch adds a pack. When there are more than this, they are combined into one. */
const PACKS_MAX = 40;

/** Operations on one mirror. */
interface Mirror {
  path: string;
  /** Number of commits that a checkout shows. 0 stands for all of them, and all tags. */
  depth: number;
  run(...args: string[]): Promise<string>;
  fetch(options: string[], ...wanted: string[]): Promise<string>;
  /** Returns the full hash of a commit, or null if the mirror does not have it. */
  find(commit: string): Promise<string | null>;
}

/** A branch, a tag or a named commit in a mirror. */
interface Head {
  hash: string;
  /** Names to fetch for its history. */
  wanted: string[];
}

/** Brings the wanted commit into the mirror at `path`. */
export async function fetchInto(
  path: string,
  context: RunContext,
  access: GitAccess,
  repository: RepositoryPlan,
): Promise<MirroredCommit> {
  const mirror = await openMirror(path, context, access, repository.depth ?? 1);
  const hash = await fetchWanted(mirror, context, repository);
  if (mirror.depth === 1) return { mirror: mirror.path, hash, history: null };
  if (repository.commit !== null) await deepen(mirror, hash, repository.branch);
  return { mirror: mirror.path, hash, history: await readHistory(mirror) };
}

async function fetchWanted(
  mirror: Mirror,
  { supervision: { stop } }: RunContext,
  { branch, commit, ofBranch }: RepositoryPlan,
): Promise<string> {
  if (commit === null) return (await fetchNewest(mirror, branch)).hash;
  if (!/^[0-9a-f]{7,64}$/.test(commit)) throw runError("errors.run.commit_missing", { commit });
  const hash = ofBranch
    ? await fetchOfBranch(mirror, commit, branch, stop)
    : await fetchAny(mirror, commit, branch);
  if (!hash) throw runError("errors.run.commit_missing", { commit });
  return hash;
}

async function openMirror(
  path: string,
  context: RunContext,
  access: GitAccess,
  depth: number,
): Promise<Mirror> {
  const mirror = await Deno.realPath(path);
  const run = (...args: string[]) => git(context, access, mirror, args);
  // A limited history comes with the tags in it.
  const tags = depth === 1 ? ["--no-tags"] : depth === 0 ? ["--tags"] : [];
  const fetch = ["fetch", "--quiet", ...tags, "--force", "--update-shallow"];
  return {
    path: mirror,
    depth,
    run,
    fetch: (options, ...wanted) => run(...fetch, ...options, "--", access.address.url, ...wanted),
    find: (commit) =>
      run("rev-parse", "--quiet", "--verify", `${commit}^{commit}`).then(
        (hash) => hash.trim(),
        () => null,
      ),
  };
}

/** Fetches the latest commit of a branch, otherwise of a tag, or the commit that is named. */
async function fetchNewest(mirror: Mirror, branch: string | null): Promise<Head> {
  const id = commitId(branch ?? "");
  if (id) return await fetchNamedCommit(mirror, id);
  for (const ref of refsOf(branch ?? "")) {
    const fetched = await fetchRef(mirror, ref).catch((error) => {
      if (error.key !== "errors.run.branch_missing") throw error;
      return null;
    });
    if (fetched) return fetched;
    // A name that has become a tag must not be taken for the former branch.
    if (await headOf(mirror.path, ref)) await mirror.run("update-ref", "-d", ref);
  }
  throw refMissing(branch ?? "");
}

async function fetchRef(mirror: Mirror, ref: string): Promise<Head> {
  const { path, run } = mirror;
  const wanted = [`+${ref}:${ref}`];
  if (mirror.depth === 0) await fetchHistory(mirror, wanted);
  else await shallowIfPossible(mirror.depth, (options) => mirror.fetch(options, ...wanted));
  await packSometimes(path, run);
  const isTag = ref.startsWith(TAGS);
  const known = isTag ? null : await headOf(path, ref);
  const hash = known ?? (await run("rev-parse", "--verify", `${ref}^{commit}`)).trim();
  // A tag can be an object of its own.
  if (isTag) await run("update-ref", `${PEELED}${ref}`, hash);
  return { hash, wanted };
}

/** Commits that are named, and of which is known that they are in a branch or a tag. */
const NAMED = "refs/commits/";

/**
 * Fetches a commit that is in the history of a branch or a tag. Git hosts serve others, too, such
 * as those of anyone's fork, and these are refused.
 */
async function fetchNamedCommit(mirror: Mirror, id: string): Promise<Head> {
  const wanted = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
  if (await headOf(mirror.path, NAMED + id) === null) {
    await fetchHistory(mirror, wanted, ["--prune"]);
    const found = await mirror.run("for-each-ref", "--count=1", `--contains=${id}`, "refs")
      .catch((error) => {
        if (/no such commit|malformed object name/i.test(String(error.cause))) return "";
        throw error;
      });
    if (found === "") throw runError("errors.run.commit_missing", { commit: id });
    await mirror.run("update-ref", NAMED + id, id);
  }
  return { hash: id, wanted };
}

/** Commits of tags. */
const PEELED = "refs/peeled/";

/**
 * Returns the commit of a branch, a tag or a commit's id in a mirror as the last fetch has left it,
 * or null if it has none.
 */
export async function fetchedHead(mirror: string, branch: string): Promise<string | null> {
  const id = commitId(branch);
  if (id) return await headOf(mirror, NAMED + id);
  for (const ref of refsOf(branch)) {
    const hash = await headOf(mirror, ref.startsWith(TAGS) ? PEELED + ref : ref);
    if (hash) return hash;
  }
  return null;
}

/**
 * Returns the commit that a full name such as "refs/heads/main" has in a mirror, or null if it has
 * none. Reads git's files, since asking git costs a process.
 */
async function headOf(mirror: string, ref: string): Promise<string | null> {
  const own = (await readPlainFile(join(mirror, ref)))?.trim();
  if (own) return HASH.test(own) ? own : null;
  // Names have no files of their own once the mirror was packed.
  const packed = await readPlainFile(join(mirror, "packed-refs")) ?? "";
  const [hash] = packed.split("\n").find((line) => line.endsWith(` ${ref}`))?.split(" ") ?? [];
  return hash && HASH.test(hash) ? hash : null;
}

async function fetchHistory(
  { path, fetch }: Mirror,
  wanted: string[],
  options: string[] = [],
): Promise<void> {
  await fetch([...options, ...await isShallow(path) ? ["--unshallow"] : []], ...wanted);
}

const isShallow = (path: string) => Deno.stat(join(path, "shallow")).then(() => true, () => false);

/** Finds or fetches a commit of the branch's history. Refuses commits of other branches. */
async function fetchOfBranch(
  mirror: Mirror,
  commit: string,
  branch: string | null,
  stop: AbortSignal,
): Promise<string | null> {
  const head = await fetchNewest(mirror, branch);
  if (head.hash.startsWith(commit)) return head.hash;
  await fetchHistory(mirror, head.wanted);
  const hash = await mirror.find(commit);
  if (!hash) return null;
  // Only git's exit code answers. Whatever fails here, the commit is not accepted.
  await mirror.run("merge-base", "--is-ancestor", hash, head.hash).catch(() => {
    stop.throwIfAborted();
    throw runError("errors.run.commit_not_of_branch", { commit, branch: branch ?? "" });
  });
  return hash;
}

async function fetchAny(
  mirror: Mirror,
  commit: string,
  branch: string | null,
): Promise<string | null> {
  const known = await mirror.find(commit);
  if (known) return known;
  // Many servers serve single commits. Others serve only the history of a branch.
  const single = await mirror.fetch(["--depth=1"], commit)
    .then(() => mirror.find(commit), rethrowIfUnreachable);
  if (single) return single;
  await fetchHistory(mirror, (await fetchNewest(mirror, branch)).wanted);
  return await mirror.find(commit);
}

/** Fetches as much of the history of a commit that is in the mirror as the depth asks for. */
async function deepen(mirror: Mirror, hash: string, branch: string | null): Promise<void> {
  const { path, depth, run, fetch } = mirror;
  if (!await isShallow(path)) return;
  if (depth > 0) {
    const count = await run("rev-list", "--count", `--max-count=${depth}`, hash);
    if (Number(count) === depth) return;
    const deeper = await fetch([`--depth=${depth}`], hash).then(() => true, rethrowIfUnreachable);
    if (deeper) return;
  }
  await fetchHistory(mirror, (await fetchNewest(mirror, branch)).wanted);
}

/** Reads what a checkout needs to show the same history, before another run changes it. */
async function readHistory({ path, run }: Mirror): Promise<History> {
  const tags = await run("for-each-ref", "--format=%(objectname) %(refname)", TAGS);
  return { shallow: await readPlainFile(join(path, "shallow")), refs: tags };
}

/** A web server that serves plain files cannot limit the depth. */
async function shallowIfPossible(
  depth: number,
  fetch: (options: string[]) => Promise<unknown>,
): Promise<void> {
  try {
    await fetch([`--depth=${depth}`]);
  } catch (error) {
    const said = error instanceof Error ? String(error.cause) : "";
    if (!/does not support shallow/.test(said)) throw error;
    await fetch([]);
  }
}

/** A server that refuses a single commit may still serve the branch. */
function rethrowIfUnreachable(error: unknown): null {
  const hopeless = [
    "host_key_changed",
    "repository_key_refused",
    "credentials_wanted",
    "repository_unreachable",
  ];
  if (hopeless.some((name) => (error as { key?: string }).key === `errors.run.${name}`)) {
    throw error;
  }
  return null;
}

async function packSometimes(mirror: string, run: (...args: string[]) => Promise<string>) {
  const files = await Array.fromAsync(Deno.readDir(join(mirror, "objects", "pack")));
  if (files.filter((file) => file.name.endsWith(".pack")).length <= PACKS_MAX) return;
  await run("gc", "--quiet", "--prune=2.weeks.ago");
}
