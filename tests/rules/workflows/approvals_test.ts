import assert from "node:assert/strict";
import { doDue } from "@/lib/jobs/engine.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { StoreLimitError } from "@/lib/store/limits.ts";
import { autorunWorker } from "@/lib/queue/start/autorun.ts";
import { beforeCommit } from "@/tests/support/basics/before_commit.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { newRule, newTarget, outbox } from "@/tests/support/services/alerting.ts";
import { htmlOf } from "@/tests/support/basics/html.ts";
import { newWorkflowStage, type WorkflowStage } from "@/tests/support/world/workflows.ts";

/** Starts a workflow with an approval before a task, and returns a function that votes on it. */
async function ask(stage: WorkflowStage, approval: unknown, starter: Person = "mike") {
  const template = await stage.template({ allow_parallel_tasks: true });
  const id = await stage.workflow([
    { kind: "approval", name: "Go", approval },
    { kind: "template", template_id: template, name: "Deploy" },
  ]);
  const run = await stage.start(id, {}, starter);
  const path = `/api/project/${stage.world.web.id}/workflows/${id}/runs/${run}/approvals/1`;
  const vote = async (person: Person, status = "approved", note = "") => {
    const answer = await stage.world.api(person, "POST", path, { status, note });
    await stage.goOn();
    return answer.status;
  };
  return { id, run, template, vote };
}

Deno.test("one approval lets the run continue, and is an event with its note", async () => {
  await using stage = await newWorkflowStage();
  const { id, run, vote } = await ask(stage, {});
  assert.equal((await stage.run(id, run)).status, "approval");
  assert.equal(await vote("carol"), 403);
  assert.equal(await vote("dave"), 404);
  assert.equal(await vote("bob", "approved", "The tests are green"), 200);
  assert.equal(await vote("alice"), 409);
  assert.equal(await vote("carol"), 403, "nothing about its state");
  const { steps, status } = await stage.run(id, run);
  assert.deepEqual([status, ...steps.map(({ state }) => state)], ["running", "success", "running"]);
  const events = await stage.call("GET", "/events");
  const told = events.find(({ username, object_type }: Record<string, string>) =>
    username === "bob" && object_type === "workflow"
  );
  assert.equal(
    told.description,
    `Go in run #${run} of workflow "Release" was approved. Note: The tests are green`,
  );
  const approvals = await stage.call("GET", `/workflows/${id}/runs/${run}/approvals`);
  const { status: decided, resolved_by_user_id, votes } = approvals[0];
  assert.deepEqual([decided, resolved_by_user_id], ["approved", stage.world.people.bob.id]);
  assert.equal(votes[0].note, "The tests are green");
});

Deno.test("one rejection ends the step as failed, whatever was approved before", async () => {
  await using stage = await newWorkflowStage();
  const { id, run, vote } = await ask(stage, { needed: 3 });
  assert.deepEqual([await vote("alice"), await vote("bob", "rejected")], [200, 200]);
  const { status, steps, end_reason } = await stage.run(id, run);
  assert.deepEqual([status, end_reason], ["failed", "Go failed: Rejected"]);
  assert.deepEqual(steps.map(({ state, reason }) => [state, reason]), [
    ["failed", "Rejected"],
    ["skipped", "Go failed"],
  ]);
});

Deno.test("the starter may not approve where the rule says so, not even an administrator", async () => {
  await using stage = await newWorkflowStage();
  const { vote } = await ask(stage, { not_starter: true }, "erin");
  assert.equal(await vote("erin"), 403);
  assert.equal(await vote("bob"), 200);
  // The starter of a nested run is the outermost person.
  const inner = await stage.workflow([{ kind: "approval", approval: { not_starter: true } }]);
  const outer = await stage.workflow([{ kind: "workflow", workflow_id: inner }]);
  const run = await stage.start(outer, {}, "bob");
  const { steps } = await stage.run(outer, run);
  const path = `/api/project/${stage.world.web.id}/workflows/${inner}/runs/${steps[0].run_id}`;
  const send = (person: Person) =>
    stage.world.api(person, "POST", `${path}/approvals/1`, { status: "approved" });
  assert.equal((await send("bob")).status, 403);
  const { status, body } = await send("mike");
  assert.deepEqual([status, body.id, body.workflow_run_id], [200, 1, steps[0].run_id]);
  assert.deepEqual(body.votes.map(({ username }: { username: string }) => username), ["mike"]);
});

Deno.test("people who last changed the workflow or its templates may not approve", async () => {
  await using stage = await newWorkflowStage();
  const { id, run, template, vote } = await ask(stage, { not_editor: true });
  assert.equal(await vote("alice"), 403);
  const path = `/templates/${template}`;
  await stage.call("PUT", path, await stage.call("GET", path), "mike");
  assert.equal(await vote("mike"), 403);
  const seen = await stage.run(id, run, "mike");
  const { may_vote, refusal } = seen.steps[0].approval!;
  assert.equal(may_vote, false);
  assert.match(String(refusal), /last person to change/);
  assert.equal((await stage.run(id, run, "bob")).steps[0].approval!.may_vote, true);
  assert.equal(await vote("bob"), 200);
});

Deno.test("a member who is removed during a vote has not voted", async () => {
  await using stage = await newWorkflowStage();
  const { kv, people } = stage.world;
  const { id, run, vote } = await ask(stage, { needed: 2 }, "bob");
  const removal = beforeCommit(
    kv,
    "set",
    "workflow_votes",
    () => stage.call("DELETE", `/users/${people.mike.id}`),
  );
  assert.equal(await vote("mike"), 404);
  assert.ok(removal.happened());
  assert.equal((await stage.run(id, run)).steps[0].approval!.approved, 0);
});

Deno.test("the starter of a workflow, or of a build, has started the task that follows", async () => {
  await using stage = await newWorkflowStage();
  const { deps, web, api } = stage.world;
  const careful = { require_confirmation: true, approval: { not_starter: true } };
  const confirm = async (person: Person) => {
    const [{ id }] = await stage.openTasks();
    const { status } = await api(person, "POST", `/api/project/${web.id}/tasks/${id}/confirm`);
    return status;
  };
  const template = await stage.template(careful);
  await stage.start(await stage.workflow([{ kind: "template", template_id: template }]), {}, "bob");
  assert.equal(await confirm("bob"), 403);
  assert.equal(await confirm("mike"), 204);
  await stage.end((await stage.openTasks())[0], "success");

  const build_template_id = await stage.template({ type: "build", start_version: "1" });
  await stage.template({ ...careful, type: "deploy", build_template_id, autorun: true });
  const build = await stage.call("POST", "/tasks", { template_id: build_template_id }, "bob");
  await stage.end(build, "success");
  await doDue(deps, autorunWorker);
  assert.equal(await confirm("bob"), 403);
  assert.equal(await confirm("mike"), 204);
});

Deno.test("the page of a run says who can approve, and leads to waiting tasks inside of steps", async () => {
  await using stage = await newWorkflowStage();
  const { web, people } = stage.world;
  const read = async (workflow: number, run: number) =>
    await htmlOf(
      await stage.world.get("bob", `/project/${web.id}/workflows/${workflow}/runs/${run}`),
    );
  const { id, run } = await ask(stage, {
    ...{ roles: ["manager"], user_ids: [people.alice.id], not_starter: true, not_editor: true },
    timeout_minutes: 30,
  });
  const asked = await read(id, run);
  assert.match(asked, /Who can approve.*Manager, Alice/s);
  assert.match(asked, /Except the person who started the run.*When the time limit passes: Reject/s);

  const template = await stage.template({ require_confirmation: true, name: "Careful" });
  const step = { kind: "template", template_id: template, name: "Deploy" };
  const inner = await stage.workflow([step], { name: "Inner" });
  const outer = await stage.workflow([{ kind: "workflow", workflow_id: inner, name: "Nested" }], {
    name: "Outer",
  });
  const outerRun = await stage.start(outer, {}, "bob");
  await stage.goOn();
  const { status, steps: [nested] } = await stage.run(outer, outerRun);
  assert.deepEqual([status, nested.state, nested.run_status], ["approval", "running", "approval"]);
  const runs = `/project/${web.id}/workflows/${inner}/runs/${nested.run_id}`;
  const around = await read(outer, outerRun);
  assert.match(around, new RegExp(`Approval: Nested.*href="${runs}"[^>]*>Review`, "s"));
  assert.match(around, /data-status="waiting"/);
  const within = await read(inner, nested.run_id!);
  const [{ id: task }] = await stage.openTasks();
  assert.match(within, new RegExp(`Approval: Deploy.*t=${task}"[^>]*>Review`, "s"));
});

Deno.test("a time limit decides as the rule says", async () => {
  await using stage = await newWorkflowStage();
  for (const [on_timeout, state] of [["approved", "success"], ["rejected", "failed"]] as const) {
    const { id, run, vote } = await ask(stage, { timeout_minutes: 30, on_timeout });
    stage.world.clock.advance(29 * 60_000);
    await stage.goOn();
    assert.equal((await stage.run(id, run)).steps[0].state, "waiting");
    stage.world.clock.advance(60_000);
    await stage.goOn();
    assert.equal((await stage.run(id, run)).steps[0].state, state);
    assert.equal(await vote("bob"), 409);
  }
});

Deno.test("a run that waits for votes alerts chats, and those who may vote, with a link", async () => {
  await using stage = await newWorkflowStage();
  const { deps, kv, web } = stage.world;
  deps.config.alerts = { ...deps.config.alerts, slackUrl: "http://chat.example.com/hook" };
  const { id, run } = await ask(stage, { message: "Really?", not_starter: true }, "bob");
  const [{ job: _, at: __, ...alert }] = await outbox({ kv });
  const { people } = stage.world;
  assert.deepEqual(alert, {
    kind: "approval",
    project_id: web.id,
    workflow_id: id,
    workflow_name: "Release",
    run_id: run,
    user_id: people.bob.id,
    username: "bob",
    user_name: people.bob.actor.name,
    step: "Go",
    message: "Really?",
    voters: { roles: [], user_ids: [], except: people.bob.id },
  });
});

Deno.test("a run shows the texts of people as they were typed", async () => {
  await using stage = await newWorkflowStage();
  const { web } = stage.world;
  const id = await stage.workflow([
    { kind: "approval", name: "<b>Go</b>", approval: { message: "Say `yes`\nor <b>no</b>" } },
    { kind: "wait", minutes: 1 },
  ]);
  const run = await stage.start(id, {}, "mike");
  const get = (path: string, person: Person = "alice") =>
    stage.world.get(person, `/project/${web.id}/workflows/${id}${path}`);
  const html = await (await get(`/runs/${run}`)).text();
  assert.ok(html.includes(">Say `yes`\nor &lt;b>no&lt;/b></p>"));
  assert.ok(html.includes(">&lt;b>Go&lt;/b></span>"));
  assert.match(
    await htmlOf(await get("/steps/new?kind=wait")),
    /<label for="field-links.2"[^>]*>Wait</,
  );
});

Deno.test("all readers of a run see the same version of it", async () => {
  await using stage = await newWorkflowStage();
  const { id, run } = await ask(stage, { roles: ["owner"] }, "mike");
  const path = `/project/${stage.world.web.id}/workflows/${id}/runs/${run}`;
  const readers: Person[] = ["alice", "bob", "carol"];
  const pages = await Promise.all(
    readers.map(async (person) => await htmlOf(await stage.world.get(person, path))),
  );
  assert.deepEqual(pages.map((html) => html.includes(">Approve</button>")), [true, false, false]);
  assert.equal(new Set(pages.map((html) => /events\?since=\w+/.exec(html)?.[0])).size, 1);
});

Deno.test("a run starts again at the failed step, and keeps what succeeded", async () => {
  await using stage = await newWorkflowStage();
  const { id, run, vote } = await ask(stage, {}, "mike");
  await vote("bob");
  const [deploy] = await stage.openTasks();
  const again = (body: unknown = {}, person: Person = "mike") =>
    stage.world.api(
      person,
      "POST",
      `/api/project/${stage.world.web.id}/workflows/${id}/runs/${run}/again`,
      body,
    );
  assert.equal((await again()).status, 409);
  await stage.end(deploy, "error");
  await stage.goOn();
  const { status, body } = await again();
  assert.equal(status, 201);
  await stage.goOn();
  const second = await stage.run(id, body.id);
  assert.equal(second.again_of, run);
  assert.deepEqual(second.steps.map(({ state, kept }) => [state, kept]), [
    ["success", true],
    ["running", false],
  ]);
  // Bob approved the first run, so the approval does not hold for one that Bob starts.
  const { body: ofBob } = await again({}, "bob");
  await stage.goOn();
  assert.equal((await stage.run(id, ofBob.id)).steps[0].state, "waiting");
  // A changed definition is approved anew.
  const { steps } = await stage.call("GET", `/workflows/${id}`);
  await stage.call("PUT", `/workflows/${id}`, { name: "Release", steps });
  const { body: latest } = await again({ latest: true });
  await stage.goOn();
  assert.equal((await stage.run(id, latest.id)).steps[0].state, "waiting");
  for (const task of await stage.openTasks()) await stage.end(task, "success");
  await stage.goOn();
  assert.equal((await stage.run(id, body.id)).status, "success");
});

Deno.test("a step after a failure is not kept, and secret answers are asked again", async () => {
  await using stage = await newWorkflowStage();
  const template = await stage.template({ allow_parallel_tasks: true });
  const task = (name: string, fields = {}) => ({
    kind: "template",
    template_id: template,
    name,
    ...fields,
  });
  const id = await stage.workflow([
    { ...task("Build"), id: -1 },
    { ...task("Deploy"), id: -2 },
    task("Roll back", { after: [{ step: -2, when: "failure" }] }),
    task("Report", { after: [{ step: -1, when: "success" }, { step: -2, when: "success" }] }),
  ], { survey_vars: [{ name: "pin", title: "PIN", type: "secret", required: true }] });
  const run = await stage.start(id, { secret: { pin: "4711" } });
  for (const how of ["success", "error", "error"] as const) {
    await stage.end((await stage.openTasks())[0], how);
    await stage.goOn();
  }
  assert.equal((await stage.run(id, run)).status, "failed");
  const path = `/api/project/${stage.world.web.id}/workflows/${id}/runs/${run}/again`;
  assert.equal((await stage.world.api("alice", "POST", path, {})).status, 400);
  const { body } = await stage.world.api("alice", "POST", path, { secret: { pin: "4712" } });
  await stage.goOn();
  assert.deepEqual(await stage.states(id, body.id), {
    Build: "success",
    Deploy: "running",
    "Roll back": "pending",
    Report: "pending",
  });
});

Deno.test("a nested run starts again at its failed step, too", async () => {
  await using stage = await newWorkflowStage();
  const template_id = await stage.template({ allow_parallel_tasks: true });
  const task = (name: string) => ({ kind: "template", template_id, name });
  const inner = await stage.workflow([task("Build"), task("Test")], { name: "Inner" });
  const outer = await stage.workflow([{ kind: "workflow", workflow_id: inner }, task("Deploy")]);
  const run = await stage.start(outer);
  for (const how of ["success", "error"] as const) {
    await stage.end((await stage.openTasks())[0], how);
    await stage.goOn();
  }
  const failed = await stage.run(outer, run);
  assert.deepEqual([failed.status, failed.end_reason], ["failed", "Inner failed: Test failed"]);
  assert.equal(failed.steps[0].reason, "Test failed");
  const { id } = await stage.call("POST", `/workflows/${outer}/runs/${run}/again`, {});
  await stage.goOn();
  const nested = (await stage.run(outer, id)).steps[0].run_id!;
  assert.deepEqual(await stage.states(inner, nested), { Build: "success", Test: "running" });
  assert.equal((await stage.run(inner, nested)).again_of, failed.steps[0].run_id);
  for (let n = 0; n < 2; n++) {
    await stage.end((await stage.openTasks())[0], "success");
    await stage.goOn();
  }
  assert.equal((await stage.run(outer, id)).status, "success");
});

Deno.test("an approval whose message quotes three large outputs asks, with its text cut", async () => {
  await using stage = await newWorkflowStage();
  const { kv, web } = stage.world;
  const target = await newTarget(stage.world, "https://alerts.example.com/");
  await newRule(stage.world, target, { events: ["waiting"] });
  const template = await stage.template({ allow_parallel_tasks: true });
  const id = await stage.workflow([
    { kind: "template", template_id: template, name: "Plan", id: -1 },
    { kind: "approval", name: "Go", approval: { message: "Now: ${1.a} ${1.b} ${1.c}" } },
  ]);
  const run = await stage.start(id);
  const [plan] = await stage.openTasks();
  for (const [name, part] of [["a", "a"], ["b", "ä漢"], ["c", "c"]]) {
    const value = new TextEncoder().encode(part.repeat(32 * 1024 / part.length)).slice(0, 32_768);
    await kv.set(rowKeys.taskOutput(web.id, plan.id, name), value);
  }
  await stage.end(plan, "success");
  await stage.goOn();
  const { status, steps } = await stage.run(id, run);
  assert.equal(status, "approval");
  const { message } = steps[1].approval!;
  assert.match(message, /^Now: aaaa.*a…$/);
  assert.ok(new TextEncoder().encode(message).length <= 8_192);
  const alerts = (await outbox({ kv })).filter(({ kind }) => kind === "approval");
  const told = alerts.map(({ message }) => message);
  assert.equal(told.length, 1);
  assert.ok(told[0].length > 1_000 && message.startsWith(told[0].slice(0, -1)));
});

Deno.test("a step that is too large to store fails with the reason, and so does the run", async () => {
  await using stage = await newWorkflowStage();
  const { kv } = stage.world;
  const template = await stage.template({ allow_parallel_tasks: true });
  const steps = [
    { kind: "approval", name: "Go", approval: {} },
    { kind: "template", template_id: template, name: "Deploy" },
  ];
  for (const [n, part] of steps.entries()) {
    const id = await stage.workflow([part], { name: `Large ${n}` });
    const atomic = kv.atomic.bind(kv);
    // The store refuses the row that the first commit about the step makes.
    kv.atomic = () => {
      const op = atomic();
      const set = op.set.bind(op);
      op.set = (key, value, options) => {
        const isBegun = key[0] === "workflow_runs" &&
          /"state":"(waiting|running)"/.test(JSON.stringify(value));
        if (isBegun) throw new StoreLimitError("workflow_runs", "valueBytes", 70_000);
        return set(key, value, options);
      };
      return op;
    };
    const run = await stage.start(id);
    kv.atomic = atomic;
    const { status, steps: [only] } = await stage.run(id, run);
    assert.deepEqual([status, only.state], ["failed", "failed"]);
    assert.equal(only.reason, "A text of this step is too large to save.");
  }
});
