import { DrawnTitle } from "../ui/DrawnTitle.tsx";
import { type BarKind, barStyle, Swatches } from "./Trend.tsx";

/** One segment of a stacked bar. */
interface Segment {
  look: BarKind;
  value: number;
  /** Text shown on hover. */
  title: string;
  href: string;
}

interface Bar {
  id: string;
  /** From bottom to top. */
  segments: Segment[];
}

export interface BarChartProps {
  id: string;
  bars: Bar[];
  /** Number of bars that fit. Fewer bars start at the left. */
  slots: number;
  /** Label of the highest bar's value. */
  highest: string;
  /** Effect of its links if there is a script: see docs/development.md. */
  mark?: "over" | "push";
}

/** In pixels. */
const HEIGHT = 88;
/** Space above the bars for the label of the highest one. */
const HEAD = 16;
/** Minimum height that keeps a small value visible. */
const LEAST = 3;

/**
 * A bar chart with links, drawn on the server. It is for sighted users with a pointer only, because
 * a table beside it has the same values and links.
 */
export function BarChart({ id, bars, slots, highest, mark }: BarChartProps) {
  const heightOf = (value: number) => Math.max(LEAST, (value / top) * (HEIGHT - HEAD));
  const top = Math.max(1, ...bars.map(({ segments }) => sumOf(segments)));
  const width = 100 / slots;
  return (
    <svg class="bar-chart" width="100%" height={HEIGHT} aria-hidden="true">
      <Swatches chart={id} />
      <line class="bar-top" x1="0" x2="100%" y1={HEAD} y2={HEAD} />
      <text x="0" y={HEAD - 4}>{highest}</text>
      {bars.map((bar, n) => {
        const x = `${(n + 0.1) * width}%`;
        let ground = HEIGHT;
        return (
          <g id={`${id}-${bar.id}`}>
            {bar.segments.filter(({ value }) => value > 0).map(({ look, value, title, href }) => {
              const height = heightOf(value);
              ground -= height;
              return (
                <a
                  href={href}
                  tabIndex={-1}
                  data-over={mark === "over" ? true : undefined}
                  data-stay={mark === "push" ? "push" : undefined}
                >
                  <DrawnTitle text={title} />
                  <rect
                    {...{ x, y: ground, height }}
                    width={`${width * 0.8}%`}
                    {...barStyle(id, look)}
                  />
                </a>
              );
            })}
          </g>
        );
      })}
      <line class="bar-ground" x1="0" x2="100%" y1={HEIGHT} y2={HEIGHT} />
    </svg>
  );
}

const sumOf = (segments: Segment[]) => segments.reduce((sum, { value }) => sum + value, 0);
