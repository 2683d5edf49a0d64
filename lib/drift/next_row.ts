import { isCovered } from "./rows.ts";
import type { DriftRow, UncheckedRow } from "../model/drift_row.ts";
import type { CheckedHost } from "./state.ts";

/** The observation of a host by a task. */
interface Observation extends CheckedHost {
  host: string;
  template_id: number;
  task_id: number;
  /** The check that included the host, and the host's number in it; null for another task. */
  check: { id: number; host_id: number } | null;
  /** Milliseconds since the epoch. */
  at: number;
  commit: string | null;
  change_ids: string[];
  change_tasks: string[];
  unchecked: UncheckedRow | null;
  left_out: number;
}

/** Effect of a host's state on alerts. */
export type DriftChange = "drifted" | "back" | null;

interface Next {
  row: DriftRow;
  change: DriftChange;
}

/**
 * Returns the row after an observation. An earlier observation, whose task was stored late, changes
 * no state.
 */
export function nextRow(before: DriftRow | null, seen: Observation): Next {
  const { state, changes, partial, change_ids, task_id, check, at, commit } = seen;
  if (before && at < before.checked) {
    const isLater = check !== null && check.id > before.check_id;
    return { row: isLater ? { ...before, ...numbersOf(check) } : before, change: null };
  }
  const isSame = before?.state === state;
  const row: DriftRow = {
    host: seen.host,
    template_id: seen.template_id,
    state,
    since: isSame ? before.since : at,
    since_task: isSame ? before.since_task : task_id,
    checked: at,
    first_checked: before?.first_checked ?? at,
    last_described: state === "as_described" ? at : before?.last_described ?? null,
    task_id,
    check_id: before?.check_id ?? 0,
    host_id: before?.host_id ?? 0,
    ...check && numbersOf(check),
    commit,
    changes,
    change_ids,
    partial,
    told: before?.told ?? false,
  };
  if (seen.change_tasks.length > 0) row.change_tasks = seen.change_tasks;
  if (seen.unchecked && partial) row.unchecked = seen.unchecked;
  if (seen.left_out > 0) row.left_out = seen.left_out;
  if (before?.turned_by) row.turned_by = before.turned_by;
  if (before?.auto_fix && state !== "as_described") row.auto_fix = before.auto_fix;
  const accepted = before?.accepted;
  if (
    accepted && state !== "as_described" && (state !== "would_change" || isCovered(row, accepted))
  ) {
    row.accepted = accepted;
  }
  if (before?.tell_again && state !== "as_described") row.tell_again = true;
  const change = changeOf(row);
  if (change === "drifted") delete row.tell_again;
  return { change, row: { ...row, told: isReported(row), ...change && { turned_by: task_id } } };
}

const numbersOf = ({ id, host_id }: { id: number; host_id: number }) => ({
  check_id: id,
  host_id,
});

/**
 * A difference is reported once, until the host matches again. An accepted one is not reported, but
 * is again if it lasts longer than its acceptance.
 */
function changeOf({ state, accepted, told, tell_again }: DriftRow): DriftChange {
  if (state === "would_change" && !accepted && (!told || tell_again)) return "drifted";
  return state === "as_described" && told ? "back" : null;
}

const isReported = ({ state, accepted, told }: DriftRow): boolean =>
  state === "would_change" ? told || !accepted : state !== "as_described" && told;
