import assert from "node:assert/strict";
import type { Deps } from "@/lib/access/deps.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { scheduleRows } from "@/lib/triggers/schedules/repository.ts";
import { takeDue } from "@/lib/triggers/schedules/take.ts";
import type { DueRow } from "@/lib/triggers/schedules/schema.ts";
import { dieAt } from "@/tests/support/basics/die_at.ts";
import { doFirings, schedule } from "@/tests/support/world/schedules.ts";
import { newWorkflowStage, type WorkflowStage } from "@/tests/support/world/workflows.ts";

const HOURLY = { cron_format: "TZ=UTC @hourly", name: "Nightly", active: true };
const REGION = { name: "region", title: "Region", type: "", required: true };

/** Creates a workflow with one step that asks for approval. */
const asking = (stage: WorkflowStage, fields = {}) =>
  stage.workflow([{ kind: "approval", name: "Ask" }], fields);

const runsOf = (stage: WorkflowStage, workflowId: number) =>
  stage.call("GET", `/workflows/${workflowId}/runs`);

async function createHourly(stage: WorkflowStage, form: Record<string, unknown>) {
  stage.world.clock.set("2024-05-03T00:30:00Z");
  return await stage.call("POST", "/schedules", { ...HOURLY, ...form });
}

Deno.test("a schedule starts a workflow with the answers to its survey", async () => {
  await using stage = await newWorkflowStage();
  const { world, call } = stage;
  const workflowId = await asking(stage, { survey_vars: [REGION] });
  const task_params = { message: "Each hour", environment: '{"region":"eu"}' };
  const made = await createHourly(stage, { workflow_id: workflowId, task_params });
  assert.deepEqual([made.template_id, made.workflow_id], [null, workflowId]);
  assert.equal(made.tpl_name, "Release");
  await schedule(world, "2024-05-03T01:00:00Z");
  const [run, ...more] = await runsOf(stage, workflowId);
  assert.equal(more.length, 0);
  assert.deepEqual([run.message, run.user_id], ["Each hour", null]);
  assert.deepEqual(run.initiator, { kind: "schedule", id: made.id, name: "Nightly" });
  const whole = await stage.run(workflowId, run.id);
  assert.equal(whole.environment, '{"region":"eu"}');
  const stored = await call("GET", `/schedules/${made.id}`);
  assert.deepEqual([stored.last_run_id, stored.last_task_id], [run.id, null]);
  assert.equal(stored.last_error, null);
});

Deno.test("answers that the survey no longer accepts are the schedule's last error", async () => {
  await using stage = await newWorkflowStage();
  const { world, call } = stage;
  const workflowId = await asking(stage, { survey_vars: [REGION] });
  const { id } = await createHourly(stage, { workflow_id: workflowId });
  await schedule(world, "2024-05-03T01:00:00Z");
  assert.deepEqual(await runsOf(stage, workflowId), []);
  const { last_error, last_run_id } = await call("GET", `/schedules/${id}`);
  assert.equal(last_run_id, null);
  assert.match(last_error, /Region/);
});

Deno.test("a schedule starts exactly one of a template and a workflow of its project", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const { web } = world;
  const workflowId = await asking(stage);
  const post = async (form: Record<string, unknown>) =>
    await world.api("alice", "POST", `/api/project/${web.id}/schedules`, { ...HOURLY, ...form });
  assert.equal((await post({})).body.fields.template_id, "This is required.");
  const both = await post({ template_id: web.templateId, workflow_id: workflowId });
  assert.equal(both.status, 400);
  assert.match(both.body.fields.workflow_id, /not both/);
  assert.equal((await post({ workflow_id: workflowId + 9 })).status, 404);
  for (const sent of [{ limit: "web" }, { params: { tags: ["a"] } }, { dry_run: true }]) {
    const { status, body } = await post({ workflow_id: workflowId, task_params: sent });
    assert.deepEqual([status, Object.values(body.fields)], [
      400,
      ["A workflow does not have this value. Set it in its steps."],
    ]);
  }
  const blank = { limit: "", arguments: "[]", dry_run: false, params: { tags: [], debug: false } };
  const unset = await post({ workflow_id: workflowId, task_params: { ...blank, message: "x" } });
  assert.equal(unset.status, 201, JSON.stringify(unset.body));
  const { body: { id } } = await post({ template_id: web.templateId });
  const path = `/api/project/${web.id}/schedules/${id}`;
  const put = { ...HOURLY, workflow_id: workflowId };
  assert.equal((await world.api("alice", "PUT", path, put)).status, 204);
  const { body } = await world.api("bob", "GET", path);
  assert.deepEqual([body.template_id, body.workflow_id], [null, workflowId]);
  const back = { ...HOURLY, template_id: web.templateId };
  assert.equal((await world.api("alice", "PUT", path, back)).status, 204);
  assert.equal((await world.api("bob", "GET", path)).body.workflow_id, null);
});

Deno.test("a workflow is deleted only after its schedules", async () => {
  await using stage = await newWorkflowStage();
  const { world, call } = stage;
  const workflowId = await asking(stage);
  const { id } = await createHourly(stage, { workflow_id: workflowId });
  const path = `/api/project/${world.web.id}/workflows/${workflowId}`;
  const refused = await world.api("alice", "DELETE", path);
  assert.deepEqual([refused.status, refused.body.schedules], [409, [{ id, name: "Nightly" }]]);
  assert.deepEqual((await call("GET", `/workflows/${workflowId}/refs`)).schedules, [
    { id, name: "Nightly" },
  ]);
  await call("DELETE", `/schedules/${id}`);
  assert.equal((await world.api("alice", "DELETE", path)).status, 204);
});

Deno.test("a schedule skips its times while its run is open, or replaces the run", async () => {
  await using stage = await newWorkflowStage();
  const { world, call } = stage;
  const workflowId = await asking(stage);
  const form = { workflow_id: workflowId, if_waiting: "one" };
  const { id } = await createHourly(stage, form);
  await schedule(world, "2024-05-03T01:00:00Z");
  await schedule(world, "2024-05-03T02:00:00Z");
  const [first, ...more] = await runsOf(stage, workflowId);
  assert.equal(more.length, 0);
  assert.ok((await call("GET", `/schedules/${id}`)).last_skipped_at);
  await call("PUT", `/schedules/${id}`, { ...HOURLY, ...form, if_waiting: "latest" });
  await schedule(world, "2024-05-03T03:00:00Z");
  await stage.goOn();
  const runs = await runsOf(stage, workflowId);
  assert.deepEqual(
    runs.map(({ id, status }: { id: number; status: string }) => [id, status]),
    [[first.id + 1, "approval"], [first.id, "stopped"]],
  );
});

Deno.test("a schedule whose run failed is among the failing ones", async () => {
  await using stage = await newWorkflowStage();
  const { world, call } = stage;
  const workflowId = await stage.workflow([
    { kind: "template", template_id: await stage.template() },
  ]);
  await createHourly(stage, { workflow_id: workflowId });
  await schedule(world, "2024-05-03T01:00:00Z");
  await stage.goOn();
  const [task] = await stage.openTasks();
  await stage.end(task, "error");
  await stage.goOn();
  const [{ id, status }] = await runsOf(stage, workflowId);
  assert.equal(status, "failed");
  const page = await world.get("alice", `/project/${world.web.id}/history`);
  assert.match(await page.text(), new RegExp(`workflows/${workflowId}/runs/${id}`));
  assert.equal((await call("GET", "/schedules"))[0].last_run_id, id);
});

Deno.test("pages show the status and the starter of a schedule's run", async () => {
  await using stage = await newWorkflowStage();
  const { world, call } = stage;
  const template_id = await stage.template({ require_confirmation: true });
  const workflowId = await stage.workflow([{ kind: "template", template_id }]);
  await createHourly(stage, { workflow_id: workflowId });
  const read = async (page: string) =>
    await (await world.get("alice", `/project/${world.web.id}/${page}`)).text();
  for (const hour of ["01", "02"]) {
    await schedule(world, `2024-05-03T${hour}:00:00Z`);
    await stage.goOn();
    assert.match(await read("schedules"), /runs\/\d+"[^]*Waiting for approval[^]*<\/a>/, hour);
    const [task] = await stage.openTasks();
    await call("POST", `/tasks/${task.id}/confirm`);
    await stage.end((await stage.openTasks())[0], "success");
    await stage.goOn();
  }
  const [{ id }] = await runsOf(stage, workflowId);
  const compared = await read(`workflows/${workflowId}/compare?a=${id}`);
  assert.ok(compared.includes("Nightly (schedule)"));
});

Deno.test("a server that dies at any commit of a time starts its run once", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const { kv, deps, clock } = world;
  const workflowId = await asking(stage);
  const form = { workflow_id: workflowId, missed: "run_once" };
  const { id } = await createHourly(stage, form);
  const due = async () => {
    const now = clock.now().toISOString();
    const rows = await Array.fromAsync(kv.list<DueRow>({ prefix: rowKeys.schedulesDue() }));
    return rows.filter(({ key }) => key[1] as string <= now);
  };
  const work = async (by: Deps) => {
    for (const entry of await due()) await takeDue(by, entry, clock.now());
    await doFirings(by);
  };
  let hour = 0;
  let isOver = false;
  for (let nth = 1; !isOver; nth++) {
    for (const when of ["before", "after"] as const) {
      clock.set(new Date(Date.UTC(2024, 4, 3, ++hour)));
      const dying = dieAt(deps, nth, when);
      await work(dying.deps).catch(() => {});
      isOver = !dying.died();
      clock.set(new Date(clock.now().getTime() + 5 * 60_000));
      await work(deps);
      assert.equal((await runsOf(stage, workflowId)).length, hour, `commit ${nth}, ${when}`);
      const row = await scheduleRows.get(kv, world.web.id, id);
      assert.equal(row.last_run_id, (await runsOf(stage, workflowId))[0].id);
    }
    assert.ok(nth < 20);
  }
});
