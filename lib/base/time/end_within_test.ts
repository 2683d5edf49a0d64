import assert from "node:assert/strict";
import { endWithin } from "./end_within.ts";

const never = () => new Promise<void>(() => {});

Deno.test("parts that end are waited for, and others are named in time", async () => {
  const soon = () => new Promise<void>((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(await endWithin(10_000, [["a", soon()], ["b", Promise.resolve()]]), []);
  const begun = performance.now();
  assert.deepEqual(await endWithin(100, [["a", soon()], ["b", never()], ["c", never()]]), [
    "b",
    "c",
  ]);
  assert.ok(performance.now() - begun < 2_000);
  assert.deepEqual(await endWithin(100, []), []);
});

Deno.test("the failure of a part is passed on in time, and forgotten later", async () => {
  const failed = Promise.reject(new Error("no disk"));
  await assert.rejects(endWithin(10_000, [["a", failed], ["b", never()]]), /no disk/);
  const later = new Promise<void>((_, reject) => setTimeout(() => reject(new Error("late")), 60));
  assert.deepEqual(await endWithin(20, [["a", later]]), ["a"]);
  await new Promise((resolve) => setTimeout(resolve, 80));
});
