import * as z from "zod";
import { isBranchName } from "../git/url.ts";
import { hasControl, hasControlBesidesLines } from "../../base/control.ts";

/**
 * Rules for texts that become arguments of a run. Templates, tasks, schedules, integrations and
 * backups share them.
 */

/**
 * For a host pattern that begins with "@", Ansible reads a file and prints its lines. A pattern
 * begins wherever Ansible's splitter may cut: at commas, colons, blanks, and brackets without their
 * other half. "!" and "&" stand in front of a pattern.
 */
const FILE_PATTERN = /(?:^|[\s,:[\]!&])@/;

/** Returns the locale key of the error in a text for `--limit`, or null. */
export function limitProblem(text: string): string | null {
  if (hasControl(text)) return "errors.control_characters";
  return FILE_PATTERN.test(text) ? "errors.limit_file" : null;
}

/**
 * Whether Ansible takes a line of a limit's file for the host of this name alone. Other lines are
 * patterns of groups and hosts, and if none remains, all hosts match.
 */
export const isPlainHostName = (name: string): boolean =>
  /^(?![!&@~])[^\s*?[\],;]+$/.test(name) && !hasControl(name) &&
  !["all", "ungrouped"].includes(name);

/** Refuses lists with host patterns that make Ansible read a file. */
export const checkLimit = (words: string[] | undefined, ctx: z.RefinementCtx) =>
  tellFirst(words, limitProblem, ctx);

/** Refuses lists with tags that an argument cannot hold. */
export const checkTags = (words: string[] | undefined, ctx: z.RefinementCtx) =>
  tellFirst(words, (word) => hasControl(word) ? "errors.control_characters" : null, ctx);

function tellFirst(
  words: string[] | undefined,
  problemOf: (word: string) => string | null,
  ctx: z.RefinementCtx,
): void {
  const problem = (words ?? []).map(problemOf).find((found) => found !== null);
  if (problem) ctx.addIssue({ code: "custom", message: problem });
}

/** A branch or tag. Null stands for the one that is set elsewhere. */
export const branchField = z.string().trim().max(255, "errors.too_long").nullish()
  .transform((value) => value || null)
  .refine((name) => name === null || isBranchName(name), "errors.repositories.branch_name");

/** A person's note about a run. It may have several lines. */
export const messageField = z.string().max(1000, "errors.too_long")
  .refine((text) => !hasControlBesidesLines(text), "errors.control_characters").nullish()
  .transform((value) => value || null);
