import assert from "node:assert/strict";
import { openProject } from "@/lib/access/scope.ts";
import { paths } from "@/lib/base/paths.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { sweepPast } from "@/lib/maintenance/retention/sweep.ts";
import type { RunRow } from "@/lib/workflows/run_schema.ts";
import { deleteWorkflow } from "@/lib/workflows/service.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newWorkflowStage } from "@/tests/support/world/workflows.ts";

const KINDS = ["workflow_runs", "workflow_runs_by", "workflow_votes", "workflow_definitions"];

Deno.test("a deleted workflow with many runs answers early, and the sweep removes what is left", async () => {
  await using stage = await newWorkflowStage();
  const { world: { deps, kv, web, people } } = stage;
  const id = await stage.workflow([{ kind: "approval", name: "Go" }]);
  const first = await stage.start(id);
  const { steps: [{ id: stepId }] } = await stage.run(id, first);
  await stage.call("POST", `/workflows/${id}/runs/${first}/approvals/${stepId}`, {
    status: "approved",
  });
  await stage.goOn();
  const { value: run } = await kv.get<RunRow>(rowKeys.workflowRun(web.id, first));
  const plant = async (workflowId: number, from: number, count: number) => {
    for (let at = from; at < from + count; at += 100) {
      const op = kv.atomic();
      for (let copy = at; copy < at + 100; copy++) {
        op.set(rowKeys.workflowRun(web.id, copy), { ...run, id: copy, workflow_id: workflowId })
          .set(rowKeys.workflowRunBy(web.id, workflowId, copy), true)
          .set(rowKeys.workflowVote(web.id, copy, stepId, people.alice.id), {});
      }
      await op.commit();
    }
  };
  const rows = async () => {
    const counts = KINDS.map(async (kind) =>
      (await Array.fromAsync(kv.list({ prefix: [kind] }))).length
    );
    return await Promise.all(counts);
  };
  await plant(id, 1000, 1500);
  const scope = await openProject({ deps, actor: people.alice.actor }, web.id, "manage_resources");
  await deleteWorkflow(scope, id, undefined, 0);
  const [left] = await rows();
  assert.ok(left > 0, "the answer does not wait for all runs");
  await until(async () => (await rows()).every((count) => count === 0));

  // Rows that a server left behind when it died.
  await plant(id, 3000, 200);
  await sweepPast(deps);
  assert.deepEqual(await rows(), [0, 0, 0, 0]);
});

Deno.test("the page of a run says which tasks are deleted, and does not link to them", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const template = await stage.template();
  const id = await stage.workflow([{ kind: "template", template_id: template, name: "Build" }]);
  const run = await stage.start(id);
  const [task] = await stage.openTasks();
  await stage.end(task, "success");
  await stage.goOn();
  const page = async () =>
    await (await world.get("alice", paths.workflowRun(world.web.id, id, run))).text();
  const link = paths.task(world.web.id, template, task.id);
  assert.ok((await page()).includes(link));
  const { status } = await world.api(
    "erin",
    "DELETE",
    `/api/project/${world.web.id}/tasks/${task.id}`,
  );
  assert.equal(status, 204);
  const html = await page();
  assert.ok(!html.includes(link));
  assert.match(html, new RegExp(`#${task.id} \\(deleted\\)`));
  assert.equal((await stage.run(id, run)).steps[0].task_status, null);
});

Deno.test("a project whose workflow waits for someone is deleted only with force", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  await stage.start(await stage.workflow([{ kind: "approval", name: "Go" }]));
  const path = `/api/project/${world.web.id}`;
  const refused = await world.api("alice", "DELETE", path);
  assert.equal(refused.status, 409);
  assert.match(refused.body.error, /unfinished tasks or workflows/);
  assert.equal((await world.api("alice", "DELETE", `${path}?force=true`)).status, 204);
  assert.deepEqual(
    await Array.fromAsync(world.kv.list({ prefix: rowKeys.openWorkflowRuns(world.web.id) })),
    [],
  );
});
