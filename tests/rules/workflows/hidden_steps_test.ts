import assert from "node:assert/strict";
import { plant, PLANTED } from "@/tests/support/world/planted.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { newWorld } from "@/tests/support/world/world.ts";
import { newWorkflowStage } from "@/tests/support/world/workflows.ts";

const NOBODY = { roles: [], user_ids: [] };

Deno.test("a hidden workflow is not found, with its runs, trends and comparisons", async () => {
  await using world = await newWorld();
  const { workflow } = await plant(world);
  const project = `/api/project/${world.web.id}`;
  const own = `${project}/workflows/${workflow}`;
  const { body: run } = await world.api("alice", "POST", `${own}/run`, {});
  const paths = ["", "/runs", "/stats", `/runs/${run.id}`, `/runs/${run.id}/artifacts`]
    .concat(`/runs/${run.id}/approvals`, `/runs/${run.id}/compare`, "/refs");
  for (const path of paths) {
    const seen = await world.api("alice", "GET", `${own}${path}`);
    assert.equal(seen.status, 200, `alice ${path}`);
    const { status } = await world.api("mike", "GET", `${own}${path}`);
    assert.equal(status, 404, path);
  }
  for (const path of [`${own}/run`, `${own}/runs/${run.id}/stop`, `${own}/runs/${run.id}/again`]) {
    assert.equal((await world.api("mike", "POST", path, {})).status, 404, path);
  }
  for (const list of ["workflows", "workflow_runs"]) {
    const { body } = await world.api("mike", "GET", `${project}/${list}`);
    assert.deepEqual(body, [], list);
  }
});

Deno.test("a step that one cannot see says nothing, and its workflow can be run", async () => {
  await using stage = await newWorkflowStage();
  const { world, call } = stage;
  const open = await stage.template({ name: "Open" });
  const hidden = await stage.template({ name: `${PLANTED} template` });
  const workflow = await stage.workflow([
    { kind: "template", template_id: open, name: "First" },
    { kind: "template", template_id: hidden, name: `${PLANTED} step` },
  ]);
  const before = await call("GET", `/templates/${hidden}`);
  await call("PUT", `/templates/${hidden}`, { ...before, visible_to: NOBODY });
  const id = await stage.start(workflow, {}, "bob");
  const [first] = await stage.openTasks();
  await stage.end(first, "success");
  await stage.goOn();
  const [second] = await stage.openTasks();
  assert.equal(second.template_id, hidden, "the workflow runs its hidden step");
  const reason = { key: "errors.run.stopped", params: { name: PLANTED } };
  await stage.end(second, "error", { reason, failure_line: 1 });
  await stage.goOn();

  const own = `/project/${world.web.id}/workflows/${workflow}`;
  const addresses = [own, `${own}/runs/${id}`].flatMap((path) => [path, `/api${path}`])
    .concat(`/api${own}/runs`, `/api/project/${world.web.id}/workflows`);
  for (const person of ["mike", "bob", "carol"] satisfies Person[]) {
    for (const address of addresses) {
      const answer = await world.get(person, address);
      assert.equal(answer.status, 200, address);
      const text = await answer.text();
      assert.ok(!text.includes(PLANTED), `${person} ${address}`);
    }
  }
  const run = await stage.run(workflow, id, "bob");
  assert.equal(run.status, "failed");
  assert.equal(run.failed_task, null);
  assert.deepEqual(
    run.steps.map(({ hidden, template_id, task_id }) => [hidden, template_id, task_id]),
    [[undefined, open, first.id], [true, null, null]],
  );
  const page = await (await world.get("bob", `${own}/runs/${id}`)).text();
  assert.ok(page.includes("A step you cannot see"));
});

Deno.test("people who do not see all steps of a workflow do not change it", async () => {
  await using stage = await newWorkflowStage();
  const { world, call } = stage;
  const hidden = await stage.template({ name: "Hidden" });
  const steps = [{ kind: "template", template_id: hidden, name: "Step" }];
  const workflow = await stage.workflow(steps);
  const before = await call("GET", `/templates/${hidden}`);
  await call("PUT", `/templates/${hidden}`, { ...before, visible_to: NOBODY });
  const project = `/api/project/${world.web.id}`;
  const form = { name: "Release", steps: [] };
  for (const method of ["PUT", "DELETE"]) {
    const answer = await world.api("mike", method, `${project}/workflows/${workflow}`, form);
    assert.equal(answer.status, 403, method);
  }
  const added = await world.api("mike", "POST", `${project}/workflows`, { name: "New", steps });
  assert.equal(added.status, 404);
  const { status } = await world.api("alice", "PUT", `${project}/workflows/${workflow}`, form);
  assert.equal(status, 204);
});
