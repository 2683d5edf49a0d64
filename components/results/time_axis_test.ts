import assert from "node:assert/strict";
import { axisMarks } from "./time_axis.ts";

Deno.test("an axis has a few marks, which people count in", () => {
  assert.deepEqual(axisMarks(240), [50, 100, 150, 200]);
  assert.deepEqual(axisMarks(61_000), [15_000, 30_000, 45_000, 60_000]);
  assert.deepEqual(axisMarks(3_600_000), [900_000, 1_800_000, 2_700_000]);
  for (let ms = 1; ms < 1e10; ms *= 1.7) {
    const marks = axisMarks(ms);
    assert.ok(marks.length <= 5 && (ms < 100 || marks.length >= 2), `${ms}: ${marks}`);
  }
  assert.deepEqual(axisMarks(0), []);
});
