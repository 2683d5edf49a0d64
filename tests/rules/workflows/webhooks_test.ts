import assert from "node:assert/strict";
import { readAnswer } from "@/tests/support/world/world.ts";
import { newWorkflowStage, type WorkflowStage } from "@/tests/support/world/workflows.ts";

type Body = Record<string, unknown>;

const VERSION = {
  name: "version",
  title: "Version",
  type: "enum",
  required: true,
  values: [{ name: "One", value: "1" }, { name: "Two", value: "2" }],
};
const FROM_BODY = { value_source: "body", body_data_type: "json" };

/** Creates a workflow that asks for approval, and an integration that starts it. */
async function makeIntegration(stage: WorkflowStage, form: Body = {}, survey: unknown[] = []) {
  const { world, call } = stage;
  const workflowId = await stage.workflow([{ kind: "approval", name: "Ask" }], {
    survey_vars: survey,
  });
  const made = { name: "Push", workflow_id: workflowId, auth_method: "none", ...form };
  const { id } = await call("POST", "/integrations", made);
  const { url } = await call("POST", `/integrations/${id}/aliases`);
  const extract = (variable: string, key: string, more: Body = {}) =>
    call("POST", `/integrations/${id}/values`, { name: key, variable, key, ...FROM_BODY, ...more });
  const post = async (body: unknown = {}) =>
    await readAnswer(
      await world.request(new URL(url).pathname, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "Content-Type": "application/json" },
      }),
    );
  const runs = () => call("GET", `/workflows/${workflowId}/runs`);
  return { id, workflowId, extract, post, runs };
}

Deno.test("a call starts a workflow with its values as answers, and the delivery shows it", async () => {
  await using stage = await newWorkflowStage();
  const { workflowId, id, extract, post, runs } = await makeIntegration(stage, {}, [VERSION]);
  await extract("version", "release");
  await extract("message", "note", { variable_type: "task" });
  const { status, body } = await post({ release: "2", note: "From the tag" });
  const [run] = await runs();
  assert.equal(status, 200);
  const [started] = body.runs;
  assert.deepEqual(started, {
    id: run.id,
    workflow_id: workflowId,
    project_id: stage.world.web.id,
    integration_id: id,
  });
  assert.deepEqual([body.tasks, body.results[0].run_id], [[], run.id]);
  assert.deepEqual([run.message, run.initiator.kind], ["From the tag", "integration"]);
  assert.equal((await stage.run(workflowId, run.id)).environment, '{"version":"2"}');
  const [delivery] = await stage.call("GET", `/integrations/${id}/deliveries`);
  assert.deepEqual(
    [delivery.result, delivery.task_id, delivery.workflow_id, delivery.run_id],
    ["started", null, workflowId, run.id],
  );
  const page = await stage.world.get("alice", `/project/${stage.world.web.id}/integration/${id}`);
  assert.match(await page.text(), new RegExp(`workflows/${workflowId}/runs/${run.id}"`));
});

Deno.test("a call cannot set what a workflow does not have", async () => {
  await using stage = await newWorkflowStage();
  const { extract, post, runs } = await makeIntegration(stage, {}, [VERSION]);
  await extract("limit", "hosts", { variable_type: "task" });
  const { status, body } = await post({ hosts: "web" });
  assert.deepEqual([status, await runs()], [422, []]);
  assert.match(body.error, /"limit" is not a task parameter/);
});

Deno.test("a value that the survey refuses starts nothing, and the delivery says why", async () => {
  await using stage = await newWorkflowStage();
  const { id, extract, post, runs } = await makeIntegration(stage, {}, [VERSION]);
  await extract("version", "release");
  assert.equal((await post({ release: "3" })).status, 400);
  await extract("region", "region");
  assert.equal((await post({ release: "1", region: "eu" })).status, 400);
  assert.deepEqual(await runs(), []);
  const deliveries = await stage.call("GET", `/integrations/${id}/deliveries`);
  assert.deepEqual(deliveries.map(({ result }: Body) => result), ["failed", "failed"]);
  assert.match(deliveries[0].reason, /region/);
  assert.match(deliveries[1].reason, /Version/);
});

Deno.test("of 50 parallel calls, one run is open, whichever policy holds", async () => {
  for (const policy of ["one", "latest"]) {
    await using stage = await newWorkflowStage();
    const { id, post, runs } = await makeIntegration(stage, { if_waiting: policy });
    const calls = await Promise.all(Array.from({ length: 50 }, () => post()));
    assert.ok(calls.every(({ status }) => status === 200), policy);
    await stage.goOn();
    const all = await runs();
    const open = all.filter(({ end }: Body) => end === null);
    assert.equal(open.length, 1, policy);
    assert.equal(all.length, policy === "one" ? 1 : 50);
    const [delivery] = await stage.call("GET", `/integrations/${id}/deliveries`);
    assert.equal(delivery.result, policy === "one" ? "skipped" : "started");
    const reason = policy === "one" ? /is still open/ : /^Stopped run #\d+, which was open$/;
    assert.match(delivery.reason, reason);
  }
});

Deno.test("a workflow is deleted only after its integrations", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const { id, workflowId } = await makeIntegration(stage);
  const path = `/api/project/${world.web.id}/workflows/${workflowId}`;
  const refused = await world.api("alice", "DELETE", path);
  assert.deepEqual([refused.status, refused.body.integrations], [409, [{ id, name: "Push" }]]);
  await stage.call("PUT", `/integrations/${id}`, {
    name: "Push",
    template_id: world.web.templateId,
    auth_method: "none",
  });
  assert.equal((await world.api("alice", "DELETE", path)).status, 204);
});

Deno.test("a call reaches none of Ansible's own variables through a step", async () => {
  await using stage = await newWorkflowStage();
  const host = { name: "host", title: "Host", type: "" };
  const template_id = await stage.template({ survey_vars: [{ ...host, name: "ansible_host" }] });
  const workflowId = await stage.workflow([{
    kind: "template",
    template_id,
    values: [{ var: "ansible_host", from: { answer: "host" } }],
  }], { survey_vars: [host] });
  const { extract, post } = await makeIntegration(stage, { workflow_id: workflowId });
  await extract("host", "host");
  const { body: { runs: [{ id: runId }] } } = await post({ host: "198.51.100.9" });
  await stage.goOn();
  const { status, steps: [{ state, reason }] } = await stage.run(workflowId, runId);
  assert.deepEqual([status, state], ["failed", "failed"]);
  assert.match(String(reason), /ansible_host/);
  const byHand = await stage.start(workflowId, { environment: { host: "shop.example" } });
  assert.deepEqual(Object.values(await stage.states(workflowId, byHand)), ["running"]);
});
