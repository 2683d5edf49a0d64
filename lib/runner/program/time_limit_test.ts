import assert from "node:assert/strict";
import { createTimeLimit } from "./time_limit.ts";

Deno.test("a time limit follows what the answers need, between two bounds", () => {
  const limit = createTimeLimit();
  const after = (change: () => void) => {
    change();
    return limit.ms;
  };
  assert.equal(limit.ms, 5_000);
  assert.equal(after(() => limit.answered(3)), 5_000);
  assert.deepEqual([1, 2, 3, 4].map(() => after(limit.failed)), [10_000, 20_000, 30_000, 30_000]);
  assert.equal(after(() => limit.answered(6_000)), 24_000);
  assert.equal(after(() => limit.answered(100)), 5_000);
});
