import assert from "node:assert/strict";
import { AppError } from "../errors.ts";
import { inTime } from "./in_time.ts";

Deno.test("a store that does not respond is reported as 503 without a long wait", async () => {
  const never = new Promise<void>(() => {});
  await assert.rejects(
    () => inTime(never, 10),
    (error) => error instanceof AppError && error.status === 503,
  );
});

Deno.test("results and failures that arrive in time are passed on", async () => {
  assert.equal(await inTime(Promise.resolve(7), 10), 7);
  await assert.rejects(() => inTime(Promise.reject(new Error("disk is full")), 10), /disk is full/);
});
