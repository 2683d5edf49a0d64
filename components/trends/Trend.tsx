import type { ComponentChildren } from "preact";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { End } from "../../lib/tasks/trends/schema.ts";

interface TrendProps {
  ui: Ui;
  id: string;
  title: string;
  /** Summary of the chart in a sentence. */
  result: string | null;
  legend: { look: BarKind; text: string; href?: string }[];
  /** Labels of the first and the last bar. */
  ends: [first: string, last: string];
  /** Part of the chart's width that its bars take up. */
  width?: number;
  chart: ComponentChildren;
  /** Data of the chart as a table, for everyone. */
  table: ComponentChildren;
}

/** A chart with its legend, and the table that it is drawn from. */
export function Trend(
  { ui, id, title, result, legend, ends, width = 1, chart, table }: TrendProps,
) {
  return (
    <section id={id} class="trend" aria-labelledby={`${id}-title`}>
      <div class="trend-head">
        <h2 id={`${id}-title`}>{title}</h2>
        {result && <span>{result}</span>}
      </div>
      {chart}
      <svg class="trend-ends" width="100%" height="20" aria-hidden="true">
        <text x="0" y="15">{ends[0]}</text>
        <text x={`${100 * width}%`} y="15" text-anchor="end">{ends[1]}</text>
      </svg>
      <ul class="trend-legend">
        {legend.map(({ look, text, href }) => (
          <li>
            <Swatch chart={`${id}-chart`} look={look} /> {href ? <a href={href}>{text}</a> : text}
          </li>
        ))}
      </ul>
      <details id={`${id}-table`} class="reveal">
        <summary>{ui.t("trends.table")}</summary>
        {table}
      </details>
    </section>
  );
}

/** Result of a task, or that it has not ended. */
export type BarKind = End | "open";

/** Patterns that distinguish the results without color: solid, hatched, hollow, dotted. */
const MARKS: Record<BarKind, ComponentChildren> = {
  success: null,
  error: <path d="M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2" />,
  stopped: null,
  open: <circle cx="3" cy="3" r="1" />,
};

/** The fill patterns of a chart's bars. */
export const Swatches = ({ chart }: { chart: string }) => (
  <defs>
    {Object.entries(MARKS).map(([look, mark]) => (
      <pattern
        id={`${chart}-${look}`}
        class={`fill fill-${look}`}
        width="6"
        height="6"
        patternUnits="userSpaceOnUse"
      >
        <rect width="6" height="6" />
        {mark}
      </pattern>
    ))}
  </defs>
);

/** Returns the attributes that make a rectangle a bar of a chart. */
export const barStyle = (chart: string, look: BarKind) => ({
  class: `bar bar-${look}`,
  fill: `url(#${chart}-${look})`,
});

/** Sample of a bar in the legend. */
const Swatch = ({ chart, look }: { chart: string; look: BarKind }) => (
  <svg class="swatch" width="12" height="12" aria-hidden="true">
    <rect x="1" y="1" width="10" height="10" {...barStyle(chart, look)} />
  </svg>
);
