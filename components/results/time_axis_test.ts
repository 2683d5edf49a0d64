import assert from "node:assert/strict";
import { axisLabels, axisMarks } from "./time_axis.ts";

Deno.test("an axis has a few marks at round values", () => {
  assert.deepEqual(axisMarks(240), [50, 100, 150, 200]);
  assert.deepEqual(axisMarks(61_000), [15_000, 30_000, 45_000, 60_000]);
  assert.deepEqual(axisMarks(3_600_000), [900_000, 1_800_000, 2_700_000]);
  for (let ms = 1; ms < 1e10; ms *= 1.7) {
    const marks = axisMarks(ms);
    assert.ok(marks.length <= 5 && (ms < 100 || marks.length >= 2), `${ms}: ${marks}`);
  }
  assert.deepEqual(axisMarks(0), []);
});

Deno.test("labels of an axis do not overlap, even in languages with long units", () => {
  const marks = (unit: string) =>
    axisLabels(100, (ms) => `0.0${ms / 10} ${unit}`).map(([mark]) => mark);
  assert.deepEqual(marks("s"), [20, 40, 60, 80]);
  assert.deepEqual(marks("Sek."), [40, 80]);
});
