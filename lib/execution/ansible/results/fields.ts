import * as z from "zod";
import { isBranchName } from "../../git/url.ts";
import { hasControl, hasControlBesidesLines } from "../../../base/text/control.ts";

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
  if (FILE_PATTERN.test(text)) return "errors.limit_file";
  const patterns = splitLimit(text);
  return patterns.length > 0 && patterns.every(isPattern) ? null : "errors.limit_pattern";
}

/** Returns the patterns that Ansible's splitter finds, with the brackets that it leaves out. */
const splitLimit = (text: string): string[] =>
  (text.includes(",") ? text.split(",") : text.match(/(?:[^\s:[\]]|\[[^\]]*\]|[[\]])+/g) ?? [])
    .map((pattern) => pattern.trim()).filter((pattern) => pattern !== "");

/**
 * Whether a pattern names hosts. Ansible ignores one that does not, and without another one, all
 * hosts match: "~" and "~a|" match any name, "[" nothing at all, and "! a" excludes no host. Beside
 * commas, colons and blanks are part of a name, so "!a:!b" excludes no host either.
 */
function isPattern(pattern: string): boolean {
  const name = pattern.replace(/^[!&]/, "");
  const outside = name.replaceAll(/\[[^\]]*\]/g, "");
  if (/[[\]]/.test(outside) || /^[!&\s]/.test(name)) return false;
  if (name.startsWith("~")) return /[\p{L}\p{N}._]/u.test(name) && !/^~\||\|$/.test(name);
  const isExcluded = pattern.startsWith("!");
  if (isExcluded && /[\s:]/.test(outside) && !/^[\da-f.:]+$/i.test(outside)) return false;
  return /[\p{L}\p{N}*?_]/u.test(name);
}

/**
 * Whether Ansible takes a line of a limit's file for the host of this name alone. Other lines are
 * patterns of groups and hosts, and if none remains, all hosts match.
 */
export const isPlainHostName = (name: string): boolean =>
  /^(?![!&@~])[^\s*?[\],;]+$/.test(name) && !hasControl(name) &&
  !["all", "ungrouped"].includes(name);

/** Refuses lists of host patterns that make Ansible read a file, or that name no hosts. */
export const validateLimit = (words: string[] | undefined, ctx: z.RefinementCtx) =>
  check(words, limitProblem, ctx);

/** Refuses lists with tags that an argument cannot hold, or without any. */
export const validateTags = (words: string[] | undefined, ctx: z.RefinementCtx) =>
  check(words, tagsProblem, ctx);

function tagsProblem(text: string): string | null {
  if (hasControl(text)) return "errors.control_characters";
  return /^[\s,]*$/.test(text) ? "errors.tags_blank" : null;
}

/** Checks words as the one text that Ansible gets. */
function check(
  words: string[] | undefined,
  problemOf: (text: string) => string | null,
  ctx: z.RefinementCtx,
): void {
  const problem = words && words.length > 0 ? problemOf(words.join(",")) : null;
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
