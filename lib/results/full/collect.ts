import type { HostResult, ResultStatus } from "../../execution/run/events.ts";
import type { FullResult } from "../../execution/run/full_result.ts";
import type { Row } from "../bands.ts";
import { texts } from "../texts.ts";

/**
 * How much of the room a result may find taken: what went well leaves some for changes, and both
 * leave some for failures, which may come last.
 */
const SHARES: Partial<Record<ResultStatus, number>> = {
  failed: 1,
  unreachable: 1,
  rescued: 1,
  ignored: 1,
  changed: 0.8,
};
const SHARE = 0.5;

/** All that modules answered, in `bytesMax` at most before it is packed. */
export function fullResults(bytesMax: number) {
  const kept = texts<FullResult>("full", bytesMax);
  let dropped = 0;
  return {
    /** Its number; 0 where it is not kept. */
    add({ full, status }: HostResult): number {
      if (full === undefined || bytesMax === 0) return 0;
      const number = full && kept.add(full, SHARES[status] ?? SHARE);
      if (!number) dropped++;
      return number ?? 0;
    },
    dropped: () => dropped,
    rows: kept.take as () => Row[],
  };
}
