import type { Ui } from "../../lib/i18n/ui.ts";

/** Returns "A runner with the label dmz"; empty without labels. */
export const runnerWith = (ui: Ui, labels: readonly string[]): string =>
  labels.length === 0
    ? ""
    : ui.t("placement.with_labels", { count: labels.length, labels: labels.join(", ") });
