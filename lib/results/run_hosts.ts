import { emptyRecap } from "../execution/run/events.ts";
import { bands } from "./bands.ts";
import type { HostRow } from "./rows.ts";

/** What one run may have; what is of others is counted as lost. */
const HOSTS_MAX = 10_000;

/** The hosts of a run, in the order in which it comes to them. */
export function runHosts() {
  const hosts = bands<HostRow>("hosts");
  const ids = new Map<string, number>();
  return {
    /** The host, which the caller changes; null when there is no room for it. */
    at(name: string, time: number): HostRow | null {
      const known = ids.get(name);
      if (known !== undefined) return hosts.change(known);
      if (hosts.size() >= HOSTS_MAX) return null;
      const id = hosts.size() + 1;
      ids.set(name, id);
      return hosts.add({ id, name, ...emptyRecap(), began: time, ended: time, busy_ms: 0 });
    },
    size: hosts.size,
    rows: hosts.take,
  };
}
