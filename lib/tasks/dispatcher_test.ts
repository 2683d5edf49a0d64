import assert from "node:assert/strict";
import { startable } from "./dispatcher.ts";
import type { OpenTask } from "./schema.ts";

const NO_LIMITS = { free: Infinity, projectLimit: new Map<number, number>() };

function open(id: number, more: Partial<OpenTask> = {}): OpenTask {
  return {
    id,
    project_id: 1,
    template_id: id,
    status: "waiting",
    created: "2024-05-02T10:11:12.000Z",
    allow_parallel: false,
    lease: null,
    ...more,
  };
}

const ids = (tasks: OpenTask[]) => tasks.map(({ id }) => id);

Deno.test("everything startable starts at once, oldest first", () => {
  assert.deepEqual(ids(startable([open(1), open(2), open(3)], NO_LIMITS)), [1, 2, 3]);
});

Deno.test("a blocked task holds up nothing behind it", () => {
  const queue = [
    open(1, { status: "running", template_id: 7 }),
    open(2, { template_id: 7 }),
    open(3),
  ];
  assert.deepEqual(ids(startable(queue, NO_LIMITS)), [3]);
});

Deno.test("one task of a template at a time, unless it allows parallel ones", () => {
  const twice = [open(1, { template_id: 7 }), open(2, { template_id: 7 })];
  assert.deepEqual(ids(startable(twice, NO_LIMITS)), [1]);
  const parallel = twice.map((task) => ({ ...task, allow_parallel: true }));
  assert.deepEqual(ids(startable(parallel, NO_LIMITS)), [1, 2]);
});

Deno.test("the server's and the project's limits hold, counting what runs", () => {
  const queue = [open(1, { status: "stopping" }), open(2), open(3), open(4, { project_id: 2 })];
  assert.deepEqual(ids(startable(queue, { ...NO_LIMITS, free: 2 })), [2, 3]);
  const limited = { ...NO_LIMITS, projectLimit: new Map([[1, 2]]) };
  assert.deepEqual(ids(startable(queue, limited)), [2, 4]);
});

Deno.test("a task that waits for its confirmation neither starts nor takes a place", () => {
  const queue = [open(1, { status: "waiting_confirmation" }), open(2, { status: "confirmed" })];
  assert.deepEqual(ids(startable(queue, { ...NO_LIMITS, free: 1 })), [2]);
});
