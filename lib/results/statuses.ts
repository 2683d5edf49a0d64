import type { HostRecap, ResultStatus } from "../execution/run/events.ts";

/** Statuses of a host, from worst to best. A host has the worst of its results. */
export const HOST_STATUSES = ["unreachable", "failed", "changed", "ok", "skipped"] as const;
export type HostStatus = (typeof HOST_STATUSES)[number];

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
