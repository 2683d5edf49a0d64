import { join } from "node:path";
import { readPlainFile } from "../process/files.ts";
import { type RunContext, runError } from "../run/context.ts";
import type { RepositoryPlan } from "../run/plan.ts";
import type { GitAccess } from "./access.ts";
import { git } from "./git.ts";

/** A commit in a repository's mirror. */
export interface MirroredCommit {
  /** Path of the bare repository. */
  mirror: string;
  hash: string;
}

const HASH = /^[0-9a-f]{40,64}$/;

/** Each fetch adds a pack. When there are more than this, they are combined into one. */
const PACKS_MAX = 40;

/** Operations on one mirror. */
interface Mirror {
  path: string;
  /** The full name of the plan's branch in git. */
  ref: string;
  run(...args: string[]): Promise<string>;
  fetch(depth: string[], wanted: string): Promise<string>;
  /** Returns the full hash of a commit, or null if the mirror does not have it. */
  find(commit: string): Promise<string | null>;
}

/** Brings the wanted commit into the mirror at `path`. */
export async function fetchInto(
  path: string,
  context: RunContext,
  access: GitAccess,
  { branch, commit, ofBranch = false }: RepositoryPlan,
): Promise<MirroredCommit> {
  const mirror = await openMirror(path, context, access, branch);
  if (commit === null) return await fetchNewest(mirror);
  if (!/^[0-9a-f]{7,64}$/.test(commit)) throw runError("errors.run.commit_missing", { commit });
  const hash = ofBranch
    ? await fetchOfBranch(mirror, commit, branch, context.supervision.stop)
    : await fetchAny(mirror, commit);
  if (!hash) throw runError("errors.run.commit_missing", { commit });
  return { mirror: mirror.path, hash };
}

async function openMirror(
  path: string,
  context: RunContext,
  access: GitAccess,
  branch: string | null,
): Promise<Mirror> {
  const mirror = await Deno.realPath(path);
  const run = (...args: string[]) => git(context, access, mirror, args);
  const fetch = ["fetch", "--quiet", "--no-tags", "--force", "--update-shallow"];
  return {
    path: mirror,
    ref: `refs/heads/${branch}`,
    run,
    fetch: (depth, wanted) => run(...fetch, ...depth, "--", access.address.url, wanted),
    find: (commit) =>
      run("rev-parse", "--quiet", "--verify", `${commit}^{commit}`).then(
        (hash) => hash.trim(),
        () => null,
      ),
  };
}

async function fetchNewest({ path, ref, run, fetch }: Mirror): Promise<MirroredCommit> {
  await shallowIfPossible((depth) => fetch(depth, `+${ref}:${ref}`));
  await packSometimes(path, run);
  const hash = await headOf(path, ref) ?? await run("rev-parse", "--verify", `${ref}^{commit}`);
  return { mirror: path, hash: hash.trim() };
}

/**
 * Returns the commit that a full name such as "refs/heads/main" has in a mirror, or null if it has
 * none. Reads git's files, since asking git costs a process.
 */
export async function headOf(mirror: string, ref: string): Promise<string | null> {
  const own = (await readPlainFile(join(mirror, ref)))?.trim();
  if (own) return HASH.test(own) ? own : null;
  // Names have no files of their own once the mirror was packed.
  const packed = await readPlainFile(join(mirror, "packed-refs")) ?? "";
  const [hash] = packed.split("\n").find((line) => line.endsWith(` ${ref}`))?.split(" ") ?? [];
  return hash && HASH.test(hash) ? hash : null;
}

async function fetchHistory({ path, ref, fetch }: Mirror): Promise<void> {
  const shallow = await Deno.stat(join(path, "shallow")).then(() => true, () => false);
  await fetch(shallow ? ["--unshallow"] : [], `+${ref}:${ref}`);
}

/** Finds or fetches a commit of the branch's history. Refuses commits of other branches. */
async function fetchOfBranch(
  mirror: Mirror,
  commit: string,
  branch: string | null,
  stop: AbortSignal,
): Promise<string | null> {
  const head = await fetchNewest(mirror);
  if (head.hash.startsWith(commit)) return head.hash;
  await fetchHistory(mirror);
  const hash = await mirror.find(commit);
  if (!hash) return null;
  // Only git's exit code answers. Whatever fails here, the commit is not accepted.
  await mirror.run("merge-base", "--is-ancestor", hash, mirror.ref).catch(() => {
    stop.throwIfAborted();
    throw runError("errors.run.commit_not_of_branch", { commit, branch: branch ?? "" });
  });
  return hash;
}

async function fetchAny(mirror: Mirror, commit: string): Promise<string | null> {
  const known = await mirror.find(commit);
  if (known) return known;
  // Many servers serve single commits. Others serve only the history of a branch.
  const single = await mirror.fetch(["--depth=1"], commit)
    .then(() => mirror.find(commit), rethrowIfUnreachable);
  if (single) return single;
  await fetchHistory(mirror);
  return await mirror.find(commit);
}

/** A web server that serves plain files cannot limit the depth. */
async function shallowIfPossible(fetch: (depth: string[]) => Promise<unknown>): Promise<void> {
  try {
    await fetch(["--depth=1"]);
  } catch (error) {
    const said = error instanceof Error ? String(error.cause) : "";
    if (!/does not support shallow/.test(said)) throw error;
    await fetch([]);
  }
}

/** A server that refuses a single commit may still serve the branch. */
function rethrowIfUnreachable(error: unknown): null {
  const hopeless = ["host_key_changed", "repository_key_refused", "repository_unreachable"];
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
