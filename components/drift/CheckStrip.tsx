import { DrawnTitle } from "@/components/ui/DrawnTitle.tsx";
import type { TemplateDrift } from "@/lib/drift/schema.ts";
import type { Ui } from "@/lib/i18n/ui.ts";

const [STEP, HEIGHT] = [6, 20];

/**
 * The last checks of a template, latest on the right. A bar has the share of hosts that differ
 * above the share that is not known. A check without results of all hosts has a dashed line.
 */
export function CheckStrip({ ui, checks }: { ui: Ui; checks: TemplateDrift["checks"] }) {
  const last = checks.at(-1);
  if (!last) return null;
  const width = checks.length * STEP;
  const text = ui.t("drift.strip", {
    checks: checks.length,
    first: checks[0].hosts.would_change,
    last: last.hosts.would_change,
  });
  return (
    <svg
      class="check-strip"
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={text}
    >
      <DrawnTitle text={text} />
      {checks.map((check, n) => <Bar key={n} check={check} x={n * STEP} />)}
    </svg>
  );
}

function Bar(
  { check: { hosts, complete }, x }: { check: TemplateDrift["checks"][number]; x: number },
) {
  const total = Math.max(1, Object.values(hosts).reduce((sum, count) => sum + count, 0));
  // One host of thousands is visible, too.
  const part = (count: number) => count === 0 ? 0 : Math.max(2, (HEIGHT - 2) * count / total);
  const differs = Math.min(HEIGHT - 2, part(hosts.would_change));
  const unsure = Math.min(HEIGHT - 2 - differs, part(hosts.unknown + hosts.not_reached));
  return (
    <>
      <rect class="check-base" x={x} y={HEIGHT - 2} width={STEP - 2} height={2} />
      <rect
        class="check-unsure"
        x={x}
        y={HEIGHT - 2 - differs - unsure}
        width={STEP - 2}
        height={unsure}
      />
      <rect
        class="check-differs"
        x={x}
        y={HEIGHT - 2 - differs}
        width={STEP - 2}
        height={differs}
      />
      {!complete && <path class="check-early" d={`m${x} 1h${STEP - 2}`} />}
    </>
  );
}
