import assert from "node:assert/strict";
import { parseGraph } from "./graph.ts";

Deno.test("groups and hosts are read from Ansible's graph", () => {
  const graph = `@all:
  |--@ungrouped:
  |  |--lonely
  |--@web:
  |  |--@north:
  |  |  |--web1
  |  |--@south:
  |  |  |--web2
  |  |  |--2001:db8::1
  |--@db:
  |  |--web1
  |  |--@south:
  |  |  |--web2
`;
  assert.deepEqual(parseGraph(graph), {
    groups: [
      { name: "ungrouped", hosts: ["lonely"] },
      { name: "north", hosts: ["web1"] },
      { name: "south", hosts: ["web2", "2001:db8::1"] },
      { name: "db", hosts: ["web1"] },
    ],
    hosts: 4,
  });
  assert.deepEqual(parseGraph("@all:\n  |--@ungrouped:\n"), { groups: [], hosts: 0 });
  assert.deepEqual(parseGraph(""), { groups: [], hosts: 0 });
});

Deno.test("a very large inventory is shown in part, with its full size", () => {
  const hosts = Array.from({ length: 6000 }, (_, n) => `  |  |--h${n}\n`).join("");
  const { groups, hosts: count } = parseGraph(`@all:\n  |--@web:\n${hosts}`);
  assert.deepEqual([groups[0].hosts.length, count], [5000, 6000]);
});
