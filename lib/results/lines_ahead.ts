import type { LineRange } from "../execution/log/marks.ts";
import type { HostResult, RunEvent } from "../execution/run/events.ts";

const RESULTS_MAX = 20_000;

/**
 * Collects the lines that were printed for results before these arrived, such as those of a loop's
 * items.
 */
export function linesAhead() {
  const ranges = new Map<string, LineRange>();
  const placeOf = ({ uuid, host }: { uuid: string; host: string }) => `${uuid} ${host}`;
  return {
    add(event: Extract<RunEvent, { type: "line" }>): void {
      if (!event.lines) return;
      const place = placeOf(event);
      const { from, to } = event.lines;
      const known = ranges.get(place);
      if (known) known.to = to;
      else if (ranges.size < RESULTS_MAX) ranges.set(place, { from, to });
    },
    /** Returns the first and last line that were printed for a result. */
    linesOf(result: HostResult): LineRange | null {
      const ahead = ranges.get(placeOf(result));
      ranges.delete(placeOf(result));
      if (!ahead) return result.lines;
      return { from: ahead.from, to: result.lines?.to ?? ahead.to };
    },
    clear: () => ranges.clear(),
  };
}
