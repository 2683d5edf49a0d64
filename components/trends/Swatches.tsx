import type { ComponentChildren } from "preact";
import type { End } from "../../lib/tasks/trends/schema.ts";

/** How a run ended, or that it has not. */
export type Look = End | "open";

/** What tells ends apart beside their colours: whole, hatched, hollow, dotted. */
const MARKS: Record<Look, ComponentChildren> = {
  success: null,
  error: <path d="M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2" />,
  stopped: null,
  open: <circle cx="3" cy="3" r="1" />,
};

/** The fills of a chart's bars. */
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

/** What makes a rectangle a bar of a chart. */
export const barLook = (chart: string, look: Look) => ({
  class: `bar bar-${look}`,
  fill: `url(#${chart}-${look})`,
});

/** What a word of the legend stands for. */
export const Swatch = ({ chart, look }: { chart: string; look: Look }) => (
  <svg class="swatch" width="12" height="12" aria-hidden="true">
    <rect x="1" y="1" width="10" height="10" {...barLook(chart, look)} />
  </svg>
);
