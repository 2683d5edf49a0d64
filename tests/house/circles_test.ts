import assert from "node:assert/strict";
import { readModule, readSources } from "@/tests/support/house/sources.ts";

type Graph = Map<string, Set<string>>;

/**
 * Returns the files in import cycles and between two cycles: those that are left after removing all
 * files that lead nowhere.
 */
function filesInCircles(graph: Graph): string[] {
  const left = new Map(graph);
  let before: number;
  do {
    before = left.size;
    for (const [file, names] of left) {
      if (![...names].some((name) => left.has(name))) left.delete(file);
    }
    const used = new Set([...left.values()].flatMap((names) => [...names]));
    for (const file of left.keys()) if (!used.has(file)) left.delete(file);
  } while (left.size < before);
  return [...left.keys()].toSorted();
}

Deno.test("no file imports itself in the end, types too", async () => {
  const graph: Graph = new Map();
  for (const [file, text] of await readSources()) {
    graph.set(file, new Set(readModule(file, text).imports.map(({ to }) => to)));
  }
  assert.deepEqual(filesInCircles(graph), []);
});

Deno.test("a made-up circle is found, and what leads to it or from it is none", () => {
  const graph = (...edges: string[]): Graph =>
    new Map(edges.map((edge) => {
      const [from, to] = edge.split(">");
      return [from, new Set(to.split(""))];
    }));
  assert.deepEqual(filesInCircles(graph("a>b", "b>c", "c>d", "e>ab")), []);
  assert.deepEqual(filesInCircles(graph("a>b", "b>c", "c>bd", "d>e", "e>f")), ["b", "c"]);
  assert.deepEqual(filesInCircles(graph("a>a")), ["a"]);
});
