import assert from "node:assert/strict";
import { readSources, type Sources } from "@/tests/support/house/sources.ts";

/** The one place of each kind of wait. Most leave something behind in what they wait for. */
const PLACES: [use: RegExp, file: string][] = [
  [/Promise\.race\(|AbortSignal\.any\(|"abort"/g, "lib/base/time/abort.ts"],
  [/new Promise[^;]*\bsetTimeout\(|node:timers/g, "lib/base/time/pause.ts"],
  [/\.watch[<(]/g, "lib/store/watch.ts"],
];

function leftBehind(sources: Sources): string[] {
  const wrong: string[] = [];
  for (const [file, text] of sources) {
    if (/_test\.tsx?$/.test(file)) continue;
    if (file.startsWith("lib/client/")) continue; // A browser page ends with everything it holds.
    for (const [use, place] of PLACES) {
      const found = file === place ? [] : text.match(use) ?? [];
      wrong.push(...found.map((one) => `${file}: ${one} (see ${place})`));
    }
  }
  return wrong;
}

Deno.test("waiting for several things, or ending with others, uses functions that keep no references", async () => {
  assert.deepEqual(leftBehind(await readSources(/^(lib|routes)\//)), []);
});

Deno.test("each wait that leaves something behind is found, but where it is its one place", () => {
  const [waits, pause] = ["lib/base/time/abort.ts", "lib/base/time/pause.ts"];
  const watch = "lib/store/watch.ts";
  const cases: [text: string, place: string, other: string][] = [
    ["Promise.race([a])", waits, watch],
    ["AbortSignal.any([a])", waits, watch],
    ['on("abort")', waits, watch],
    ["await new Promise((resolve) => setTimeout(resolve, 1));", pause, waits],
    ['import { setTimeout as pause } from "node:timers/promises";', pause, waits],
    ["kv.watch<[A]>(keys)", watch, waits],
  ];
  for (const [text, place, other] of cases) {
    const count = (file: string) => leftBehind(new Map([[file, text]])).length;
    assert.deepEqual(["lib/tasks/a.ts", "routes/a.tsx", other].map(count), [1, 1, 1], text);
    assert.deepEqual([place, "lib/a_test.ts", "lib/client/a.ts"].map(count), [0, 0, 0], text);
  }
  const fine = "await Promise.all([watch(kv, keys), ended(signal)]);";
  assert.deepEqual(leftBehind(new Map([["lib/tasks/a.ts", fine]])), []);
});
