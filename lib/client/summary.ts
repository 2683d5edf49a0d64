/** Text for a field in the summary of its folded section, used while the field is set. */
export interface SummaryPart {
  /** Name of the field, such as "hosts.*.name" for all rows; "" for a text that is always shown. */
  name: string;
  /** Text with the placeholder "{{value}}", or one that only says that the field is set. */
  text: string;
  /** A value that means the same as none, such as "{}". */
  blank?: string;
}

/** Attribute with the parts of a summary as JSON, and the one with the text for no part. */
export const SUMMARY_PARTS = "data-summary";
export const SUMMARY_NONE = "data-summary-none";

/** Longest value in a summary. Longer ones are cut, so that each part is in sight. */
const VALUE_MAX = 60;

/**
 * Returns the summary of a folded section, or "" if none of its fields is set. `valueOf` returns
 * the value of a field as people see it, and "" for a field that is not set.
 */
export const summarize = (
  parts: readonly SummaryPart[],
  valueOf: (name: string) => string,
): string =>
  parts.flatMap(({ name, text, blank = "" }) => {
    if (name === "") return [text];
    const typed = valueOf(name).trim();
    const value = typed === blank ? [] : [...typed];
    const shown = value.length > VALUE_MAX
      ? `${value.slice(0, VALUE_MAX).join("")}…`
      : value.join("");
    return shown === "" ? [] : [text.replace("{{value}}", () => shown)];
  }).join(" · ");
