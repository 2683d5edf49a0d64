import type { ComponentChildren } from "preact";
import { type Look, Swatch } from "./Swatches.tsx";
import type { Ui } from "../../lib/i18n/ui.ts";

interface TrendProps {
  ui: Ui;
  id: string;
  title: string;
  /** Summary of the chart in a sentence. */
  result: string | null;
  legend: { look: Look; text: string; href?: string }[];
  /** Labels of the chart's left and right ends. */
  ends: [first: string, last: string];
  chart: ComponentChildren;
  /** Data of the chart as a table, for everyone. */
  table: ComponentChildren;
}

/** A chart with its legend, and the table that it is drawn from. */
export function Trend({ ui, id, title, result, legend, ends, chart, table }: TrendProps) {
  return (
    <section id={id} class="trend" aria-labelledby={`${id}-title`}>
      <div class="trend-head">
        <h2 id={`${id}-title`}>{title}</h2>
        {result && <span>{result}</span>}
      </div>
      {chart}
      <p class="trend-ends" aria-hidden="true">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </p>
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
