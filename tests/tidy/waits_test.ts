import assert from "node:assert/strict";
import { readSources, type Sources } from "../support/sources.ts";

/** Files that may wait for several things, or end with something that lives longer. */
const KEEPS_NOTHING = /^lib\/base\/(abort|after|merge|bell|pause)\.ts$|^lib\/kv\/watch\.ts$/;

/** Waits that keep references, and those that `sleep` and `createPause` are for. */
const LEAVES_BEHIND =
  /Promise\.race\(|AbortSignal\.any\(|"abort"|\.watch[<(]|new Promise[^;]*\bsetTimeout\(|node:timers/g;

function leftBehind(sources: Sources): string[] {
  const wrong: string[] = [];
  for (const [file, text] of sources) {
    if (KEEPS_NOTHING.test(file) || /_test\.tsx?$/.test(file)) continue;
    if (file.startsWith("lib/client/")) continue; // A browser page ends with everything it holds.
    const found = text.match(LEAVES_BEHIND) ?? [];
    wrong.push(...found.map((use) => `${file}: ${use} (see lib/base/{abort,pause}.ts, watch.ts)`));
  }
  return wrong;
}

Deno.test("waiting for several things, or ending with others, uses functions that keep no references", async () => {
  assert.deepEqual(leftBehind(await readSources(/^(lib|routes)\//)), []);
});

Deno.test("each wait that leaves something behind is found, but where it is its one place", () => {
  const texts = [
    "Promise.race([a])",
    "AbortSignal.any([a])",
    'on("abort")',
    "kv.watch<[A]>(keys)",
    "await new Promise((resolve) => setTimeout(resolve, 1));",
    'import { setTimeout as pause } from "node:timers/promises";',
  ];
  for (const text of texts) {
    const count = (file: string) => leftBehind(new Map([[file, text]])).length;
    assert.deepEqual(["lib/tasks/a.ts", "routes/a.tsx"].map(count), [1, 1], text);
    assert.deepEqual(["lib/base/abort.ts", "lib/kv/watch.ts", "lib/a_test.ts"].map(count), [
      0,
      0,
      0,
    ]);
  }
  const fine = "await Promise.all([watch(kv, keys), ended(signal)]);";
  assert.deepEqual(leftBehind(new Map([["lib/tasks/a.ts", fine]])), []);
});
