import assert from "node:assert/strict";
import { readSources, type Sources } from "@/tests/support/house/sources.ts";

/** Returns the keys of components that may contain typed input. */
function typedKeys(sources: Sources): string[] {
  const wrong: string[] = [];
  for (const [file, text] of sources) {
    for (const [key, value] of text.matchAll(/\bkey=(\S+)/g)) {
      if (!/^\{(\w+\.)?(id|n|index|count)\}/.test(value)) wrong.push(`${file}: ${key}`);
    }
  }
  return wrong;
}

Deno.test("components are distinguished by ids and counts: Fresh writes their keys into comments", async () => {
  assert.deepEqual(typedKeys(await readSources(/^(components|islands|routes)\/.*\.tsx$/)), []);
});

Deno.test("a key that may have been typed is found", () => {
  const keysOf = (text: string) => typedKeys(new Map([["components/A.tsx", text]]));
  for (const key of ["{id}", "{task.id}", "{n}", "{index}", "{count}"]) {
    assert.deepEqual(keysOf(`<li key=${key}>`), []);
  }
  for (const key of ["{name}", "{task.name}", '"a"', "{`${id}`}"]) {
    assert.deepEqual(keysOf(`<li key=${key}>`).length, 1, key);
  }
});
