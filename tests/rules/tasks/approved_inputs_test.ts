import assert from "node:assert/strict";
import type { Person } from "@/tests/support/world/cast.ts";
import { beforeCommit } from "@/tests/support/basics/before_commit.ts";
import { pass, repeatingTemplate, run as runTask } from "@/tests/support/world/attempts.ts";
import { htmlOf } from "@/tests/support/basics/html.ts";
import { newWorkflowStage, type WorkflowStage } from "@/tests/support/world/workflows.ts";

/** A run that waits for an approval before it deploys. */
async function newRun(stage: WorkflowStage, approval: unknown = {}, more: unknown[] = []) {
  const { world } = stage;
  const template = await stage.template({ name: "Deploy", allow_parallel_tasks: true });
  const id = await stage.workflow([
    { kind: "approval", name: "Go", approval },
    ...more,
    { kind: "template", template_id: template, name: "Deploy" },
  ]);
  const run = await stage.start(id, {}, "mike");
  const path = `/api/project/${world.web.id}/workflows/${id}/runs/${run}/approvals/1`;
  return {
    id,
    run,
    template,
    async vote(person: Person, status = "approved") {
      return (await world.api(person, "POST", path, { status })).status;
    },
    states: () => stage.states(id, run),
    approval: async () => (await stage.run(id, run, "bob")).steps[0].approval!,
  };
}

/** Changes a resource of the stage, as a person does. */
async function change(
  stage: WorkflowStage,
  path: string,
  fields: unknown,
  person: Person = "mike",
) {
  const stored = await stage.call("GET", path, undefined, person);
  await stage.call("PUT", path, { ...stored, ...fields as object }, person);
}

const eventsOf = async (stage: WorkflowStage) =>
  (await stage.call("GET", "/events")).map(({ description }: { description: string }) =>
    description
  ) as string[];

/** Paths of objects that a step runs with, and changes of them. */
const CHANGES = (stage: WorkflowStage, template: number) => {
  const { web } = stage.world;
  return [
    [`/templates/${template}`, { playbook: "other.yml" }, /template "Deploy"/],
    [`/inventory/${web.inventoryId}`, { inventory: "other.example" }, /Inventory/],
    [`/environment/${web.environmentId}`, { json: '{"a": 1}' }, /Environment/],
    [`/repositories/${web.repositoryId}`, { git_branch: "other" }, /Repository/],
  ] as const;
};

for (const n of [0, 1, 2, 3]) {
  Deno.test(`a changed ${["template", "inventory", "environment", "repository"][n]} behind an approval is asked about again`, async () => {
    await using stage = await newWorkflowStage();
    const { vote, states, approval, template } = await newRun(stage);
    assert.equal(await vote("bob"), 200);
    const [path, fields, named] = CHANGES(stage, template)[n];
    await change(stage, path, fields);
    await stage.goOn();
    assert.deepEqual(await states(), { Go: "waiting", Deploy: "pending" });
    assert.deepEqual(await stage.openTasks(), []);
    const asked = await approval();
    assert.deepEqual([asked.approved, asked.votes, asked.may_vote], [0, [], true]);
    assert.match(String(asked.asked_again), /^After the approval: /);
    assert.match(String(asked.asked_again), named);
    assert.match(String(asked.asked_again), /was changed \(mike\)\.$/);
    const [waits, again] = await eventsOf(stage);
    assert.match(waits, /is waiting for approval: Go/);
    assert.match(again, /^Go in run #\d+ of workflow "Release" needs approval again\. After the/);
    assert.equal(await vote("bob"), 200);
    await stage.goOn();
    assert.deepEqual(await states(), { Go: "success", Deploy: "running" });
  });
}

Deno.test("an approval that is asked for again can be rejected, and its page says why", async () => {
  await using stage = await newWorkflowStage();
  const { id, run, vote, states, template } = await newRun(stage);
  await vote("bob");
  await change(stage, `/templates/${template}`, { playbook: "other.yml" });
  await stage.goOn();
  const { world: { get, web } } = stage;
  const html = await htmlOf(await get("bob", `/project/${web.id}/workflows/${id}/runs/${run}`));
  assert.match(html, /Approval is needed again/);
  assert.match(html, /Task template (&quot;|")Deploy(&quot;|") was changed \(mike\)/);
  await vote("bob", "rejected");
  await stage.goOn();
  assert.deepEqual(await states(), { Go: "failed", Deploy: "skipped" });
});

Deno.test("a vote counts only with those about the same inputs", async () => {
  await using stage = await newWorkflowStage();
  const { vote, states, approval, template } = await newRun(stage, { needed: 2 });
  await vote("bob");
  await change(stage, `/templates/${template}`, { playbook: "other.yml" });
  await vote("alice");
  await stage.goOn();
  const asked = await approval();
  assert.deepEqual([asked.approved, asked.votes.map(({ username }) => username)], [1, ["alice"]]);
  assert.match(String(asked.asked_again), /template "Deploy" was changed/);
  assert.equal(await vote("bob"), 200, "for the changed template");
  await stage.goOn();
  assert.deepEqual(await states(), { Go: "success", Deploy: "running" });
});

Deno.test("a change in the moment of the start is asked about again", async () => {
  await using stage = await newWorkflowStage();
  const { vote, states, template } = await newRun(stage);
  await vote("bob");
  const edit = beforeCommit(stage.world.kv, "set", "tasks", async () => {
    await change(stage, `/templates/${template}`, { playbook: "other.yml" });
  });
  await stage.goOn();
  assert.ok(edit.happened());
  await stage.goOn();
  assert.deepEqual(await states(), { Go: "waiting", Deploy: "pending" });
  assert.deepEqual(await stage.openTasks(), []);
});

Deno.test("a wait behind an approval that is asked for again begins again", async () => {
  await using stage = await newWorkflowStage();
  const wait = { kind: "wait", minutes: 5, name: "Pause" };
  const { vote, states, template } = await newRun(stage, {}, [wait]);
  await vote("bob");
  await stage.goOn();
  stage.world.clock.advance(5 * 60_000);
  await change(stage, `/templates/${template}`, { playbook: "other.yml" });
  await stage.goOn();
  assert.deepEqual(await states(), { Go: "waiting", Pause: "pending", Deploy: "pending" });
});

Deno.test("a step after another one waits for the approval that is asked for again", async () => {
  await using stage = await newWorkflowStage();
  const build = await stage.template({ name: "Check", allow_parallel_tasks: true });
  const step = { kind: "template", template_id: build, name: "Check" };
  const { vote, states, template } = await newRun(stage, {}, [step]);
  await vote("bob");
  await stage.goOn();
  await change(stage, `/templates/${template}`, { playbook: "other.yml" });
  for (const task of await stage.openTasks()) await stage.end(task, "success");
  await stage.goOn();
  assert.deepEqual(await states(), { Go: "waiting", Check: "success", Deploy: "pending" });
  assert.deepEqual(await stage.openTasks(), []);
  await vote("bob", "rejected");
  await stage.goOn();
  assert.deepEqual(await states(), { Go: "failed", Check: "success", Deploy: "skipped" });
});

Deno.test("steps of a nested workflow run as they were approved, or fail with the reason", async () => {
  await using stage = await newWorkflowStage();
  const [first, second] = [
    await stage.template({ name: "First", allow_parallel_tasks: true }),
    await stage.template({ name: "Second", allow_parallel_tasks: true }),
  ];
  const inner = await stage.workflow([
    { kind: "template", template_id: first, name: "First" },
    { kind: "template", template_id: second, name: "Second" },
  ], { name: "Inner" });
  const outer = await stage.workflow([
    { kind: "approval", name: "Go" },
    { kind: "workflow", workflow_id: inner, name: "All" },
  ], { name: "Outer" });
  const run = await stage.start(outer, {}, "mike");
  const path = `/workflows/${outer}/runs/${run}/approvals/1`;
  await stage.call("POST", path, { status: "approved" }, "bob");
  await change(stage, `/templates/${second}`, { playbook: "other.yml" });
  await stage.goOn();
  assert.deepEqual(await stage.states(outer, run), { Go: "waiting", All: "pending" });
  await stage.call("POST", path, { status: "approved" }, "bob");
  await stage.goOn();
  await change(stage, `/templates/${second}`, { playbook: "another.yml" });
  for (const task of await stage.openTasks()) await stage.end(task, "success");
  await stage.goOn();
  const { steps } = await stage.run(outer, run);
  const nested = await stage.run(inner, steps[1].run_id!);
  assert.deepEqual(nested.steps.map(({ state }) => state), ["success", "failed"]);
  assert.match(String(nested.steps[1].reason), /After the approval: Task template "Second"/);
});

Deno.test("a run that is started again keeps what was approved, and asks again after a change", async () => {
  await using stage = await newWorkflowStage();
  const { id, run, vote, template } = await newRun(stage);
  await vote("bob");
  await stage.goOn();
  for (const task of await stage.openTasks()) await stage.end(task, "error");
  await stage.goOn();
  const again = async (of: number) => {
    const { id: next } = await stage.call("POST", `/workflows/${id}/runs/${of}/again`, {}, "mike");
    await stage.goOn();
    return next;
  };
  const same = await again(run);
  assert.deepEqual(await stage.states(id, same), { Go: "success", Deploy: "running" });
  for (const task of await stage.openTasks()) await stage.end(task, "error");
  await stage.goOn();
  await change(stage, `/templates/${template}`, { playbook: "other.yml" });
  const changed = await again(same);
  assert.deepEqual(await stage.states(id, changed), { Go: "waiting", Deploy: "pending" });
});

Deno.test("a step for a rejection runs if what is asked for again is rejected", async () => {
  await using stage = await newWorkflowStage();
  const template = await stage.template({ name: "Deploy", allow_parallel_tasks: true });
  const tell = await stage.template({ name: "Tell", allow_parallel_tasks: true });
  const id = await stage.workflow([
    { id: -1, kind: "approval", name: "Go" },
    {
      ...{ kind: "template", template_id: tell, name: "Tell" },
      after: [{ step: -1, when: "failure" }],
    },
    {
      ...{ kind: "template", template_id: template, name: "Deploy" },
      after: [{ step: -1, when: "success" }],
    },
  ]);
  const run = await stage.start(id, {}, "mike");
  const vote = async (status: string) => {
    const path = `/workflows/${id}/runs/${run}/approvals/1`;
    await stage.call("POST", path, { status }, "bob");
    await change(stage, `/templates/${template}`, { playbook: `${status}.yml` });
    await stage.goOn();
  };
  await vote("approved");
  assert.deepEqual(await stage.states(id, run), {
    ...{ Go: "waiting", Tell: "pending", Deploy: "pending" },
  });
  await vote("rejected");
  assert.deepEqual(await stage.states(id, run), {
    ...{ Go: "failed", Tell: "running", Deploy: "skipped" },
  });
});

Deno.test("a failed step is not repeated automatically with inputs that no one has approved", async () => {
  for (const isChanged of [false, true]) {
    await using stage = await newWorkflowStage();
    const { world } = stage;
    const flaky = await repeatingTemplate(world, { retry_attempts: 2 });
    const id = await stage.workflow([
      { kind: "approval", name: "Go" },
      { kind: "template", template_id: flaky, name: "Flaky" },
    ]);
    const run = await stage.start(id, {}, "mike");
    const path = `/workflows/${id}/runs/${run}/approvals/1`;
    await stage.call("POST", path, { status: "approved" }, "bob");
    await stage.goOn();
    const [task] = await stage.openTasks();
    await runTask(world, task.id, { web1: "ok", web2: "failed" });
    if (isChanged) await change(stage, `/templates/${flaky}`, { playbook: "other.yml" });
    await pass(world, 5);
    await stage.goOn();
    const tasks = await stage.openTasks();
    assert.equal(tasks.length, isChanged ? 0 : 1);
    assert.equal((await stage.states(id, run)).Flaky, isChanged ? "failed" : "running");
    for (const { id } of tasks) await runTask(world, id, { web2: "ok" });
    const left = await Array.fromAsync(world.kv.list({ prefix: ["approved_inputs"] }));
    assert.deepEqual(left, []);
  }
});
