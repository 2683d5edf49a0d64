import assert from "node:assert/strict";
import type { OpenTask } from "../open_tasks.ts";
import { judge } from "./startable.ts";

/** Returns the limits of two projects, and the templates that allow parallel tasks. */
function limits(first = 0, second = 0, ...parallel: string[]) {
  const projects = new Map([[1, { max_parallel_tasks: first }], [2, {
    max_parallel_tasks: second,
  }]]);
  const placeable = {
    runners: [],
    seen: new Map(),
    now: new Date(0),
    offers: null,
    toolchains: new Map(),
  };
  return { projects, parallel: new Set(parallel), placeable, held: false };
}

function open(id: number, more: Partial<OpenTask> = {}): OpenTask {
  return {
    id,
    project_id: 1,
    template_id: id,
    status: "waiting",
    created: "2024-05-02T10:11:12.000Z",
    lease: null,
    ...more,
  };
}

const ids = (tasks: OpenTask[], limited = limits(), free = Infinity) =>
  judge(tasks, limited, free).flatMap(({ task, blocked }) => blocked ? [] : task.id);

Deno.test("all startable tasks start immediately, oldest first", () => {
  assert.deepEqual(ids([open(1), open(2), open(3)]), [1, 2, 3]);
});

Deno.test("a blocked task does not block the tasks behind it", () => {
  const queue = [
    open(1, { status: "running", template_id: 7 }),
    open(2, { template_id: 7 }),
    open(3),
  ];
  assert.deepEqual(ids(queue), [3]);
});

Deno.test("one task of a template at a time, unless it allows parallel ones", () => {
  const twice = [open(1, { template_id: 7 }), open(2, { template_id: 7 })];
  assert.deepEqual(ids(twice), [1]);
  assert.deepEqual(ids(twice, limits(0, 0, "1/7")), [1, 2]);
  assert.deepEqual(ids(twice, limits(0, 0, "2/7", "1/8")), [1]);
});

Deno.test("tasks that keep the same files run one at a time, whatever their templates allow", () => {
  const keeps = ["1 inventory 3"];
  const queue = [
    open(1, { status: "running", keeps }),
    open(2, { keeps: ["1 template 2", ...keeps] }),
    open(3, { keeps: ["1 inventory 4"] }),
    open(4),
  ];
  const verdicts = judge(queue, limits(0, 0, "1/1", "1/2"), Infinity);
  assert.deepEqual(verdicts.map(({ task, blocked }) => [task.id, blocked?.by]), [
    [2, "kept"],
    [3, undefined],
    [4, undefined],
  ]);
});

Deno.test("the limits of the server and the project include running tasks", () => {
  const queue = [open(1, { status: "stopping" }), open(2), open(3), open(4, { project_id: 2 })];
  assert.deepEqual(ids(queue, limits(), 2), [2, 3]);
  assert.deepEqual(ids(queue, limits(2)), [2, 4]);
});

Deno.test("checks wait behind ordinary tasks, however late these come, and start without them", () => {
  const queue = [open(1, { check: true }), open(2, { check: true }), open(3), open(4)];
  assert.deepEqual(ids(queue), [3, 4, 1, 2]);
  assert.deepEqual(ids(queue, limits(), 3), [3, 4, 1]);
  assert.deepEqual(ids(queue, limits(2)), [3, 4]);
  assert.deepEqual(ids([open(1, { check: true }), open(2, { status: "running" })], limits(2)), [1]);
});

Deno.test("a task that waits for its confirmation neither starts nor takes a slot", () => {
  const queue = [open(1, { status: "waiting_confirmation" }), open(2, { status: "confirmed" })];
  assert.deepEqual(ids(queue, limits(), 1), [2]);
});

Deno.test("no task of a deleted project, or of one that is being deleted, starts", () => {
  assert.deepEqual(ids([open(1, { project_id: 3 }), open(2)]), [2]);
});

Deno.test("the verdict on a waiting task has its limit and the tasks before it", () => {
  const queue = [
    open(1, { status: "running", template_id: 7 }),
    open(2, { template_id: 7 }),
    open(3),
    open(4),
    open(5, { project_id: 2 }),
    open(6, { status: "waiting_confirmation" }),
    open(7, { project_id: 3 }),
  ];
  const told = judge(queue, limits(2), 1).map(({ task, blocked }) => [
    task.id,
    blocked &&
    { ...blocked, ..."behind" in blocked && { behind: blocked.behind.map((t) => t.id) } },
  ]);
  assert.deepEqual(told, [
    [2, { by: "template", behind: [1] }],
    [3, null],
    [4, { by: "project", limit: 2, behind: [1, 3] }],
    [5, { by: "server" }],
  ]);
});

Deno.test("no task starts during maintenance, whatever the limits are", () => {
  const queue = [open(1), open(2, { status: "running" }), open(3)];
  const verdicts = judge(queue, { ...limits(), held: true }, Infinity);
  assert.deepEqual(verdicts.map(({ task, blocked }) => [task.id, blocked?.by]), [
    [1, "maintenance"],
    [3, "maintenance"],
  ]);
});
