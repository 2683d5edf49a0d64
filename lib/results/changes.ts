import type { Row } from "./bands.ts";
import type { ChangeRow } from "./rows.ts";

/** Maximum number of hosts in a row. Naming every one of ten thousand hosts is not useful. */
const ALIKE_MAX = 5_000;

/** Collects the hosts with the same change in each Ansible task. */
export function changeLists() {
  const all = new Map<string, ChangeRow & { task: number; diff: number }>();
  const changed = new Set<string>();
  return {
    add(task: number, diff: number, host: number, isDone: boolean): void {
      const key = `${task}/${diff}`;
      let list = all.get(key);
      if (!list) all.set(key, list = { task, diff, hosts: [], more: 0 });
      if (list.hosts.length < ALIKE_MAX) {
        list.hosts.push(host);
        if (isDone) (list.done ??= []).push(host);
      } else list.more++;
      changed.add(key);
    },
    rows(): Row[] {
      const rows = [...changed].map((key): Row => {
        const { task, diff, hosts, done, more } = all.get(key)!;
        const bytes = 6 * (hosts.length + (done?.length ?? 0));
        return { at: ["changes", task, diff], value: { hosts, ...done && { done }, more }, bytes };
      });
      changed.clear();
      return rows;
    },
  };
}
