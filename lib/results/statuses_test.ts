import assert from "node:assert/strict";
import { RESULT_STATUSES } from "../execution/run/events.ts";
import { HOST_STATUSES, severityOf, WORST_FIRST, worstOf } from "./statuses.ts";

Deno.test("each status has a severity, and the order of hosts is a part of it", () => {
  assert.deepEqual(WORST_FIRST.toSorted(), RESULT_STATUSES.toSorted());
  const severities = WORST_FIRST.map(severityOf);
  assert.deepEqual(severities, severities.toSorted((a, b) => a - b));
  // Rows of hosts store an index into this list.
  assert.deepEqual(HOST_STATUSES, ["unreachable", "failed", "changed", "ok", "skipped"]);
});

Deno.test("the worst status with a result counts", () => {
  assert.equal(worstOf([{ ok: 3, changed: 1 }, { rescued: 1, skipped: 2 }]), "rescued");
  assert.equal(worstOf([{ failed: 0, ok: 1 }]), "ok");
  assert.equal(worstOf([{}]), null);
  assert.equal(worstOf([]), null);
});
