import { HostDifferences } from "./HostDifferences.tsx";
import { addressesInOverlay, type TaskAddresses } from "./addresses.ts";
import type {
  Pair,
  ResultDifferences,
  ResultsPart,
  TaskDuration,
} from "../../lib/compare/schema.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { RunHeading } from "./Facts.tsx";
import { taskName } from "../results/task_name.ts";
import type { TaskAddress } from "../tasks/task_address.ts";

interface RunResultsProps extends Pair {
  ui: Ui;
  /** Complete path of the page. */
  page: string;
  results: ResultsPart;
}

/** Results and durations of both tasks on their hosts, where they differ. */
export function RunResults({ ui, page, run, base, results }: RunResultsProps) {
  const { withoutResults, differences } = results;
  const shown = { ui, run, base, addresses: addressesInOverlay(ui, page, { run, base }) };
  return (
    <>
      <section id="compare-results" aria-labelledby="compare-results-title">
        <h2 id="compare-results-title">{ui.t("compare.results")}</h2>
        {withoutResults.map((id) => <p key={id}>{ui.t("compare.untold", { id })}</p>)}
        {differences?.gaps.map((gap, n) => (
          <p key={n} class="text-muted">{ui.tell({ key: "compare.gap", params: { ...gap } })}</p>
        ))}
        {differences && <HostDifferences {...shown} differences={differences} />}
      </section>
      {differences && (
        <section id="compare-durations" aria-labelledby="compare-durations-title">
          <h2 id="compare-durations-title">{ui.t("compare.durations")}</h2>
          <TaskDurations {...shown} differences={differences} />
        </section>
      )}
    </>
  );
}

interface TaskDurationsProps extends Pair {
  ui: Ui;
  addresses: TaskAddresses;
  differences: ResultDifferences;
}

/** Ansible tasks that took longer or shorter, the largest difference first. */
function TaskDurations({ ui, addresses, run, base, differences }: TaskDurationsProps) {
  const { durations, moreDurations } = differences;
  if (durations.length === 0) return <p>{ui.t("compare.durations_same")}</p>;
  const most = Math.max(...durations.map((its) => Math.abs(its.run.ms - its.base.ms)));
  return (
    <>
      <div class="table-frame">
        <table class="compare-table compare-results compare-times">
          <caption class="sr-only">{ui.t("compare.durations")}</caption>
          <thead>
            <tr>
              <th scope="col">{ui.t("results.play_task")}</th>
              <RunHeading ui={ui} task={run} />
              <RunHeading ui={ui} task={base} />
              <th scope="col">{ui.t("compare.difference")}</th>
            </tr>
          </thead>
          <tbody>
            {durations.map((duration, n) => (
              <tr key={n}>
                <th scope="row">{taskName(duration)}</th>
                <Taken {...{ ui, duration }} address={addresses.run} side="run" />
                <Taken {...{ ui, duration }} address={addresses.base} side="base" />
                <Difference {...{ ui, duration, most }} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {moreDurations > 0 && (
        <p class="text-muted">{ui.t("preview.and_more", { count: moreDurations })}</p>
      )}
    </>
  );
}

interface TakenProps {
  ui: Ui;
  address: TaskAddress;
  duration: TaskDuration;
  side: "run" | "base";
}

/** Duration in one of the two tasks, and the number of hosts if it differs. */
function Taken({ ui, address, duration, side }: TakenProps) {
  const { [side]: its, run, base } = duration;
  return (
    <td>
      <a href={address.href("timeline", { task: its.task })} aria-current="false" data-over>
        {ui.exactDuration(its.ms)}
      </a>
      {run.hosts !== base.hosts && (
        <span class="compare-on">{ui.t("preview.on_hosts", { count: its.hosts })}</span>
      )}
    </td>
  );
}

/** In pixels. */
const BAR_HEIGHT = 6;

/** The difference in duration. The bar is decoration for sighted users. */
function Difference(
  { ui, duration: { run, base }, most }: { ui: Ui; duration: TaskDuration; most: number },
) {
  const more = run.ms - base.ms;
  const sign = more > 0 ? "+" : "−";
  return (
    <td class={more > 0 ? "compare-slower" : "compare-faster"}>
      <span class="whitespace-nowrap">{sign + ui.exactDuration(Math.abs(more))}</span>{" "}
      {base.ms > 0 && (
        <span class="whitespace-nowrap text-muted">
          {sign + ui.percent(Math.abs(more) / base.ms)}
        </span>
      )}
      <svg class="compare-bar" width="100%" height={BAR_HEIGHT} aria-hidden="true">
        <rect width={`${(100 * Math.abs(more) / most).toFixed(1)}%`} height={BAR_HEIGHT} rx="2" />
      </svg>
    </td>
  );
}
