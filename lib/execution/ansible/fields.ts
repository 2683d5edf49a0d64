import { z } from "zod";
import { isBranchName } from "../git/url.ts";
import { hasControl, hasControlBesidesLines } from "../../base/control.ts";

/**
 * The rules of texts that become arguments of a run: the same ones for templates, tasks, schedules,
 * integrations and backups.
 */

/**
 * An "@" that begins a host pattern makes Ansible read a file, and print its lines. A pattern begins
 * wherever Ansible's splitter may cut: at commas, colons, blanks, and brackets without their other
 * half. "!" and "&" stand in front of a pattern.
 */
const FILE_PATTERN = /(?:^|[\s,:[\]!&])@/;

/** What is wrong with a text for `--limit`: a locale key, or null. */
export function limitProblem(text: string): string | null {
  if (hasControl(text)) return "errors.control_characters";
  return FILE_PATTERN.test(text) ? "errors.limit_file" : null;
}

/** Refuses lists of host patterns that Ansible would read from a file. */
export const checkLimit = (words: string[] | undefined, ctx: z.RefinementCtx) =>
  tellFirst(words, limitProblem, ctx);

/** Refuses lists of tags that no argument can hold. */
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

/** A branch or tag; null for the one that is set elsewhere. */
export const branchField = z.string().trim().max(255, "errors.too_long").nullish()
  .transform((value) => value || null)
  .refine((name) => name === null || isBranchName(name), "errors.repositories.branch_name");

/** What a person says about a run; it may have several lines. */
export const messageField = z.string().max(1000, "errors.too_long")
  .refine((text) => !hasControlBesidesLines(text), "errors.control_characters").nullish()
  .transform((value) => value || null);
