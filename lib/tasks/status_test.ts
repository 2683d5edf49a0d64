import assert from "node:assert/strict";
import { isFinished, isFirstStatus, mayBecome, STATUSES } from "../model/status.ts";

Deno.test("a finished task stays finished", () => {
  for (const from of ["stopped", "success", "error"] as const) {
    assert.ok(isFinished(from));
    for (const to of STATUSES) assert.equal(mayBecome(from, to), false, `${from} -> ${to}`);
  }
});

Deno.test("every status that is not final leads to a final one", () => {
  for (const from of STATUSES.filter((status) => !isFinished(status))) {
    assert.ok(mayBecome(from, "stopped"), from);
    assert.ok(mayBecome(from, "error"), from);
  }
});

Deno.test("only a running task succeeds, and only a waiting one is confirmed", () => {
  assert.deepEqual(STATUSES.filter((from) => mayBecome(from, "success")), ["running"]);
  assert.deepEqual(STATUSES.filter((from) => mayBecome(from, "confirmed")), [
    "waiting_confirmation",
  ]);
});

Deno.test("a task begins in the queue, or with the final status it reached elsewhere", () => {
  assert.deepEqual(STATUSES.filter(isFirstStatus), [
    "waiting",
    "waiting_confirmation",
    "stopped",
    "success",
    "error",
  ]);
});
