import { DrawnTitle } from "@/components/ui/DrawnTitle.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ProjectHost } from "@/lib/hosts/schema.ts";
import { isFailure } from "@/lib/results/statuses.ts";

type RunSummary = ProjectHost["runs"][number];

const [WIDTH, HEIGHT] = [6, 16];

/**
 * Changes that the last tasks made on a host, latest on the right: one bar each, with a cross for a
 * failure.
 */
export function ChangeStrip({ ui, runs }: { ui: Ui; runs: RunSummary[] }) {
  const changes = runs.reduce((sum, { changed }) => sum + changed, 0);
  const failed = runs.filter(({ status }) => isFailure(status)).length;
  const said = ui.list([
    ui.t("hosts.changes", { count: changes }),
    ui.t("hosts.in_runs", { count: runs.length }),
    ...failed > 0 ? [ui.t("hosts.failed_runs", { count: failed })] : [],
  ]);
  const width = runs.length * WIDTH;
  return (
    <span class="change-strip">
      <svg
        width={width}
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={said}
      >
        <DrawnTitle text={said} />
        {runs.map((run, n) => <Bar key={n} run={run} x={width - (n + 1) * WIDTH} />)}
      </svg>
      <span aria-hidden="true">{ui.number(changes)}</span>
    </span>
  );
}

function Bar({ run, x }: { run: RunSummary; x: number }) {
  if (isFailure(run.status)) {
    return <path class="change-failed" d={`m${x} ${HEIGHT - 5} 4 4m0-4-4 4`} />;
  }
  // Doubling the number of changes adds two pixels, so that one is visible and a hundred still fit.
  const height = run.changed === 0 ? 1 : Math.min(HEIGHT, 4 + 2 * Math.log2(run.changed));
  return (
    <rect
      class={run.changed === 0 ? "change-none" : "change-some"}
      x={x}
      y={HEIGHT - height}
      width={WIDTH - 2}
      height={height}
    />
  );
}
