import type { HostRecap, ResultStatus } from "../execution/run/events.ts";

/** What a host is shown as: the worst of what happened there. From worst to best. */
export const HOST_STATUSES = ["unreachable", "failed", "changed", "ok", "skipped"] as const;
export type HostStatus = (typeof HOST_STATUSES)[number];

/** One sign a status, for many of them in a row; "." stands for no result. */
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

/** The worst that a host's recap tells. */
export function hostStatus(recap: HostRecap): HostStatus {
  const found = HOST_STATUSES.find((status) => recap[status] > 0);
  return found ?? "ok";
}

/** Hosts with the worst ones first, and else by name. */
export const worstFirst = <Host extends { name: string; status: HostStatus }>(
  hosts: Host[],
): Host[] =>
  hosts.toSorted((a, b) =>
    HOST_STATUSES.indexOf(a.status) - HOST_STATUSES.indexOf(b.status) ||
    a.name.localeCompare(b.name, "en", { numeric: true })
  );
