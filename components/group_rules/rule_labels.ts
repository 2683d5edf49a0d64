import type { FormState } from "../../lib/web/forms/form.ts";
import { rowNumbers } from "../../lib/web/forms/rows.ts";
import type { Ui } from "../../lib/i18n/ui.ts";

/** Name of the list in the form. */
export const RULES = "rules";

export const labelsOf = (ui: Ui) => ({
  provider: ui.t("group_rules.provider"),
  claim: ui.t("group_rules.claim"),
  value: ui.t("group_rules.value"),
  gives: ui.t("group_rules.gives"),
  project_id: ui.t("group_rules.project"),
});

/** Labels of all rules of a form, each with its position. */
export const ruleLabels = (ui: Ui, { values }: FormState): Record<string, string> =>
  Object.fromEntries(
    rowNumbers(values, RULES).flatMap((number, index) =>
      Object.entries(labelsOf(ui)).map(([field, label]) => [
        `${RULES}.${number}.${field}`,
        `${ui.t("group_rules.rule", { number: index + 1 })}, ${label}`,
      ])
    ),
  );
