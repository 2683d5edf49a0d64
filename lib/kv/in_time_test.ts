import assert from "node:assert/strict";
import { AppError } from "../base/errors.ts";
import { inTime } from "./in_time.ts";

Deno.test("a store that does not answer is told as 503, and nobody waits for it", async () => {
  const never = new Promise<void>(() => {});
  await assert.rejects(
    () => inTime(never, 10),
    (error) => error instanceof AppError && error.status === 503,
  );
});

Deno.test("what the store says in time is passed on, a failure too", async () => {
  assert.equal(await inTime(Promise.resolve(7), 10), 7);
  await assert.rejects(() => inTime(Promise.reject(new Error("disk is full")), 10), /disk is full/);
});
