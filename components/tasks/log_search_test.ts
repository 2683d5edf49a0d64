import assert from "node:assert/strict";
import { NO_SEARCH, searchRows } from "./log_search.ts";

const log = (...outputs: string[]) =>
  outputs.map((output, row) => ({ id: row + 1, time: "2024-05-02T10:11:12Z", output }));

Deno.test("a search finds lines in any case, and through colours", () => {
  const records = log("PLAY [web]", "ok: [web1]", "\x1b[0;31mfatal: [w\x1b[0meb2]");
  assert.deepEqual(searchRows(records, "web", NO_SEARCH).rows, [0, 1, 2]);
  assert.deepEqual(searchRows(records, "", NO_SEARCH).rows, []);
});

Deno.test("a search goes on where lines are added, and begins anew where they are others", () => {
  const first = searchRows(log("a", "b"), "a", NO_SEARCH);
  const before = { ...first, rows: [0, 99] };
  assert.deepEqual(searchRows(log("a", "b", "a"), "a", before).rows, [0, 99, 2]);
  assert.deepEqual(searchRows(log("a", "b", "a"), "b", before).rows, [1]);
  const later = log("a", "b", "a").slice(1);
  assert.deepEqual(searchRows(later, "a", before).rows, [1], "the newest lines, then all of them");
});
