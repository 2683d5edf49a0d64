import { stripVTControlCharacters } from "node:util";
import { emptyRecap, type HostRecap } from "@/lib/execution/run/events.ts";

/** Returns Ansible's own recap at the end of an output, by host. */
export function outputRecap(output: string): Map<string, HostRecap> {
  const plain = stripVTControlCharacters(output);
  const [, ...lines] = plain.slice(plain.lastIndexOf("\nPLAY RECAP *")).trimStart().split("\n");
  return new Map(lines.flatMap((line) => {
    const [, host, counts] = /^(\S+)\s*: (ok=.*)$/.exec(line) ?? [];
    if (!host) return [];
    const recap = emptyRecap();
    for (const [, name, count] of counts.matchAll(/(\w+)=(\d+)/g)) {
      recap[name as keyof HostRecap] = Number(count);
    }
    return [[host, recap] as const];
  }));
}
