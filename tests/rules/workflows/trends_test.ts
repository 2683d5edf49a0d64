import assert from "node:assert/strict";
import { sweepRunCounts } from "@/lib/workflows/runs/trends.ts";
import { newWorkflowStage, type WorkflowStage } from "@/tests/support/world/workflows.ts";

const step = (template_id: number, name: string, fields = {}) => ({
  kind: "template",
  template_id,
  name,
  ...fields,
});

/** Runs a workflow to its end. Each task takes a minute. */
async function runThrough(
  stage: WorkflowStage,
  id: number,
  ends: ("success" | "error")[],
  body = {},
): Promise<number> {
  const run = await stage.start(id, body);
  for (const end of ends) {
    const [task] = await stage.openTasks();
    stage.world.clock.advance(60_000);
    await stage.end(task, end);
    await stage.goOn();
  }
  return run;
}

Deno.test("trends count how runs and their steps ended, day by day, as they end", async () => {
  await using stage = await newWorkflowStage();
  const { world, call } = stage;
  const template = await stage.template();
  const id = await stage.workflow([step(template, "Build"), step(template, "Deploy")]);
  const first = world.clock.now().toISOString().slice(0, 10);
  await runThrough(stage, id, ["success", "success"]);
  await runThrough(stage, id, ["error"]);
  world.clock.advance(86_400_000);
  await runThrough(stage, id, ["success", "success"]);
  const [today, later, ...others] = await call("GET", `/workflows/${id}/stats`);
  assert.deepEqual(others, []);
  assert.equal(today.date, first);
  assert.deepEqual(today.count_by_status, { success: 1, failed: 1 });
  assert.equal(today.avg_duration, 90);
  assert.deepEqual(
    today.steps.map(({ id, count_by_state }: Record<string, unknown>) => [id, count_by_state]),
    [[1, { success: 1, failed: 1 }], [2, { success: 1, skipped: 1 }]],
  );
  assert.deepEqual(later.count_by_status, { success: 1 });
  const none = await call("GET", `/workflows/${id}/stats?end=${first}`);
  assert.deepEqual(none, []);

  const html = await (await world.get("carol", `/project/${world.web.id}/workflows/${id}`)).text();
  assert.ok(html.includes("The last 3 runs") && html.includes("Steps in the last 30 days"));
  assert.ok(html.includes("67%"), "two of three runs succeeded");

  const days = 401 * 86_400_000;
  await sweepRunCounts(world.kv, world.web.id, new Date(world.clock.now().getTime() + days));
  assert.deepEqual(await call("GET", `/workflows/${id}/stats?start=${first}`), []);
});

Deno.test("counts go with their workflow, and leave out steps that a run has kept", async () => {
  await using stage = await newWorkflowStage();
  const { world, call } = stage;
  const template = await stage.template();
  const id = await stage.workflow([step(template, "Build"), step(template, "Deploy")]);
  const run = await runThrough(stage, id, ["success", "error"]);
  await call("POST", `/workflows/${id}/runs/${run}/again`, {});
  await stage.goOn();
  await stage.end((await stage.openTasks())[0], "success");
  await stage.goOn();
  const [{ steps }] = await call("GET", `/workflows/${id}/stats`);
  assert.deepEqual(
    steps.map(({ count_by_state }: Record<string, unknown>) => count_by_state),
    [{ success: 1 }, { failed: 1, success: 1 }],
  );
  await call("DELETE", `/workflows/${id}`);
  const prefix = ["workflow_trends", world.web.id];
  assert.deepEqual(await Array.fromAsync(world.kv.list({ prefix })), []);
});

Deno.test("two runs are compared by their definitions, answers, states and durations", async () => {
  await using stage = await newWorkflowStage();
  const { world, call } = stage;
  const template = await stage.template();
  const survey_vars = [{ name: "version", title: "Version", type: "" }];
  const id = await stage.workflow(
    [step(template, "Build"), { kind: "wait", minutes: 1, name: "Pause" }],
    { survey_vars },
  );
  const answers = (version: string) => ({ environment: { version } });
  const before = await runThrough(stage, id, ["success"], answers("1"));
  world.clock.advance(61_000);
  await stage.goOn();
  const { steps: [build] } = await call("GET", `/workflows/${id}`);
  await world.api("alice", "PUT", `/api/project/${world.web.id}/workflows/${id}`, {
    name: "Release",
    survey_vars,
    steps: [{ ...build, name: "Build shop" }, step(template, "Deploy")],
  });
  const run = await runThrough(stage, id, ["success", "error"], answers("2"));
  const compared = await call("GET", `/workflows/${id}/runs/${run}/compare`);
  assert.deepEqual(
    [compared.run.id, compared.run.status, compared.base.id, compared.base.status],
    [run, "failed", before, "success"],
  );
  assert.deepEqual(compared.answers, [
    { name: "version", title: "Version", run: "2", base: "1", differs: true },
  ]);
  assert.deepEqual(
    compared.steps.map(({ name, change, changed, run, base }: Record<string, unknown>) => [
      ...[name, change, changed],
      ...[run, base].map((side) => (side as { state: string } | null)?.state),
    ]),
    [
      ["Build shop", "changed", ["name"], "success", "success"],
      ["Deploy", "added", [], "failed", undefined],
      ["Pause", "removed", [], undefined, "success"],
    ],
  );
  const path = `/project/${world.web.id}/workflows/${id}/compare`;
  const html = await (await world.get("carol", `${path}?a=${run}`)).text();
  for (const text of ["Changed: Name", "Added", "Removed", "Answer: Version"]) {
    assert.ok(html.includes(text), text);
  }
  const [{ task_id: own }, { task_id: other }] = ["run", "base"].map((side) =>
    compared.steps[0][side]
  );
  assert.ok(html.includes(`/templates/${template}/compare?a=${own}&amp;b=${other}`));
  const alone = await (await world.get("carol", `${path}?a=${before}`)).text();
  assert.ok(alone.includes("No earlier run of this workflow succeeded"));
  assert.equal((await world.get("carol", `${path}?a=${run}&b=999`)).status, 404);
});

Deno.test("statistics read as many rows after 30 runs as after three", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const { kv } = world;
  const id = await stage.workflow([{ kind: "wait", minutes: 1, name: "Wait" }]);
  const runMany = async (count: number) => {
    for (let n = 0; n < count; n++) await stage.start(id);
    world.clock.advance(61_000);
    await stage.goOn();
  };
  const countRows = async () =>
    (await Array.fromAsync(
      kv.list({ prefix: ["workflow_trends", world.web.id, id] }),
    )).length;
  await runMany(3);
  const before = await countRows();
  await runMany(27);
  assert.equal(await countRows(), before);
});
