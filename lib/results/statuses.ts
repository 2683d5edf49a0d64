import type { HostRecap, ResultStatus } from "../execution/run/events.ts";
import type { HostRow } from "./rows.ts";

/** Statuses of results in groups of equal severity, worst first. */
const BY_SEVERITY = [
  ["unreachable", "failed"],
  // Failures that the play continued after.
  ["rescued", "ignored"],
  ["changed"],
  ["ok", "included", "skipped"],
] as const satisfies ResultStatus[][];

export const WORST_FIRST: readonly ResultStatus[] = BY_SEVERITY.flat();
/** The statuses of failures that ended the play for their host. */
export const FAILURES = BY_SEVERITY[0];

/** Whether a result among those that were counted is such a failure. */
export const hasFailures = (
  { counts }: { counts: Partial<Record<ResultStatus, number>> },
): boolean => FAILURES.some((status) => counts[status]);

const SEVERITIES = new Map<ResultStatus, number>(
  BY_SEVERITY.flatMap((group, severity) => group.map((status) => [status, severity] as const)),
);
/** Returns the severity of a status; 0 is the worst. */
export const severityOf = (status: ResultStatus): number => SEVERITIES.get(status)!;

export const isFailure = (status: ResultStatus): boolean => severityOf(status) === 0;
/** Whether it is a failure that the play continued after. */
export const isHandledFailure = (status: ResultStatus): boolean => severityOf(status) === 1;

/** Returns the worst status that was counted; null if there is none. */
export const worstOf = (
  counts: Partial<Record<ResultStatus, number>>[],
): ResultStatus | null =>
  WORST_FIRST.find((status) => counts.some((counted) => counted[status])) ?? null;

export type HostStatus = Exclude<ResultStatus, "rescued" | "ignored" | "included">;
/** Statuses of a host, worst first. A host has the worst of its results. */
export const HOST_STATUSES = WORST_FIRST.filter((status): status is HostStatus =>
  !isHandledFailure(status) && status !== "included"
);

/** One character per status, to write many of them in a row; "." stands for no result. */
export const STATUS_SIGNS: Record<ResultStatus, string> = {
  ok: "o",
  changed: "c",
  skipped: "s",
  failed: "f",
  unreachable: "u",
  rescued: "r",
  ignored: "i",
  included: "n",
};

/** Returns the worst status in a host's recap. */
export function hostStatus(recap: HostRecap): HostStatus {
  const found = HOST_STATUSES.find((status) => recap[status] > 0);
  return found ?? "ok";
}

/** Sorts hosts by status, worst first, then by name. */
export const worstFirst = <Host extends { name: string; status: HostStatus }>(
  hosts: Host[],
): Host[] =>
  hosts.toSorted((a, b) =>
    HOST_STATUSES.indexOf(a.status) - HOST_STATUSES.indexOf(b.status) ||
    a.name.localeCompare(b.name, "en", { numeric: true })
  );

/** Returns how many results the real execution would change on a host, by its row in check mode. */
export const countPredicted = (
  { changed, carried_out = 0 }: Pick<HostRow, "changed" | "carried_out">,
): number => Math.max(0, changed - carried_out);

/** Whether the real execution would change a host, according to its row in check mode. */
export const wouldChange = (host: Pick<HostRow, "changed" | "carried_out">): boolean =>
  countPredicted(host) > 0;
