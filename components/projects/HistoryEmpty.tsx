import type { Ui } from "../../lib/i18n/ui.ts";
import type { HistoryQuery } from "@/routes/(_pages)/history.ts";
import { EmptyState } from "../ui/lists/EmptyState.tsx";
import { type FilterChoices, isFiltered } from "./HistoryFilter.tsx";

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
  const filter = filterText(ui, query, choices);
  return (
    <EmptyState icon="filter" title={ui.t("history.no_match", { filter })}>
      <a href={clear} data-stay>{ui.t("history.show_all")}</a>
    </EmptyState>
  );
}

/** Describes the filter in words: "Template: Deploy, Status: Failed". */
function filterText(
  ui: Ui,
  { template, by, trigger, runner, workflow, status, from, to }: HistoryQuery,
  { templates, people, runners, workflows }: FilterChoices,
): string {
  const personText = (id: number) => {
    const person = people.get(id);
    return person ? ui.person(person) : `#${id}`;
  };
  const parts = {
    template: template && templates.find(({ id }) => id === template)?.name,
    by: typeof by === "number" ? personText(by) : by && ui.t(`history.by.${by}`),
    trigger: trigger && ui.t(`tasks.trigger.${trigger}`),
    runner: runner && (runners.get(runner) ?? `#${runner}`),
    workflow: workflow && (workflows.get(workflow) ?? `#${workflow}`),
    status: status?.map((one) => ui.t(`tasks.status.${one}`)).join(" / "),
    from: from && ui.day(from),
    to: to && ui.day(to),
  };
  return ui.list(
    Object.entries(parts).flatMap(([name, value]) =>
      value ? ui.labelled(ui.t(`history.filter.${name}`), value) : []
    ),
  );
}
