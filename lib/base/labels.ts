import * as z from "zod";
import { addTooBig } from "./fields.ts";

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

/**
 * Labels of runners, sent as a text or as a list; none when they are not sent. Capital letters
 * become small ones, so that labels differ in more than case.
 */
export const labelsField = z.union([
  z.string().max(TEXT_MAX, "errors.too_long"),
  z.array(z.string().max(TEXT_MAX, "errors.too_long")).max(100, "errors.too_long"),
]).nullish()
  .transform((sent) => splitLabels(typeof sent === "string" ? sent : joinLabels(sent ?? [])))
  .superRefine((labels, ctx) => {
    if (labels.length > LABELS_MAX) {
      addTooBig(ctx, labels, LABELS_MAX, "errors.labels.limit");
    }
    if (!labels.every((label) => LABEL.test(label))) {
      ctx.addIssue({ code: "custom", message: "errors.labels.characters" });
    }
  });
