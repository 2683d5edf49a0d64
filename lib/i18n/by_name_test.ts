import assert from "node:assert/strict";
import { byName, oncePerLanguage } from "./by_name.ts";

Deno.test("a result is computed once for rows and a language", () => {
  let count = 0;
  const sorted = oncePerLanguage((language, rows: readonly string[]) => {
    count++;
    return rows.toSorted(byName(language));
  });
  const rows = ["z", "ä", "a"];
  assert.deepEqual(sorted("de", rows), ["a", "ä", "z"]);
  assert.equal(sorted("de", rows), sorted("de", rows));
  assert.equal(count, 1);
  assert.deepEqual(sorted("en", [...rows]), ["a", "ä", "z"]);
  assert.equal(sorted("en", rows) === sorted("de", rows), false);
  assert.equal(count, 3);
});
