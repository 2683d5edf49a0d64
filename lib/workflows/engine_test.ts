import assert from "node:assert/strict";
import { decideRun, type Facts, failedStep, failuresBefore } from "./engine.ts";
import { dice, OUTCOMES, randomSteps, reference } from "@/tests/support/world/workflow_graphs.ts";
import type { Step } from "./schema.ts";

Deno.test("300 random graphs of 30 steps end as a reference says, in any order of events", () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= 300; seed++) {
    const random = dice(seed);
    const steps = randomSteps(random, 30);
    const outcomes = new Map(steps.map(({ id }) => [id, random.one(OUTCOMES)]));
    const facts: Facts = Object.fromEntries(steps.map(({ id }) => [id, { state: "pending" }]));
    const events: string[] = [];
    const started: number[] = [];
    const running: number[] = [];
    for (;;) {
      const { start, skip, end } = decideRun(steps, facts);
      for (const { id, reason } of skip) {
        assert.equal(facts[id].state, "pending", `seed ${seed}`);
        assert.match(reason.key, /^workflows\.source\.(success|failed|skipped|stopped|unchanged)$/);
        facts[id] = { state: "skipped" };
      }
      // A server may die between two starts.
      for (const id of start.slice(0, 1 + random.below(start.length))) {
        facts[id] = { state: "running", handles: failuresBefore(steps, id, facts) };
        started.push(id);
        events.push(`${id} starts`);
        running.push(id);
      }
      if (end) {
        const isBefore = (ended: number, started: number) =>
          events.indexOf(`${ended} ends`) < events.indexOf(`${started} starts`);
        const expected = reference(steps, outcomes, isBefore);
        assert.equal(end, expected.result, `seed ${seed}`);
        assert.equal(failedStep(steps, facts)?.id, expected.bad, `seed ${seed}`);
        for (const { id } of steps) {
          const { state, changed } = facts[id];
          assert.equal(changed ? "changed" : state, expected.ends.get(id), `seed ${seed}: ${id}`);
          seen.set(state, (seen.get(state) ?? 0) + 1);
        }
        seen.set(end, (seen.get(end) ?? 0) + 1);
        break;
      }
      assert.ok(running.length > 0, `seed ${seed}: nothing goes on`);
      const [id] = running.splice(random.below(running.length), 1);
      facts[id] = { ...facts[id], ...outcomes.get(id)! };
      events.push(`${id} ends`);
    }
    assert.equal(new Set(started).size, started.length, `seed ${seed}: a step started twice`);
  }
  for (const state of ["success", "failed", "skipped", "stopped"]) {
    assert.ok((seen.get(state) ?? 0) > 100, `${state}: ${seen.get(state)}`);
  }
});

const wait = (id: number, after: Step["after"] = null, join: Step["join"] = "all"): Step => ({
  id,
  name: `S${id}`,
  kind: "wait",
  minutes: 1,
  after,
  join,
});

Deno.test("a skipped step names the step that it waited for, and how that ended", () => {
  const steps = [
    wait(1),
    wait(2, [{ step: 1, when: "failure" }]),
    wait(3, [{ step: 1, when: "changed" }]),
    wait(4, [{ step: 2, when: "always" }]),
  ];
  const facts: Facts = { ...pending(steps), 1: { state: "success", changed: false } };
  assert.deepEqual(decideRun(steps, facts).skip, [
    { id: 2, reason: { key: "workflows.source.success", params: { name: "S1" } } },
    { id: 3, reason: { key: "workflows.source.unchanged", params: { name: "S1" } } },
    { id: 4, reason: { key: "workflows.source.skipped", params: { name: "S2" } } },
  ]);
});

Deno.test("steps start in the order of the list, and a handled failure is a success", () => {
  const steps = [wait(3), wait(1, []), wait(2, [{ step: 3, when: "failure" }])];
  assert.deepEqual(decideRun(steps, pending(steps)).start, [3, 1]);
  const ended: Facts = {
    1: { state: "success" },
    2: { state: "success", handles: [3] },
    3: { state: "failed" },
  };
  assert.equal(decideRun(steps, ended).end, "success");
  assert.equal(decideRun(steps, { ...ended, 2: { state: "failed" } }).end, "failed");
  assert.equal(decideRun(steps, { ...ended, 3: { state: "stopped" } }).end, "failed");
});

Deno.test("a step does not handle a failure that comes after its start", () => {
  const links: Step["after"] = [{ step: 1, when: "failure" }, { step: 2, when: "failure" }];
  const steps = [wait(1), wait(2, []), wait(3, links, "any")];
  const facts: Facts = { 1: { state: "failed" }, 2: { state: "running" }, 3: { state: "pending" } };
  assert.deepEqual(decideRun(steps, facts).start, [3]);
  const handles = failuresBefore(steps, 3, facts);
  assert.deepEqual(handles, [1]);
  const ended: Facts = { ...facts, 3: { state: "success", handles } };
  assert.equal(decideRun(steps, { ...ended, 2: { state: "success" } }).end, "success");
  assert.equal(decideRun(steps, { ...ended, 2: { state: "failed" } }).end, "failed");
});

const pending = (steps: Step[]): Facts =>
  Object.fromEntries(steps.map(({ id }) => [id, { state: "pending" }]));
