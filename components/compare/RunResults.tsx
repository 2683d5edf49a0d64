import { HostDifferences } from "./HostDifferences.tsx";
import { placesOver } from "./places.ts";
import { TaskDurations } from "./TaskDurations.tsx";
import type { Pair, ResultsPart } from "../../lib/compare/schema.ts";
import type { Ui } from "../../lib/i18n/ui.ts";

interface RunResultsProps extends Pair {
  ui: Ui;
  /** Complete path of the page. */
  page: string;
  results: ResultsPart;
}

/** Results and durations of both tasks on their hosts, where they differ. */
export function RunResults({ ui, page, run, base, results }: RunResultsProps) {
  const { untold, told } = results;
  const shown = { ui, run, base, places: placesOver(ui, page, { run, base }) };
  return (
    <>
      <section id="compare-results" aria-labelledby="compare-results-title">
        <h2 id="compare-results-title">{ui.t("compare.results")}</h2>
        {untold.map((id) => <p key={id}>{ui.t("compare.untold", { id })}</p>)}
        {told?.gaps.map((gap, n) => (
          <p key={n} class="text-muted">{ui.tell({ key: "compare.gap", params: { ...gap } })}</p>
        ))}
        {told && <HostDifferences {...shown} told={told} />}
      </section>
      {told && (
        <section id="compare-durations" aria-labelledby="compare-durations-title">
          <h2 id="compare-durations-title">{ui.t("compare.durations")}</h2>
          <TaskDurations {...shown} told={told} />
        </section>
      )}
    </>
  );
}
