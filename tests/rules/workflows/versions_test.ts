import assert from "node:assert/strict";
import { asksForAll } from "@/lib/workflows/runs/earlier.ts";
import { approvalRuleField } from "@/lib/approvals/schema.ts";
import type { Step } from "@/lib/workflows/schema.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { newWorkflowStage } from "@/tests/support/world/workflows.ts";

/** A workflow whose first version deploys unasked, with a failed run of it. */
async function newStage() {
  const stage = await newWorkflowStage();
  const { world, call } = stage;
  const template_id = await stage.template({ allow_parallel_tasks: true });
  const deploy = { kind: "template", template_id, name: "Deploy" };
  const id = await stage.workflow([deploy]);
  const run = await stage.start(id, {}, "bob");
  for (const task of await stage.openTasks()) await stage.end(task, "error");
  await stage.goOn();
  const send = async (person: Person, path: string, body: unknown) => {
    const answer = await world.api(person, "POST", `/api/project/${world.web.id}${path}`, body);
    await stage.goOn();
    return answer;
  };
  return {
    stage,
    id,
    run,
    deploy,
    /** Asks for an approval before the step from now on. */
    guard: () =>
      call("PUT", `/workflows/${id}`, {
        name: "Release",
        steps: [{ kind: "approval", name: "Go" }, { ...deploy, id: 1 }],
      }),
    start: (person: Person, body: unknown) => send(person, `/workflows/${id}/run`, body),
    again: (person: Person, body: unknown = {}) =>
      send(person, `/workflows/${id}/runs/${run}/again`, body),
    states: async (runId: number) =>
      (await stage.run(id, runId)).steps.map(({ name, state }) => `${name} ${state}`),
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}

Deno.test("only people who manage resources start an earlier definition", async () => {
  await using world = await newStage();
  await world.guard();
  const { status, body } = await world.start("bob", { version: 1 });
  assert.deepEqual([status, body.code], [403, "workflows.earlier_version"]);
  assert.match(body.error, /Only people who manage resources/);
  assert.deepEqual(await world.stage.openTasks(), []);
  assert.equal((await world.start("bob", { version: 2 })).status, 201);
  const started = await world.start("mike", { version: 1 });
  assert.equal(started.status, 201);
  assert.deepEqual(await world.states(started.body.id), ["Deploy running"]);
});

Deno.test("a run that is started again asks for the approvals that were added since", async () => {
  await using world = await newStage();
  await world.guard();
  for (const person of ["bob", "mike"] as const) {
    const { status, body } = await world.again(person);
    assert.equal(status, 201);
    assert.deepEqual(await world.states(body.id), ["Go waiting", "Deploy pending"]);
  }
  const asked = await world.again("bob", { latest: false });
  assert.deepEqual([asked.status, asked.body.code], [403, "workflows.earlier_version"]);
  const managed = await world.again("mike", { latest: false });
  assert.deepEqual([managed.status, managed.body.code], [409, "workflows.approvals_changed"]);
  assert.deepEqual(await world.stage.openTasks(), []);
});

Deno.test("people who manage resources repeat an earlier definition with the same approvals", async () => {
  await using world = await newStage();
  await world.stage.call("PUT", `/workflows/${world.id}`, {
    name: "Release",
    steps: [{ ...world.deploy, id: 1 }, { kind: "wait", minutes: 1, name: "Watch" }],
  });
  const { body: ofMike } = await world.again("mike");
  assert.deepEqual(await world.states(ofMike.id), ["Deploy running"]);
  const { body: ofBob } = await world.again("bob");
  assert.deepEqual(await world.states(ofBob.id), ["Deploy running", "Watch pending"]);
});

Deno.test("schedules and integrations do not pin a version of a workflow", async () => {
  await using world = await newStage();
  const { stage, id } = world;
  const schedule = {
    name: "Nightly",
    workflow_id: id,
    cron_format: "0 3 * * *",
    active: true,
    task_params: { version: 1 },
  };
  const integration = { name: "Push", workflow_id: id, task_params: { version: 1 } };
  for (const [path, form] of [["schedules", schedule], ["integrations", integration]] as const) {
    const address = `/api/project/${stage.world.web.id}/${path}`;
    const { status, body } = await stage.world.api("mike", "POST", address, form);
    assert.equal(status, 400, JSON.stringify(body));
    assert.match(body.fields["task_params.version"], /always start the latest version/);
    const asText = { ...form, task_params: { version: "1.2.3" } };
    assert.equal((await stage.world.api("mike", "POST", address, asText)).status, 201);
  }
});

Deno.test("the page says that a run is repeated as the workflow is now", async () => {
  await using world = await newStage();
  const { world: { get, web } } = world.stage;
  const path = `/project/${web.id}/workflows/${world.id}/runs/${world.run}/again`;
  await world.guard();
  const ofBob = await (await get("bob", path)).text();
  assert.match(ofBob, /Only people who manage resources can start an earlier version/);
  assert.doesNotMatch(ofBob, /name="latest"/);
  const ofMike = await (await get("mike", path)).text();
  assert.match(ofMike, /asks for other approvals since this run/);
});

Deno.test("an earlier definition asks for all approvals only if they hold back the same steps", () => {
  const base = { join: "all", after: null } as const;
  const go = (id: number, needed = 1): Step => ({
    ...base,
    id,
    name: "Go",
    kind: "approval",
    approval: approvalRuleField.parse({ needed }),
  });
  const wait = (id: number, after: Step["after"] = null): Step => ({
    ...base,
    id,
    name: `Wait ${id}`,
    kind: "wait",
    minutes: 1,
    after,
  });
  const renamed = { ...go(1), name: "Really go" };
  const always: Step["after"] = [{ step: 1, when: "always" }];
  for (
    const [asks, earlier, present] of [
      [true, [go(1), wait(2)], [renamed, { ...wait(2), name: "Pause" }]],
      [true, [go(1), wait(2)], [wait(2)]],
      [true, [go(1), wait(2), wait(3)], [go(1), wait(2)]],
      [false, [wait(2)], [go(1), wait(2)]],
      [false, [go(1), wait(2)], [go(1, 2), wait(2)]],
      [false, [go(1), wait(2, [])], [go(1), wait(2)]],
      [false, [go(1), wait(2, always)], [go(1), wait(2)]],
      [false, [go(1), wait(2), wait(3, [])], [go(1), wait(2), wait(3)]],
      [false, [go(1), { ...wait(2), join: "any" }], [go(1), wait(2)]],
    ] satisfies [boolean, Step[], Step[]][]
  ) assert.equal(asksForAll(earlier, present), asks, JSON.stringify([earlier, present]));
});
