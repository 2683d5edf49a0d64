import type { Ui } from "../../lib/i18n/ui.ts";
import type { HistoryQuery } from "@/routes/(_pages)/history.ts";
import { EmptyState } from "../ui/lists/EmptyState.tsx";
import { type FilterChoices, filterTexts, isFiltered } from "./HistoryFilter.tsx";

interface HistoryEmptyProps extends FilterChoices {
  ui: Ui;
  query: HistoryQuery;
  /** Complete path of the page without its query. */
  clear: string;
}

/** Shown if the history is empty, or if no task matches the filter. */
export function HistoryEmpty({ ui, query, clear, ...choices }: HistoryEmptyProps) {
  if (!isFiltered(query)) {
    return (
      <EmptyState icon="dashboard" title={ui.t("dashboard.empty.title")}>
        {ui.t("dashboard.empty.text")}
      </EmptyState>
    );
  }
  const filter = ui.list(
    Object.entries(filterTexts(ui, query, choices)).flatMap(([name, value]) =>
      value ? ui.labelled(ui.t(`history.filter.${name}`), value) : []
    ),
  );
  return (
    <EmptyState icon="filter" title={ui.t("history.no_match", { filter })}>
      <a href={clear} data-stay>{ui.t("history.show_all")}</a>
    </EmptyState>
  );
}
