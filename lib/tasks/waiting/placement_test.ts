import assert from "node:assert/strict";
import type { ToolchainPlan } from "../../execution/ansible/plan.ts";
import { newRunner } from "../../runners/new_runner.ts";
import type { RunnerRow } from "../../runners/rows.ts";
import { RUNNER_ABILITIES } from "../../runner/protocol.ts";
import type { OpenTask } from "../open_tasks.ts";
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
function place(
  runners: RunnerRow[],
  fields: Partial<OpenTask> = {},
  toolchain: Partial<ToolchainPlan> | null = null,
): Placement {
  const task: OpenTask = {
    id: 1,
    project_id: 1,
    template_id: 1,
    status: "waiting",
    created: "2024-05-02T10:00:00.000Z",
    labels: ["dmz"],
    lease: null,
    ...toolchain && { toolchain_id: 1 },
    ...fields,
  };
  const ids = runners.map(({ id }) => id);
  const seen = new Map(ids.map((id) => [id, { at: NOW.getTime(), left: false }]));
  const plan: ToolchainPlan = {
    name: "Old",
    kind: "built",
    ansibleCore: "",
    pip: [],
    collections: [],
    python: "",
    path: "",
    ...toolchain,
  };
  const toolchains = new Map(toolchain ? [[1, plan]] : []);
  const common = { runners, seen, now: NOW, toolchains };
  const [offered, shown] = [new Set(ids), null].map((offers) =>
    createPlacer({ ...common, offers }).place(task)
  );
  assert.deepEqual(offered, shown);
  return offered;
}

Deno.test("a runner whose program is too old gets no task, and is named if there is no other", () => {
  const old = runner(1, { outdated: true });
  assert.deepEqual(place([old]), { wait: { kind: "update", name: "dmz-1" } });
  assert.deepEqual(place([old, runner(2)]), { runner: 2 });
});

Deno.test("a task with a toolchain goes to a runner that has podman, or a Python that fits", () => {
  const facts = {
    version: "1",
    platform: "linux/x64",
    ansible: null,
    isolation: "none",
    slots: 2,
    abilities: [...RUNNER_ABILITIES],
  };
  const none = { pythons: [], uv: null, podman: null };
  const bare = runner(1, { facts: { ...facts, tools: none } });
  const tools = { pythons: ["3.9", "3.12"], uv: null, podman: "5.4.2" };
  const able = runner(2, { facts: { ...facts, tools } });
  const labels = ["dmz"];
  const lacks = (tool: object) => ({ wait: { kind: "tool", tool, labels } });
  const image = { kind: "image" } as const;
  assert.deepEqual(place([bare], {}, image), lacks({ podman: true }));
  assert.deepEqual(place([bare, able], {}, image), { runner: 2 });
  const old = { ansibleCore: "2.14" };
  assert.deepEqual(place([bare], {}, old), lacks({ pythons: ["3.11", "3.10", "3.9"] }));
  assert.deepEqual(place([bare, able], {}, old), { runner: 2 });
  assert.deepEqual(place([able], {}, { python: "3.11" }), lacks({ pythons: ["3.11"] }));
  assert.deepEqual(place([bare], {}, { kind: "path" }), { runner: 1 });
  const galaxy = { url: "https://galaxy.example.com/" };
  const early = runner(4, { facts: { ...facts, abilities: ["toolchains", "images"], tools } });
  assert.deepEqual(place([early], {}, old), { runner: 4 });
  const wait = { kind: "update", name: "dmz-4" };
  assert.deepEqual(place([early], {}, { ...old, galaxy }), { wait });
});

Deno.test("a task with a working directory waits for a runner that knows it", () => {
  const facts = {
    version: "1",
    platform: "linux/x64",
    ansible: null,
    isolation: "none",
    slots: 1,
  };
  const early = runner(1, { facts: { ...facts, abilities: ["ssh_keys"] } });
  const late = runner(2, { facts: { ...facts, abilities: [...RUNNER_ABILITIES] } });
  assert.deepEqual(place([early], { folder: true }), { wait: { kind: "update", name: "dmz-1" } });
  assert.deepEqual(place([early, late], { folder: true }), { runner: 2 });
});
