import type { LineRange } from "../execution/log/marks.ts";
import { type HostResult, RECAP_COUNTS } from "../execution/run/events.ts";
import type { HostRow, PlayTaskRow } from "./rows.ts";

/** Increments the count of a name. */
export function countOne<K extends string>(counts: Partial<Record<K, number>>, name: K): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** Counts a result for its Ansible task. */
export function addToTask(
  task: PlayTaskRow,
  host: HostRow,
  { status, unchecked, carriedOut, changed, began, ended }: HostResult,
  lines: LineRange | null,
): void {
  countOne(task.counts, status);
  if (unchecked) task.unchecked = (task.unchecked ?? 0) + 1;
  if (carriedOut) task.carried_out = (task.carried_out ?? 0) + 1;
  if (carriedOut && changed) task.carried_out_changed = (task.carried_out_changed ?? 0) + 1;
  task.ended = Math.max(task.ended, ended);
  if (lines) {
    task.line ??= lines.from;
    task.last_line = Math.max(task.last_line ?? 0, lines.to);
  }
  const ms = ended - began;
  if (!task.slowest || ms > task.slowest.ms) task.slowest = { host: host.id, ms };
}

/**
 * Counts a result for its host, as Ansible's recap does. Changed results and ignored failures also
 * count as ok. Included files are not counted.
 */
export function addToHost(
  host: HostRow,
  { status, changed, carriedOut, began, ended }: HostResult,
): void {
  host.began = Math.min(host.began, began);
  host.ended = Math.max(host.ended, ended);
  host.busy_ms = Math.min(host.busy_ms + ended - began, Number.MAX_SAFE_INTEGER);
  const isOk = status === "ok" || status === "changed" || status === "ignored";
  if (isOk) host.ok++;
  if (isOk && changed) host.changed++;
  if (isOk && changed && carriedOut) host.carried_out = (host.carried_out ?? 0) + 1;
  const other = RECAP_COUNTS.find((name) => name === status && name !== "ok" && name !== "changed");
  if (other) host[other]++;
}
