import { silentLog } from "../log/run_log.ts";
import { type RunContext, withContext } from "../run/context.ts";
import type { RunEnvironment } from "../run/environment.ts";
import type { RepositoryPlan } from "../run/plan.ts";
import type { GitAccess } from "./access.ts";
import { git } from "./git.ts";
import { fetchCommit, findMirror } from "./mirror.ts";
import { withRemote } from "./remote.ts";

/** A commit of a history. */
interface LoggedCommit {
  hash: string;
  author: string;
  /** RFC 3339 */
  time: string;
  subject: string;
}

/** The commits that lie between two commits. */
export interface CommitsBetween {
  /** Latest first, at most 100. */
  commits: LoggedCommit[];
  isMore: boolean;
  /** Whether the second commit is an ancestor of the first, so that the commits were taken back. */
  isBack: boolean;
}

const COMMITS_MAX = 100;

/** The two commits, and whether to fetch the branch's whole history once to find those between. */
interface Asked {
  from: string;
  to: string;
  fetch: boolean;
  stop: AbortSignal;
}

/**
 * Returns the commits that lead from one to another, forwards or backwards. Returns null where no
 * path is known: a mirror contains only what runs have fetched, mostly single commits.
 */
export function commitsBetween(
  env: RunEnvironment,
  projectId: number,
  repository: RepositoryPlan,
  { from, to, fetch, stop }: Asked,
): Promise<CommitsBetween | null> {
  async function find(context: RunContext, access: GitAccess, mirror: string) {
    const log = logger(context, access, mirror);
    return await log(from, to, false) ?? await log(to, from, true);
  }
  if (fetch) {
    return withRemote(env, projectId, repository, stop, async (context, access) => {
      const wanted = { ...repository, commit: from, ofBranch: true };
      return await find(context, access, (await fetchCommit(context, access, wanted)).mirror);
    });
  }
  const stage = { projectId, name: `history-${crypto.randomUUID()}`, log: silentLog, stop };
  return withContext(env, stage, async (context) => {
    const mirror = await findMirror(context.env.dataDir, projectId, repository);
    const variables = { PATH: context.env.path, ...NO_CONFIG };
    // Nothing is requested from the remote, so no key is needed.
    const access = { address: repository.address, env: variables, close: async () => {} };
    return mirror === null ? null : await find(context, access, mirror);
  });
}

const NO_CONFIG = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };

const logger =
  (context: RunContext, access: GitAccess, mirror: string) =>
  async (older: string, newer: string, isBack: boolean): Promise<CommitsBetween | null> => {
    const run = (...args: string[]) =>
      git(context, access, mirror, ["-c", "safe.directory=*", ...args]);
    // Only git's exit code answers, and it is the same for a commit that is missing.
    const isWay = await run("merge-base", "--is-ancestor", older, newer).then(() => true, () => {
      context.supervision.stop.throwIfAborted();
      return false;
    });
    if (!isWay) return null;
    const format = "--format=%H%x00%an%x00%aI%x00%s";
    const max = `--max-count=${COMMITS_MAX + 1}`;
    const listed = await run("log", "--no-show-signature", max, format, `${older}..${newer}`, "--");
    const commits = listed.split("\n").filter(Boolean).map((line) => {
      const [hash, author, time, subject] = line.split("\0");
      return { hash, author: author.slice(0, 100), time, subject: subject.slice(0, 200) };
    });
    const shown = commits.slice(0, COMMITS_MAX);
    return { commits: shown, isMore: commits.length > COMMITS_MAX, isBack };
  };
