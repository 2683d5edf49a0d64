import type { HostPlace, HostsState } from "@/lib/hosts/schema.ts";

/** Address of a list of hosts, without parameters that have their default value. */
export function hostsAddress(
  path: string,
  { q, sort, isTurned }: HostsState,
  after: HostPlace | null = null,
): string {
  const query = new URLSearchParams();
  if (q !== "") query.set("q", q);
  if (sort !== "name") query.set("sort", sort);
  if (isTurned) query.set("order", "turned");
  if (after) {
    query.set("rank", String(after.rank));
    query.set("after", after.name);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}
