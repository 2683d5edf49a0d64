import type { ComponentChildren } from "preact";
import {
  summarize,
  SUMMARY_NONE,
  SUMMARY_PARTS,
  type SummaryPart,
} from "../../../lib/client/summary.ts";
import type { Ui } from "../../../lib/i18n/ui.ts";
import type { FormState } from "../../../lib/web/forms/form.ts";
import { rowNumbers } from "../../../lib/web/forms/rows.ts";
import type { Option } from "./found_options.ts";

/** A field in the summary of its section. */
interface FoldedField extends SummaryPart {
  /** The options of a field whose values are not shown. */
  options?: readonly Option[];
}

interface FoldedSectionProps {
  ui: Ui;
  form: FormState;
  id: string;
  title: string;
  /** The fields that the summary names, in order. */
  fields?: readonly FoldedField[];
  /** A summary that only the server changes, in place of one from `fields`. */
  summary?: string;
  /** The summary while no field is set. */
  none?: string;
  /** Fields and lists of the section. An error in one of them opens it. Default is `fields`. */
  holds?: readonly string[];
  /** Shows it open, for example because one of its buttons was pressed. */
  open?: boolean;
  children: ComponentChildren;
}

/** Sections of a form that show only what they hold, until they are opened. */
export const FoldedSections = ({ children }: { children: ComponentChildren }) => (
  <div class="folds">{children}</div>
);

/**
 * Rarely used fields of a form. Its title says what they are, and its summary which of them are
 * set. Fields of class `half` are side by side.
 */
export function FoldedSection(
  { ui, form, id, title, fields = [], summary, none, holds, open, children }: FoldedSectionProps,
) {
  const held = holds ?? fields.map(({ name }) => name);
  const hasError = Object.keys(form.errors).some((field) =>
    held.some((name) => field === name || field.startsWith(`${name}.`))
  );
  const text = summary ?? summarize(fields, (name) => shownValue(form, fields, name));
  const blank = none ?? ui.t("forms.not_set");
  const parts = fields.map(({ options: _options, ...part }) => part);
  const followed = summary === undefined
    ? { [SUMMARY_PARTS]: JSON.stringify(parts), [SUMMARY_NONE]: blank }
    : {};
  return (
    <details id={id} class="fold reveal" open={open || hasError}>
      <summary>
        <span class="fold-title">{title}</span>{" "}
        <span class="fold-summary" data-set={text !== "" || undefined} {...followed}>
          {text || blank}
        </span>
      </summary>
      <div class="form-fields">{children}</div>
    </details>
  );
}

/** Returns the value of a field as people see it; "" if it is not set. */
function shownValue({ values }: FormState, fields: readonly FoldedField[], name: string): string {
  const [list, member] = name.split(".*.");
  if (member) {
    return rowNumbers(values, list).map((number) => values[`${list}.${number}.${member}`])
      .filter(Boolean).join(", ");
  }
  const options = fields.find((field) => field.name === name)?.options;
  if (!options) return values[name] === "false" ? "" : values[name] ?? "";
  const rows = rowNumbers(values, name).map((number) => values[`${name}.${number}`]);
  const chosen = [values[name], ...rows];
  return options.filter(({ value }) => chosen.includes(String(value)))
    .map(({ label }) => label).join(", ");
}
