import type { ComponentChildren } from "preact";
import type { End } from "../../lib/tasks/trends/schema.ts";

/** Result of a task, or that it has not ended. */
export type Look = End | "open";

/** Patterns that distinguish the results without color: solid, hatched, hollow, dotted. */
const MARKS: Record<Look, ComponentChildren> = {
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
export const barLook = (chart: string, look: Look) => ({
  class: `bar bar-${look}`,
  fill: `url(#${chart}-${look})`,
});

/** Sample of a bar in the legend. */
export const Swatch = ({ chart, look }: { chart: string; look: Look }) => (
  <svg class="swatch" width="12" height="12" aria-hidden="true">
    <rect x="1" y="1" width="10" height="10" {...barLook(chart, look)} />
  </svg>
);
