/** Groups and hosts that Ansible finds in an inventory. */
export interface InventoryContents {
  /** Each with its direct hosts, without those of its child groups. */
  groups: { name: string; hosts: string[] }[];
  /** Number of hosts. */
  hosts: number;
  /** Ansible's own words about parts that it could not read, and the like. */
  warnings: string[];
}

const GROUPS_MAX = 500;
const HOSTS_MAX = 5000;

/**
 * Reads the output of `ansible-inventory --graph`. It has a line for each group and host, below the
 * group that contains it. A group with several parents is listed below each of them, and taken
 * once.
 */
export function parseGraph(text: string): Omit<InventoryContents, "warnings"> {
  const groups = new Map<string, Set<string>>();
  const all = new Set<string>();
  const above: string[] = [];
  for (const line of text.split("\n")) {
    const [, bars, name] = /^((?: {2}\|)*)(?:--)?(.+)$/.exec(line) ?? [];
    if (name === undefined) continue;
    const depth = bars.length / 3;
    if (name.startsWith("@") && name.endsWith(":")) {
      above[depth] = name.slice(1, -1);
      if (groups.size < GROUPS_MAX && !groups.has(above[depth])) {
        groups.set(above[depth], new Set());
      }
    } else if (depth > 0) {
      if (all.size < HOSTS_MAX) groups.get(above[depth - 1])?.add(name);
      all.add(name);
    }
  }
  const found = [...groups].map(([name, hosts]) => ({ name, hosts: [...hosts] }));
  return { groups: found.filter(({ hosts }) => hosts.length > 0), hosts: all.size };
}
