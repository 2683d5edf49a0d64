import assert from "node:assert/strict";
import { newRunner } from "../runners/new_runner.ts";
import type { RunnerRow } from "../runners/rows.ts";
import type { OpenTask } from "../tasks/open_tasks.ts";
import { createPlacer, type Placement } from "./placement.ts";

const NOW = new Date("2024-05-02T10:00:00Z");

/** Creates a runner that is online and has the label dmz. */
function runner(id: number, fields: Partial<RunnerRow> = {}): RunnerRow {
  const form = {
    name: `dmz-${id}`,
    description: "",
    project_id: null,
    project_ids: [],
    labels: ["dmz"],
    max_parallel_tasks: 0,
  };
  return { ...newRunner(id, form, NOW.toISOString()), token_hash: "x", ...fields };
}

/** Places a task, as the dispatcher and as a page. Both must agree about the reason to wait. */
function place(runners: RunnerRow[], fields: Partial<OpenTask> = {}): Placement {
  const task: OpenTask = {
    id: 1,
    project_id: 1,
    template_id: 1,
    status: "waiting",
    created: "2024-05-02T10:00:00.000Z",
    labels: ["dmz"],
    lease: null,
    ...fields,
  };
  const ids = runners.map(({ id }) => id);
  const seen = new Map(ids.map((id) => [id, { at: NOW.getTime(), left: false }]));
  const common = { runners, seen, now: NOW };
  const [offered, shown] = [new Set(ids), null].map((offers) =>
    createPlacer({ ...common, offers }).place(task)
  );
  assert.deepEqual(offered, shown);
  return offered;
}

Deno.test("a task that a runner of Semaphore cannot run waits for another one", () => {
  const semaphore = runner(1, { wire: "semaphore" });
  assert.deepEqual(place([semaphore]), { runner: 1 });
  for (const need of ["preview", "commit"] as const) {
    const wait = { kind: "semaphore", name: "dmz-1", need };
    assert.deepEqual(place([semaphore], { need }), { wait });
    assert.deepEqual(place([semaphore, runner(2)], { need }), { runner: 2 });
    const paused = place([semaphore, runner(2, { state: "paused" })], { need });
    assert.deepEqual(paused, { wait: { kind: "paused", name: "dmz-2" } });
  }
});

Deno.test("a runner whose program is too old gets no task, and is named if there is no other", () => {
  const old = runner(1, { outdated: true });
  assert.deepEqual(place([old]), { wait: { kind: "update", name: "dmz-1" } });
  assert.deepEqual(place([old, runner(2)]), { runner: 2 });
});
