import assert from "node:assert/strict";
import { axisLabels, axisTicks } from "./time_axis.ts";

Deno.test("an axis has a few ticks at round values", () => {
  assert.deepEqual(axisTicks(240), [50, 100, 150, 200]);
  assert.deepEqual(axisTicks(61_000), [15_000, 30_000, 45_000, 60_000]);
  assert.deepEqual(axisTicks(3_600_000), [900_000, 1_800_000, 2_700_000]);
  for (let ms = 1; ms < 1e10; ms *= 1.7) {
    const ticks = axisTicks(ms);
    assert.ok(ticks.length <= 5 && (ms < 100 || ticks.length >= 2), `${ms}: ${ticks}`);
  }
  assert.deepEqual(axisTicks(0), []);
});

Deno.test("labels of an axis do not overlap, even in languages with long units", () => {
  const ticks = (unit: string) =>
    axisLabels(100, (ms) => `0.0${ms / 10} ${unit}`).map(([tick]) => tick);
  assert.deepEqual(ticks("s"), [20, 40, 60, 80]);
  assert.deepEqual(ticks("Sek."), [40, 80]);
});
