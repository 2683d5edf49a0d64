import assert from "node:assert/strict";
import { storeDueDrift } from "@/lib/drift/store_checks.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { sweepPast } from "@/lib/maintenance/retention/sweep.ts";
import { queueRun } from "@/lib/queue/outboxes/workflow_outbox.ts";
import { pass, repeatingTemplate, run as runTask } from "@/tests/support/world/attempts.ts";
import { htmlOf } from "@/tests/support/basics/html.ts";
import { newWorkflowStage } from "@/tests/support/world/workflows.ts";

const step = (template_id: number, name: string, fields = {}) => ({
  kind: "template",
  template_id,
  name,
  ...fields,
});

Deno.test("each step starts when the one above has succeeded, and the run succeeds with the last", async () => {
  await using stage = await newWorkflowStage();
  const template = await stage.template();
  const id = await stage.workflow([step(template, "Build"), step(template, "Deploy")]);
  const run = await stage.start(id, { message: "Friday" }, "bob");
  const [build, ...others] = await stage.openTasks();
  assert.deepEqual(others, []);
  assert.equal(build.message, "Friday");
  assert.deepEqual(build.started_by, { kind: "workflow", name: "Release" });
  assert.deepEqual(await stage.states(id, run), { Build: "running", Deploy: "pending" });
  await stage.end(build, "success");
  await stage.goOn();
  const [deploy] = await stage.openTasks();
  assert.notEqual(deploy.id, build.id);
  await stage.end(deploy, "changed");
  await stage.goOn();
  const { status, end, steps, root_task_id, user_id, states } = await stage.run(id, run);
  assert.equal(status, "success");
  assert.ok(end);
  assert.equal(root_task_id, build.id);
  assert.equal(user_id, stage.world.people.bob.id);
  assert.deepEqual(states, ["success", "success"]);
  assert.deepEqual(steps.map(({ changed, task_id }) => [changed, task_id]), [
    [false, build.id],
    [true, deploy.id],
  ]);
  assert.deepEqual(await stage.outbox(), []);
  const { body: task } = await stage.world.api(
    "alice",
    "GET",
    `/api/project/${stage.world.web.id}/tasks/${build.id}`,
  );
  assert.equal(task.workflow_run_id, run);
  const events = await stage.call("GET", "/events");
  const told = events.map(({ description }: { description: string }) => description);
  assert.ok(told.includes(`Workflow "Release" was started (run #${run})`), told.join("\n"));
  assert.ok(told.includes(`Run #${run} of workflow "Release" succeeded`), told.join("\n"));
});

Deno.test("a failure is handled by the step that waits for it, and skips those that do not", async () => {
  await using stage = await newWorkflowStage();
  const template = await stage.template({ allow_parallel_tasks: true });
  const id = await stage.workflow([
    { ...step(template, "Wave 1"), id: -1 },
    { ...step(template, "Wave 2"), id: -2 },
    { ...step(template, "Roll back"), after: [{ step: -1, when: "failure" }] },
    { ...step(template, "Report"), after: [{ step: -2, when: "always" }] },
  ]);
  const run = await stage.start(id);
  const [wave] = await stage.openTasks();
  await stage.end(wave, "error");
  await stage.goOn();
  const [rollback, ...others] = await stage.openTasks();
  assert.deepEqual(others, []);
  const { steps } = await stage.run(id, run);
  assert.deepEqual(steps.map(({ state, reason }) => [state, reason]), [
    ["failed", ""],
    ["skipped", "Wave 1 failed"],
    ["running", ""],
    ["skipped", "Wave 2 was skipped"],
  ]);
  await stage.end(rollback, "success");
  await stage.goOn();
  assert.equal((await stage.run(id, run)).status, "success");
  const again = await stage.start(id);
  await stage.end((await stage.openTasks())[0], "error");
  await stage.goOn();
  await stage.end((await stage.openTasks())[0], "error");
  await stage.goOn();
  const { status, end_reason } = await stage.run(id, again);
  assert.deepEqual([status, end_reason], ["failed", "Wave 1 failed"]);
});

Deno.test("a failed run says why, also around a nested one, with the task that explains it", async () => {
  await using stage = await newWorkflowStage();
  const { web } = stage.world;
  const template = await stage.template();
  const inner = await stage.workflow([step(template, "Measure")], { name: "Inner" });
  const outer = await stage.workflow([{ kind: "workflow", workflow_id: inner }], { name: "Outer" });
  const run = await stage.start(outer);
  const [task] = await stage.openTasks();
  const params = { host: "web-01", task: "Compare", message: "load 14.2 is above 8", count: 0 };
  const reason = { key: "errors.run.only_failure", params };
  await stage.end(task, "error", { reason, failure_line: 12 });
  await stage.goOn();
  const of = "Measure failed: web-01: Compare: load 14.2 is above 8";
  const failed_task = { id: task.id, template_id: template, line: 12 };
  const failed = await stage.run(outer, run);
  assert.deepEqual([failed.end_reason, failed.failed_task], [`Inner failed: ${of}`, failed_task]);
  assert.deepEqual([failed.steps[0].reason, failed.steps[0].failed_task], [of, failed_task]);

  const list = `/project/${web.id}/workflows`;
  const link = new RegExp(
    `<a [^>]*href="/project/${web.id}/templates/${template}\\?t=${task.id}&amp;line=12"[^>]*>` +
      `Inner failed: ${of}</a>`,
  );
  for (const page of [list, `${list}/${outer}`, `${list}/${outer}/runs/${run}`]) {
    assert.match(await (await stage.world.get("carol", page)).text(), link, page);
  }
  const activity = `/project/${web.id}/activity`;
  const over = `href="${activity}?t=${task.id}`;
  const readActivity = async () => await (await stage.world.get("carol", activity)).text();
  const shown = await readActivity();
  assert.ok(shown.includes(`${over}"`) && shown.includes(`${over}&amp;line=12"`), shown);
  assert.match(shown, new RegExp(`>Inner failed: ${of}</a>`));
  const { status } = await stage.world.api(
    "erin",
    "DELETE",
    `/api/project/${web.id}/tasks/${task.id}`,
  );
  assert.equal(status, 204);
  assert.match(await readActivity(), new RegExp(`>Inner failed: ${of}</span>`));
  const after = await stage.run(outer, run);
  assert.deepEqual([after.end_reason, after.failed_task], [failed.end_reason, null]);
});

Deno.test("steps without a step before them start together, and a join waits for both", async () => {
  await using stage = await newWorkflowStage();
  const template = await stage.template({ allow_parallel_tasks: true });
  const id = await stage.workflow([
    { ...step(template, "East"), id: -1 },
    { ...step(template, "West"), id: -2, after: [] },
    {
      ...step(template, "Check"),
      after: [{ step: -1, when: "changed" }, { step: -2, when: "success" }],
    },
  ]);
  const run = await stage.start(id);
  const [east, west] = await stage.openTasks();
  await stage.end(west, "success");
  await stage.goOn();
  assert.deepEqual(await stage.states(id, run), {
    East: "running",
    West: "success",
    Check: "pending",
  });
  await stage.end(east, "changed");
  await stage.goOn();
  assert.equal((await stage.states(id, run)).Check, "running");
});

Deno.test("a wait continues at its time", async () => {
  await using stage = await newWorkflowStage();
  const { clock } = stage.world;
  const id = await stage.workflow([{ kind: "wait", minutes: 10, name: "Cool down" }]);
  const run = await stage.start(id);
  clock.advance(9 * 60_000);
  await stage.goOn();
  assert.deepEqual(await stage.states(id, run), { "Cool down": "waiting" });
  clock.advance(60_000);
  await stage.goOn();
  assert.equal((await stage.run(id, run)).status, "success");
  assert.deepEqual(await stage.outbox(), []);
});

Deno.test("a stop ends waiting steps immediately, and the run when its tasks have ended", async () => {
  await using stage = await newWorkflowStage();
  const template = await stage.template({ allow_parallel_tasks: true });
  const id = await stage.workflow([
    step(template, "Build"),
    { kind: "approval", name: "Go", after: [] },
    { ...step(template, "Deploy") },
  ]);
  const run = await stage.start(id);
  await stage.call("POST", `/workflows/${id}/runs/${run}/stop`, {}, "bob");
  await stage.goOn();
  const { status, steps, end_reason } = await stage.run(id, run);
  assert.deepEqual(steps.map(({ state }) => state), ["stopped", "stopped", "stopped"]);
  assert.equal(status, "stopped");
  const reasons = new Set([end_reason, ...steps.map(({ reason }) => reason)]);
  assert.deepEqual([...reasons], ["Stopped by Bob."], "also of the steps and the tasks");
  const list = `/project/${stage.world.web.id}/workflows`;
  for (const page of [list, `${list}/${id}`, `${list}/${id}/runs/${run}`]) {
    assert.match(await htmlOf(await stage.world.get("carol", page)), /Stopped by Bob\./);
  }
  assert.deepEqual(await stage.openTasks(), []);
  assert.deepEqual(await stage.outbox(), []);
});

Deno.test("a step whose task cannot start fails with the reason, and is tried again if that may help", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const asking = await stage.template({
    survey_vars: [{ name: "region", title: "Region", required: true }],
  });
  const id = await stage.workflow([step(asking, "Ask")]);
  const run = await stage.start(id);
  const { status, steps } = await stage.run(id, run);
  assert.deepEqual([status, steps[0].state, steps[0].reason], [
    "failed",
    "failed",
    "Region is required",
  ]);
  const fine = await stage.template();
  const other = await stage.workflow([step(fine, "Fine")]);
  const { get } = world.kv;
  let fails = 2;
  world.kv.get = (key, options) => {
    if (key[0] !== "inventories" || fails === 0) return get.call(world.kv, key, options) as never;
    fails--;
    throw new TypeError("the row is broken");
  };
  const late = await stage.start(other);
  assert.deepEqual(await stage.states(other, late), { Fine: "pending" });
  for (const ms of [1_000, 10_000]) {
    world.clock.advance(ms);
    await stage.goOn();
  }
  world.kv.get = get;
  assert.deepEqual(await stage.states(other, late), { Fine: "running" });
});

Deno.test("a run fails if an unknown error keeps it from continuing, and its task continues", async () => {
  await using stage = await newWorkflowStage();
  const { clock, kv } = stage.world;
  const template = await stage.template();
  const id = await stage.workflow([step(template, "Build"), step(template, "Deploy")]);
  const outer = await stage.workflow([{ kind: "workflow", workflow_id: id }], { name: "Outer" });
  const run = await stage.start(outer);
  const nested = (await stage.run(outer, run)).steps[0].run_id!;
  const { getMany } = kv;
  let failures = 0;
  kv.getMany = (keys, options) => {
    if (keys[0][0] !== "tasks") return getMany.call(kv, keys, options) as never;
    failures++;
    throw new TypeError("the row is broken");
  };
  const op = kv.atomic();
  queueRun(op, stage.world, { project_id: stage.world.web.id, run_id: nested });
  await op.commit();
  for (let minute = 0; minute < 20; minute++) {
    await stage.goOn();
    clock.advance(60_000);
  }
  kv.getMany = getMany;
  assert.equal(failures, 10);
  const { status, end_reason, steps } = await stage.run(id, nested);
  const reason = "Something went wrong on the server. Its log has the reason.";
  assert.deepEqual([status, end_reason], ["failed", reason]);
  assert.deepEqual(steps.map(({ state }) => state), ["failed", "stopped"]);
  assert.equal((await stage.run(outer, run)).status, "failed");
  const [task] = await stage.openTasks();
  await stage.end(task, "success");
  await stage.goOn();
  assert.deepEqual(await stage.outbox(), []);
});

Deno.test("values and answers go to the questions that they are meant for, as text", async () => {
  await using stage = await newWorkflowStage();
  const template = await stage.template({
    survey_vars: [
      { name: "region", title: "Region" },
      { name: "count", title: "Count", type: "int" },
      { name: "pin", title: "PIN", type: "secret" },
    ],
  });
  const survey_vars = [
    { name: "where", title: "Where" },
    { name: "number", title: "Number" },
    { name: "code", title: "Code", type: "secret" },
  ];
  const values = [
    { var: "region", from: { answer: "where" } },
    { var: "count", from: { answer: "number" } },
    { var: "pin", from: { answer: "code" } },
  ];
  const id = await stage.workflow([step(template, "Deploy", { values })], { survey_vars });
  const where = "{{ lookup('pipe','id') }}";
  const run = await stage.start(id, {
    environment: { where, number: "3" },
    secret: { code: "4711" },
  });
  const [task] = await stage.openTasks();
  assert.deepEqual(JSON.parse(task.environment), { region: where, count: 3 });
  assert.deepEqual(task.secret_names, ["pin"]);
  assert.ok(!JSON.stringify(await stage.run(id, run)).includes("4711"));
  const wrong = await stage.start(id, { environment: { number: "many" } });
  const { steps } = await stage.run(id, wrong);
  assert.equal(steps[0].state, "failed");
  assert.match(String(steps[0].reason), /"count"/);
  const secrets = stage.world.kv.list({ prefix: ["workflow_secrets"] });
  assert.equal((await Array.fromAsync(secrets)).length, 1);
  await stage.end(task, "success");
  await stage.goOn();
  assert.deepEqual(
    await Array.fromAsync(stage.world.kv.list({ prefix: ["workflow_secrets"] })),
    [],
  );
});

Deno.test("steps that are wrong are refused by field", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const template = await stage.template();
  const refused = async (steps: unknown[], fields = {}) => {
    const path = `/api/project/${world.web.id}/workflows`;
    const { status, body } = await world.api("alice", "POST", path, {
      name: "W",
      steps,
      ...fields,
    });
    assert.ok(status === 400 || status === 404, JSON.stringify(body));
    return Object.entries(body.fields).map(([field, text]) => `${field}: ${text}`);
  };
  const cyclic = [
    { ...step(template, "A"), id: -1, after: [{ step: -2 }] },
    { ...step(template, "B"), id: -2, after: [{ step: -1 }] },
  ];
  assert.deepEqual(await refused(cyclic), [
    "steps.0.after: This step would wait for itself.",
    "steps.1.after: This step would wait for itself.",
  ]);
  assert.deepEqual(await refused([step(template, "A", { after: [{ step: 9 }] })]), [
    "steps.0.after: The workflow has no such step.",
  ]);
  const empty = await stage.workflow([]);
  const path = `/api/project/${world.web.id}/workflows/${empty}/run`;
  const { status, body } = await world.api("alice", "POST", path, {});
  assert.deepEqual([status, body.error], [409, "A workflow needs at least one step."]);
  assert.equal((await refused([step(999_999, "A")])).length, 1);
  const later = [
    { ...step(template, "A"), values: [{ var: "x", from: { step: -2, name: "v" } }] },
    { ...step(template, "B"), id: -2 },
  ];
  assert.deepEqual(await refused(later), [
    "steps.0.values.0.from: This value comes from a step that does not run before this one.",
  ]);
  assert.deepEqual(await refused([{ kind: "wait" }]), ["steps.0.minutes: This is required."]);
});

Deno.test("a step keeps its id through changes, and an id is never used again", async () => {
  await using stage = await newWorkflowStage();
  const template = await stage.template();
  const id = await stage.workflow([step(template, "A"), step(template, "B")]);
  const body = { name: "Release", steps: [{ ...step(template, "B"), id: 2 }, step(template, "C")] };
  await stage.call("PUT", `/workflows/${id}`, body);
  const changed = await stage.call("GET", `/workflows/${id}`);
  assert.deepEqual(changed.steps.map(({ id }: { id: number }) => id), [2, 3]);
  assert.equal(changed.version, 2);
  await stage.call("PUT", `/workflows/${id}`, { name: "Release", steps: [step(template, "D")] });
  const last = await stage.call("GET", `/workflows/${id}`);
  assert.deepEqual(last.steps.map(({ id }: { id: number }) => id), [4]);
});

Deno.test("nodes and edges of other clients make the same workflow, and are answered", async () => {
  await using stage = await newWorkflowStage();
  const template = await stage.template();
  const { id } = await stage.call("POST", "/workflows", {
    name: "Release",
    nodes: [
      { id: -1, kind: "task", template_id: template, inventory_id: stage.world.web.inventoryId },
      { id: -2, kind: "approval", approval_message: "Sure?", approval_timeout: 90 },
      { id: -3, template_id: template, convergence_mode: "any" },
      { id: -4, kind: "note", text: "Only words", position_x: 7 },
    ],
    edges: [
      { source_node_id: -1, destination_node_id: -2, condition: "on_success" },
      { source_node_id: -1, destination_node_id: -3, condition: "on_failure" },
      { source_node_id: -2, destination_node_id: -3, condition: "always" },
    ],
  });
  const { steps, nodes, edges } = await stage.call("GET", `/workflows/${id}`);
  assert.deepEqual(
    steps.map(({ kind, after, join }: Record<string, unknown>) => [kind, after, join]),
    [
      ["template", [], "all"],
      ["approval", [{ step: 1, when: "success" }], "all"],
      ["template", [{ step: 1, when: "failure" }, { step: 2, when: "always" }], "any"],
    ],
  );
  assert.equal(steps[1].approval.timeout_minutes, 2);
  assert.deepEqual(nodes.map(({ kind }: { kind: string }) => kind), [
    "task",
    "approval",
    "task",
    "note",
  ]);
  assert.equal(nodes[3].position_x, 7);
  assert.deepEqual(edges[1], {
    id: 2,
    workflow_template_id: id,
    source_node_id: 1,
    destination_node_id: 3,
    condition: "on_failure",
    input_mode: "explicit",
    input_mappings: [],
  });
});

Deno.test("values and notes that are too long are refused with their limits", async () => {
  await using stage = await newWorkflowStage();
  const template_id = await stage.template();
  const refused = async (fields: Record<string, unknown>) => {
    const path = `/api/project/${stage.world.web.id}/workflows`;
    const { status, body } = await stage.world.api("alice", "POST", path, { name: "W", ...fields });
    assert.equal(status, 400);
    return body.fields;
  };
  const params = { message: "x".repeat(10_000) };
  const sentence = /^This is too long\. The limit is [\d,]+\.$/;
  const steps = await refused({ steps: [{ kind: "template", template_id, params }] });
  assert.match(steps["steps.0.params.message"], sentence);
  const task = await refused({ nodes: [{ kind: "task", template_id, task_params: params }] });
  assert.match(task["nodes.0.params.message"], sentence);
  const notes = await refused({ nodes: [{ kind: "note", text: "x".repeat(300_000) }] });
  assert.match(notes.nodes, /limit/i);
});

Deno.test("a template that a workflow uses cannot be deleted, nor a workflow with an open run", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const path = `/api/project/${world.web.id}`;
  const template = await stage.template();
  const id = await stage.workflow([step(template, "A")]);
  const refs = await stage.call("GET", `/templates/${template}/refs`);
  assert.deepEqual(refs.workflows, [{ id, name: "Release" }]);
  const refused = await world.api("alice", "DELETE", `${path}/templates/${template}`);
  assert.equal(refused.status, 409);
  assert.match(refused.body.error, /workflow "Release"/);
  const run = await stage.start(id);
  assert.equal((await world.api("alice", "DELETE", `${path}/workflows/${id}`)).status, 409);
  await stage.end((await stage.openTasks())[0], "success");
  await stage.goOn();
  await stage.call("DELETE", `/workflows/${id}`);
  await stage.call("DELETE", `/templates/${template}`);
  assert.equal(
    (await world.api("alice", "GET", `${path}/workflows/${id}/runs/${run}`)).status,
    404,
  );
  for (
    const rows of ["workflow_runs", "workflow_runs_by", "workflow_definitions", "workflow_votes"]
  ) {
    assert.deepEqual(await Array.fromAsync(world.kv.list({ prefix: [rows] })), [], rows);
  }
  assert.equal((await world.kv.get(rowKeys.openWorkflowRun(world.web.id, run))).value, null);
});

Deno.test("a workflow runs in another one, up to five levels and never in itself", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const template = await stage.template();
  const ids = [await stage.workflow([step(template, "Work")], { name: "Level 1" })];
  for (let level = 2; level <= 5; level++) {
    const nested = [{ kind: "workflow", workflow_id: ids.at(-1) }];
    ids.push(await stage.workflow(nested, { name: `Level ${level}` }));
  }
  const path = `/api/project/${world.web.id}/workflows`;
  const deeper = { name: "Six", steps: [{ kind: "workflow", workflow_id: ids[4] }] };
  assert.equal((await world.api("alice", "POST", path, deeper)).status, 400);
  const circle = { name: "Level 1", steps: [{ kind: "workflow", workflow_id: ids[4] }] };
  const { status, body } = await world.api("alice", "PUT", `${path}/${ids[0]}`, circle);
  assert.deepEqual([status, body.error], [400, "A workflow cannot contain itself."]);
  const run = await stage.start(ids[4], {}, "bob");
  const [task] = await stage.openTasks();
  assert.equal(task.workflow?.starter_id, world.people.bob.id);
  await stage.end(task, "success");
  await stage.goOn();
  assert.equal((await stage.run(ids[4], run)).status, "success");
  const [stopped] = [await stage.start(ids[4])];
  await stage.call("POST", `/workflows/${ids[4]}/runs/${stopped}/stop`, { force: true });
  await stage.goOn();
  assert.equal((await stage.run(ids[4], stopped)).status, "stopped");
  assert.deepEqual(await stage.openTasks(), []);
});

Deno.test("nested runs count towards the limit of open runs", async () => {
  await using stage = await newWorkflowStage();
  const { clock, kv, web } = stage.world;
  const inner = await stage.workflow([{ kind: "wait", minutes: 1 }], { name: "Inner" });
  const outer = await stage.workflow([
    { kind: "wait", minutes: 1 },
    { kind: "workflow", workflow_id: inner },
  ]);
  const run = await stage.start(outer);
  for (let from = 0; from < 1_000; from += 100) {
    const op = kv.atomic();
    for (let n = from; n < from + 100; n++) op.set(rowKeys.openWorkflowRun(web.id, 10_000 + n), 0);
    await op.commit();
  }
  for (const ms of [60_000, 1_000, 10_000, 60_000]) {
    clock.advance(ms);
    await stage.goOn();
  }
  const { steps } = await stage.run(outer, run);
  assert.deepEqual([steps[1].state, steps[1].run_id], ["failed", null]);
  assert.match(String(steps[1].reason), /1,000/);
});

Deno.test("a deploy rolls out the build of its own run, whatever was built meanwhile", async () => {
  await using stage = await newWorkflowStage();
  const build = await stage.template({
    type: "build",
    start_version: "1",
    allow_parallel_tasks: true,
  });
  const deploy = await stage.template({ type: "deploy", build_template_id: build });
  const id = await stage.workflow([
    step(build, "Build"),
    { kind: "approval", name: "Go" },
    step(deploy, "Deploy"),
  ]);
  const run = await stage.start(id);
  const [own] = await stage.openTasks();
  await stage.end(own, "success");
  await stage.goOn();
  await stage.call("POST", "/tasks", { template_id: build });
  await stage.end((await stage.openTasks())[0], "success");
  await stage.call("POST", `/workflows/${id}/runs/${run}/approvals/2`, { status: "approved" });
  await stage.goOn();
  const [deployed] = await stage.openTasks();
  assert.deepEqual([deployed.build_task_id, deployed.incoming_version], [own.id, own.version]);
});

Deno.test("a value of a step goes to a later one, and a missing one fails it with its name", async () => {
  await using stage = await newWorkflowStage();
  const { kv, web } = stage.world;
  const survey_vars = [{ name: "version", title: "Version", required: true }];
  const template = await stage.template({ survey_vars, allow_parallel_tasks: true });
  const plain = await stage.template({ allow_parallel_tasks: true });
  const id = await stage.workflow([
    { ...step(plain, "Build"), id: -1 },
    step(template, "Deploy", { values: [{ var: "version", from: { step: -1, name: "v" } }] }),
  ]);
  const run = await stage.start(id);
  const [build] = await stage.openTasks();
  await kv.set(rowKeys.taskOutput(web.id, build.id, "v"), new TextEncoder().encode("1.2 {{ x }}"));
  await stage.end(build, "success");
  await stage.goOn();
  const [deploy] = await stage.openTasks();
  assert.deepEqual(JSON.parse(deploy.environment), { version: "1.2 {{ x }}" });
  assert.deepEqual(await stage.call("GET", `/workflows/${id}/runs/${run}/artifacts`), {
    1: { v: "1.2 {{ x }}" },
  });
  const without = await stage.start(id);
  await stage.end((await stage.openTasks()).at(-1)!, "success");
  await stage.goOn();
  const { steps } = await stage.run(id, without);
  assert.equal(
    steps[1].reason,
    '"version" needs a value, but Build has no output named "v".',
  );
});

Deno.test("runs expire like tasks, but for the latest and those that have not ended", async () => {
  await using stage = await newWorkflowStage({
    config: { retention: { tasksPerTemplate: 0, taskDays: 30, eventDays: 0 } },
  });
  const { world } = stage;
  const asking = [{ kind: "approval", name: "Go" }];
  const id = await stage.workflow(asking);
  const end = async (run: number) => {
    const path = `/workflows/${id}/runs/${run}/approvals/1`;
    const { steps } = await stage.run(id, run);
    await stage.call("POST", path.replace(/1$/, String(steps[0].id)), { status: "approved" });
    await stage.goOn();
  };
  const first = await stage.start(id);
  await end(first);
  const open = await stage.start(id);
  await stage.call("PUT", `/workflows/${id}`, { name: "Release", steps: asking });
  const old = await stage.start(id);
  await end(old);
  const latest = await stage.start(id);
  // Sessions end before that.
  const sweepLater = async () => {
    const now = world.clock.now();
    world.clock.advance(31 * 86_400_000);
    const { runs } = await sweepPast(world.deps);
    world.clock.set(now);
    return runs;
  };
  assert.equal(await sweepLater(), 2);
  const rows = async (prefix: string) =>
    (await Array.fromAsync(world.kv.list({ prefix: [prefix] }))).length;
  const ids = async () => {
    const runs = await stage.call("GET", `/workflows/${id}/runs`);
    return runs.map((run: { id: number }) => run.id);
  };
  assert.deepEqual(await ids(), [latest, open]);
  assert.equal(await rows("workflow_definitions"), 2, "the open run follows the older version");
  await end(open);
  assert.equal(await sweepLater(), 1);
  assert.deepEqual(await ids(), [latest]);
  assert.deepEqual([await rows("workflow_votes"), await rows("workflow_definitions")], [0, 1]);
  await end(latest);
  assert.equal(await sweepLater(), 0, "the latest run stays, however old");
});

Deno.test("a nested run that has ended stays while the run that started it is open", async () => {
  await using stage = await newWorkflowStage({
    config: { retention: { tasksPerTemplate: 1, taskDays: 0, eventDays: 0 } },
  });
  const { clock, deps } = stage.world;
  const inner = await stage.workflow([{ kind: "wait", minutes: 1 }], { name: "Inner" });
  const outer = await stage.workflow([
    { kind: "workflow", workflow_id: inner },
    { kind: "approval" },
  ]);
  const run = await stage.start(outer);
  await stage.start(inner);
  clock.advance(60_000);
  await stage.goOn();
  assert.equal((await sweepPast(deps)).runs, 0);
  const { steps } = await stage.run(outer, run);
  assert.equal((await stage.run(inner, steps[0].run_id!)).status, "success");
  await stage.call("POST", `/workflows/${outer}/runs/${run}/approvals/2`, { status: "approved" });
  await stage.goOn();
  assert.equal((await sweepPast(deps)).runs, 1);
});

Deno.test("surplus tasks and runs are kept until the run of the workflow has ended", async () => {
  await using stage = await newWorkflowStage({
    config: { retention: { tasksPerTemplate: 1, taskDays: 0, eventDays: 0 } },
  });
  const { deps } = stage.world;
  const template_id = await stage.template();
  const id = await stage.workflow([{ kind: "template", template_id }, { kind: "approval" }]);
  const build = async () => {
    const run = await stage.start(id);
    await stage.end((await stage.openTasks())[0], "success");
    await stage.goOn();
    return run;
  };
  const approve = async (run: number) => {
    const vote = `/workflows/${id}/runs/${run}/approvals/2`;
    await stage.call("POST", vote, { status: "approved" });
    await stage.goOn();
  };
  const first = await build();
  const second = await build();
  assert.deepEqual(await sweepPast(deps), { tasks: 0, runs: 0, events: 0 });
  await storeDueDrift(deps);
  await approve(first);
  assert.deepEqual(await sweepPast(deps), { tasks: 1, runs: 1, events: 0 });
  await approve(second);
  assert.deepEqual(await sweepPast(deps), { tasks: 0, runs: 0, events: 0 });
});

Deno.test("the row of a run has room for 100 steps that fail with long reasons", async () => {
  await using stage = await newWorkflowStage();
  const name = "步".repeat(100);
  const survey_vars = ["a", "b"].map((letter) => ({
    name: letter.repeat(100),
    title: name.repeat(5),
    required: true,
  }));
  const template = await stage.template({ survey_vars });
  const plain = await stage.template();
  const values = survey_vars.map((question) => ({
    var: question.name,
    from: { step: -1, name },
  }));
  const id = await stage.workflow([
    { ...step(plain, name), id: -1 },
    ...Array.from({ length: 99 }, () => ({
      ...step(template, name, { values }),
      after: [{ step: -1 }],
    })),
  ], { survey_vars: [{ name: "note", title: "Note" }] });
  const run = await stage.start(id, { environment: { note: "步".repeat(2_700) } });
  await stage.end((await stage.openTasks())[0], "success");
  await stage.goOn();
  const { status, states } = await stage.run(id, run);
  assert.equal(status, "failed");
  assert.equal(states.filter((state) => state === "failed").length, 99);
});

Deno.test("a step waits for the last attempt of its task, and follows its outcome", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const flaky = await repeatingTemplate(world, { retry_attempts: 2 });
  const [good, bad] = [await stage.template(), await stage.template()];
  const id = await stage.workflow([
    { id: 1, kind: "template", name: "flaky", template_id: flaky },
    {
      id: 2,
      kind: "template",
      name: "good",
      template_id: good,
      after: [{ step: 1, when: "success" }],
    },
    {
      id: 3,
      kind: "template",
      name: "bad",
      template_id: bad,
      after: [{ step: 1, when: "failure" }],
    },
  ]);
  const begin = async () => {
    const run = await stage.start(id);
    const [first] = await stage.openTasks();
    await runTask(world, first.id, { web1: "ok", web2: "failed" });
    await stage.goOn();
    return { run, first };
  };
  const { run, first } = await begin();
  assert.deepEqual(await stage.states(id, run), {
    flaky: "running",
    good: "pending",
    bad: "pending",
  });
  await pass(world, 5);
  await stage.goOn();
  const [second] = await stage.openTasks();
  assert.equal(second.retry_of?.task_id, first.id);
  assert.equal((await stage.run(id, run)).steps[0].task_id, second.id);
  await runTask(world, second.id, { web2: "ok" });
  await stage.goOn();
  assert.deepEqual(await stage.states(id, run), {
    flaky: "success",
    good: "running",
    bad: "skipped",
  });
  for (const task of await stage.openTasks()) await stage.end(task, "success");

  const failing = await begin();
  for (let n = 0; n < 2; n++) {
    await pass(world, 5);
    await runTask(world, (await stage.openTasks())[0].id, { web2: "failed" });
    await stage.goOn();
  }
  assert.deepEqual(await stage.states(id, failing.run), {
    flaky: "failed",
    good: "skipped",
    bad: "running",
  });
  for (const task of await stage.openTasks()) await stage.end(task, "success");

  // A stop of the run cancels the next attempt, and also one that has just begun.
  for (const late of [false, true]) {
    const stopped = await begin();
    if (late) await pass(world, 5);
    await stage.call("POST", `/workflows/${id}/runs/${stopped.run}/stop`);
    await stage.goOn();
    await stage.goOn();
    assert.equal((await stage.run(id, stopped.run)).status, "stopped", String(late));
    await pass(world, 600);
    assert.deepEqual(await stage.openTasks(), []);
  }
});
