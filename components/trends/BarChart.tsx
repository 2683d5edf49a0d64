import { DrawnTitle } from "../ui/DrawnTitle.tsx";
import { barLook, type Look, Swatches } from "./Swatches.tsx";

/** One value of a bar. */
interface Segment {
  look: Look;
  value: number;
  /** Told where it is pointed at. */
  title: string;
  href: string;
}

interface Bar {
  id: string;
  /** From the ground up. */
  segments: Segment[];
}

interface BarChartProps {
  id: string;
  bars: Bar[];
  /** Bars that there is room for: fewer stand at the end. */
  slots: number;
  /** What the highest bar's value is called. */
  highest: string;
  /** What its links do where a script is: see CONTRIBUTING. */
  mark: "over" | "push";
}

/** In pixels. */
const HEIGHT = 88;
/** Room above the bars for what the highest is called. */
const HEAD = 16;
/** What is there can be seen. */
const LEAST = 3;

/**
 * Bars that lead somewhere, drawn on the server. For those who see and point only: a table beside it
 * has the same values, and the same links, for everybody.
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
        const x = `${(slots - bars.length + n + 0.1) * width}%`;
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
                    {...barLook(id, look)}
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
