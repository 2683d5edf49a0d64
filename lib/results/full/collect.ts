import type { HostResult, ResultStatus } from "../../execution/run/events.ts";
import type { FullResult } from "../../execution/run/full_result.ts";
import type { Row } from "../bands.ts";
import { texts } from "../texts.ts";

/**
 * Share of the room that may be taken when a result is added. Successful results leave room for
 * changes, and both leave room for failures, which may come last.
 */
const SHARES: Partial<Record<ResultStatus, number>> = {
  failed: 1,
  unreachable: 1,
  rescued: 1,
  ignored: 1,
  changed: 0.8,
};
const SHARE = 0.5;

/** Collects module answers, at most `bytesMax` before compression. */
export function fullResults(bytesMax: number) {
  const kept = texts<FullResult>("full", bytesMax);
  let dropped = 0;
  return {
    /** Adds an answer. Returns its number; 0 if it is not stored. */
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
