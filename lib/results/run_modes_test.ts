import assert from "node:assert/strict";
import type { TaskRow } from "../model/task_row.ts";
import { runModes } from "./changes.ts";

const modes = (words: string[], own: Partial<TaskRow> = {}) =>
  runModes({
    dry_run: false,
    diff: false,
    template_arguments: JSON.stringify(words),
    arguments: null,
    ...own,
  } as TaskRow);

Deno.test("check and diff mode come from a task's own switches and from its arguments", () => {
  assert.deepEqual(modes([]), { check: false, diff: false });
  assert.deepEqual(modes([], { dry_run: true, diff: true }), { check: true, diff: true });
  assert.deepEqual(modes(["--check", "--diff"]), { check: true, diff: true });
  assert.deepEqual(modes(["-vCD"]), { check: true, diff: true });
  assert.deepEqual(modes([], { arguments: '["-D"]' }), { check: false, diff: true });
  // Values that only look similar.
  assert.deepEqual(modes(["-eC=D", "--tags=--diff", "-u", "CD"]), { check: false, diff: false });
  assert.deepEqual(modes([], { template_arguments: "no JSON" }), { check: false, diff: false });
});
