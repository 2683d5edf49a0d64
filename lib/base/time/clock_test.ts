import assert from "node:assert/strict";
import { watchClock } from "./clock.ts";

function newClock() {
  let ms = 1_000;
  const clock = watchClock({ now: () => new Date(ms), ticks: () => 0 });
  return { clock, set: (time: number) => void (ms = time) };
}

Deno.test("a clock is set back if it is earlier than at the last look", () => {
  const { clock, set } = newClock();
  assert.ok(clock.isSetBack(), "nothing is known about the time before");
  assert.ok(!clock.isSetBack());
  set(2_000);
  assert.ok(!clock.isSetBack());
  set(1_500);
  assert.ok(clock.isSetBack());
  assert.ok(!clock.isSetBack());
});

Deno.test("a clock is set back if it has shown a later time since the last look", () => {
  const { clock, set } = newClock();
  clock.isSetBack();
  set(2_000);
  assert.equal(clock.now().getTime(), 2_000);
  set(1_000);
  assert.ok(clock.isSetBack());
  assert.ok(!clock.isSetBack());
});
