import type { HostRow, PlayTaskRow, ResultHead } from "../results/rows.ts";
import { countPredicted, FAILURES } from "../results/statuses.ts";
import type { DriftState } from "../model/drift_row.ts";

/** Whether a host is as a template describes it. */
export const DRIFT_STATES = [
  "as_described",
  "would_change",
  "unknown",
  "not_reached",
] as const satisfies readonly DriftState[];

/** States as lists show them, worst first. An accepted difference is counted apart. */
export const SHOWN_STATES = [
  "would_change",
  "not_reached",
  "unknown",
  "accepted",
  "as_described",
] as const;
export type ShownState = (typeof SHOWN_STATES)[number];

/** Orders of states: the worst first, or by the names of the hosts. */
export const DRIFT_ORDERS = ["worst", "host"] as const;
export type DriftOrder = (typeof DRIFT_ORDERS)[number];

/** State of a host after a check. */
export interface CheckedHost {
  state: DriftState;
  /** Number of Ansible tasks that would change it. */
  changes: number;
  /** Whether other parts of the play could not be checked on it. */
  partial: boolean;
}

type CheckedRow = Pick<
  HostRow,
  "changed" | "carried_out" | "unchecked" | "unreachable" | "failed" | "rescued" | "ignored"
>;

/**
 * Returns the state of a host by its results in check mode. A known difference is never hidden by
 * what could not be checked. A host is as described if some of the play was checked on it, and only
 * Ansible tasks without check mode were left out.
 */
export function checkedHost(
  host: CheckedRow,
  isCertain: boolean,
  isAnyChecked = true,
): CheckedHost {
  const changes = countPredicted(host);
  const failures = host.unreachable + host.failed + host.rescued + host.ignored;
  const partial = !isCertain || failures > 0 || (host.unchecked ?? 0) > 0;
  if (changes > 0) return { state: "would_change", changes, partial };
  if (host.unreachable > 0) return { state: "not_reached", changes, partial };
  const isKnown = isCertain && failures === 0 && (!partial || isAnyChecked);
  return { state: isKnown ? "as_described" : "unknown", changes, partial };
}

/**
 * Whether Ansible may have ended early: its last task failed on each host that it ran on. Other
 * batches and later plays were then left out, also for hosts without a failure. Ansible does not
 * report such an end.
 */
export function mayHaveEndedEarly(playTasks: Pick<PlayTaskRow, "counts">[]): boolean {
  const counted = Object.entries(playTasks.at(-1)?.counts ?? {}).filter(([, count]) => count > 0);
  return counted.length > 0 && counted.every(([status]) => FAILURES.some((one) => one === status));
}

type HeadOfEnd = Pick<ResultHead, "complete" | "lost" | "ended_early">;

/** Whether the plays of an execution reached their ends, and all results are stored. */
export const isWhole = (head: HeadOfEnd): boolean =>
  head.complete && head.lost === 0 && !head.ended_early;

/**
 * Whether results in check mode say what a real execution would do: they are whole, and the play
 * has no conditions on its mode.
 */
export const isCertainCheck = (
  head: HeadOfEnd & Pick<ResultHead, "check_mode">,
): boolean => isWhole(head) && head.check_mode?.length === 0;

/** Whether a real execution has made a host as its template describes it. */
export const isApplied = (
  { unreachable, failed, rescued, ignored }: CheckedRow,
  head: HeadOfEnd,
): boolean => isWhole(head) && unreachable + failed + rescued + ignored === 0;
