import type { AppError } from "../../base/errors.ts";
import { runError } from "../run/context.ts";

export const HEADS = "refs/heads/";
export const TAGS = "refs/tags/";

/** Returns the commit that a full id names, or null for any other text. */
export const commitId = (name: string): string | null =>
  /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(name) ? name.toLowerCase() : null;

/**
 * Returns the full names that a name can have in git, in the order in which they count: a branch
 * comes before a tag, as in `git clone --branch`.
 */
export const refsOf = (name: string): string[] =>
  name.startsWith(HEADS) || name.startsWith(TAGS) ? [name] : [HEADS + name, TAGS + name];

/** Says that a repository has no such branch, tag or commit. */
export const refMissing = (branch: string): AppError =>
  runError(
    /^[0-9a-f]{7,63}$/i.test(branch) ? "errors.run.commit_short" : "errors.run.branch_missing",
    { branch },
  );
