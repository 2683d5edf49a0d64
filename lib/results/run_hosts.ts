import { emptyRecap, type HostRecap } from "../execution/run/events.ts";
import { bands } from "./bands.ts";
import type { HostRow } from "./rows.ts";

/** Maximum number of hosts. The results of further ones count as lost. */
const HOSTS_MAX = 10_000;

/** Collects the hosts of an execution in order of appearance. */
export function runHosts() {
  const hosts = bands<HostRow>("hosts");
  const ids = new Map<string, number>();

  /** Returns the host for the caller to change; null if there is no room for it. */
  function at(name: string, time: number): HostRow | null {
    const known = ids.get(name);
    if (known !== undefined) return hosts.change(known);
    if (hosts.size() >= HOSTS_MAX) return null;
    const id = hosts.size() + 1;
    ids.set(name, id);
    return hosts.add({ id, name, ...emptyRecap(), began: time, ended: time, busy_ms: 0 });
  }

  return {
    at,
    idOf: (name: string) => ids.get(name),
    /** Counts an include, which is ok in the recap once for each file. */
    include(names: string[], time: number): void {
      for (const name of names) {
        const host = at(name, time);
        if (host) host.ok++;
      }
    },
    /** Replaces the counts with Ansible's own, which are right even if events were lost. */
    correct(recaps: Map<string, HostRecap>, time: number): void {
      for (const [name, recap] of recaps) Object.assign(at(name, time) ?? {}, recap);
    },
    size: hosts.size,
    rows: hosts.take,
  };
}
