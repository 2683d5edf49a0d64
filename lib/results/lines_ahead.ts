import type { LineRange } from "../execution/log/marks.ts";
import type { HostResult, RunEvent } from "../execution/run/events.ts";

const RESULTS_MAX = 20_000;

/** Lines that were printed for results before these were there: of a loop's items, say. */
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
    /** From the first line that was printed for a result to the last one. */
    linesOf(result: HostResult): LineRange | null {
      const ahead = ranges.get(placeOf(result));
      ranges.delete(placeOf(result));
      if (!ahead) return result.lines;
      return { from: ahead.from, to: result.lines?.to ?? ahead.to };
    },
    clear: () => ranges.clear(),
  };
}
