import * as z from "zod";
import { addTooBig } from "../fields.ts";

/** Maximum number of labels that a runner has, or that a template or a schedule requires. */
const LABELS_MAX = 20;
const LABEL = /^[a-z0-9._-]{1,50}$/;
/** Maximum number of characters, about twice that of the longest valid list. */
const TEXT_MAX = 2_000;

/** Returns the labels of a text, which are separated by commas or spaces, each once. */
export const splitLabels = (text: string | null): string[] => [
  ...new Set((text ?? "").toLowerCase().split(/[\s,]+/).filter((label) => label !== "")),
];

/** Returns the text that clients receive as forms show it. */
export const spacedLabels = (text: string | null): string | null =>
  text && text.replaceAll(",", ", ");

/** Returns labels as the text that clients send and receive. */
export const joinLabels = (labels: readonly string[]): string => labels.join(",");

/** Labels as a text or as a list. */
const sentLabels = z.union([
  z.string().max(TEXT_MAX, "errors.too_long"),
  z.array(z.string().max(TEXT_MAX, "errors.too_long")).max(100, "errors.too_long"),
]).nullish();

/** Capital letters become small ones, so that labels differ in more than case. */
const labelsOf = (sent: z.output<typeof sentLabels>): string[] =>
  splitLabels(typeof sent === "string" ? sent : joinLabels(sent ?? []));

function validateLabels(labels: string[], ctx: z.RefinementCtx): void {
  if (labels.length > LABELS_MAX) {
    addTooBig(ctx, labels, LABELS_MAX, "errors.labels.limit");
  }
  if (!labels.every((label) => LABEL.test(label))) {
    ctx.addIssue({ code: "custom", message: "errors.labels.characters" });
  }
}

/** Labels of runners, sent as a text or as a list; none when they are not sent. */
export const labelsField = sentLabels.transform(labelsOf).superRefine(validateLabels);

/** Labels that a template or an inventory requires, as it stores them. */
interface RequiredLabels {
  runner_labels?: string[];
  /** Whether an empty text was sent in place of null, because clients compare it. */
  empty_runner_tag?: boolean;
}

/** The same as `labelsField` for what requires labels. */
export const runnerTagField = sentLabels.transform((sent): RequiredLabels => {
  const runner_labels = labelsOf(sent);
  const isEmpty = sent != null && runner_labels.length === 0;
  return { runner_labels, empty_runner_tag: isEmpty || undefined };
}).superRefine(({ runner_labels = [] }, ctx) => validateLabels(runner_labels, ctx));

/** Returns required labels as clients receive them, and null or an empty text for none. */
export const runnerTagOf = ({ runner_labels = [], empty_runner_tag }: RequiredLabels) =>
  joinLabels(runner_labels) || (empty_runner_tag ? "" : null);

/** Returns the labels of a form. Without any, it is as empty as before. */
export const typedLabels = (
  { runner_labels = [] }: RequiredLabels,
  before: string | null = null,
): RequiredLabels => ({
  runner_labels,
  empty_runner_tag: before === "" && runner_labels.length === 0 || undefined,
});
