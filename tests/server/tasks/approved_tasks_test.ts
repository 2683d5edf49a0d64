import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import { doDue } from "@/lib/jobs/engine.ts";
import { taskMessage } from "@/lib/alerts/message.ts";
import { isFinished } from "@/lib/model/status.ts";
import { runWorker } from "@/lib/workflows/runs/loop.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { newQueue, type Queue } from "@/tests/support/server/queue.ts";
import { until } from "@/tests/support/basics/until.ts";

const CHANGED = /^After the approval: Environment "Live" was changed \(mike\)\.$/;

/** A queue that does not move yet, with an environment that a template uses. */
async function newStage() {
  const queue = await newQueue();
  const { world: { api, web } } = queue;
  const call = async (person: Person, method: string, path: string, body?: unknown) => {
    const answer = await api(person, method, `/api/project/${web.id}${path}`, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { id } = await call("mike", "POST", "/environment", { name: "Live", json: "{}" });
  return {
    queue,
    call,
    environment_id: id,
    edit: () =>
      call("mike", "PUT", `/environment/${id}`, {
        ...{ id, project_id: web.id, name: "Live", json: '{"text": "other"}' },
      }),
    task: (task: number) => call("bob", "GET", `/tasks/${task}`),
    [Symbol.asyncDispose]: () => queue[Symbol.asyncDispose](),
  };
}

const ended = (queue: Queue, id: number) =>
  until(async () => isFinished((await queue.row(id)).status));

const rowsOf = ({ world: { kv } }: Queue) =>
  Array.fromAsync(kv.list({ prefix: ["approved_inputs"] }), ({ key }) => key);

Deno.test("a confirmed task whose environment changes in the queue asks for its confirmation again", async () => {
  await using stage = await newStage();
  const { queue, call, environment_id } = stage;
  const template = await queue.makeTemplate({ environment_id, require_confirmation: true });
  const id = await queue.start(template);
  await call("bob", "POST", `/tasks/${id}/confirm`, { note: "Fine" });
  await stage.edit();
  queue.dispatch();
  await until(async () => (await queue.row(id)).status === "waiting_confirmation");
  const { approval, status } = await stage.task(id);
  assert.deepEqual([status, approval.approved], ["waiting_confirmation", 0]);
  assert.match(approval.asked_again, CHANGED);
  assert.deepEqual(await call("bob", "GET", `/tasks/${id}/approvals`), []);
  assert.match(String(await call("bob", "GET", `/tasks/${id}/raw_output`)), /After the approval/);
  const [event] = await call("alice", "GET", "/events");
  assert.match(event.description, /needs approval again\. After the approval: Environment/);
  const { deps: { config }, kv, web } = queue.world;
  const project = (await kv.get(rowKeys.project(web.id))).value as never;
  const row = { ...await queue.row(id), template_name: "Work", author: "Bob" };
  const { facts } = taskMessage(config, project, row, "en");
  assert.match(facts.find(({ label }) => label === "Reason")!.value, CHANGED);
  await call("bob", "POST", `/tasks/${id}/confirm`);
  await ended(queue, id);
  assert.equal((await queue.row(id)).status, "success");
  assert.deepEqual(await rowsOf(queue), []);
});

Deno.test("a confirmation counts only with those about the same environment", async () => {
  await using stage = await newStage();
  const { queue, call, environment_id } = stage;
  const template = await queue.makeTemplate({
    environment_id,
    require_confirmation: true,
    approval: { needed: 2 },
  });
  const id = await queue.start(template);
  await call("bob", "POST", `/tasks/${id}/confirm`);
  await stage.edit();
  await call("alice", "POST", `/tasks/${id}/confirm`);
  const { approval, status } = await stage.task(id);
  assert.deepEqual([status, approval.approved], ["waiting_confirmation", 1]);
  assert.match(approval.asked_again, CHANGED);
  queue.dispatch();
  await call("bob", "POST", `/tasks/${id}/confirm`);
  await ended(queue, id);
  assert.equal((await queue.row(id)).status, "success");
});

Deno.test("a step that waits in the queue while its environment changes asks for approval again", async () => {
  await using stage = await newStage();
  const { queue, call, environment_id } = stage;
  const { deps } = queue.world;
  const goOn = () => doDue(deps, runWorker);
  const template = await queue.makeTemplate({ environment_id });
  const { id } = await call("mike", "POST", "/workflows", {
    name: "Release",
    steps: [
      { kind: "approval", name: "Go" },
      { kind: "template", template_id: template, name: "Deploy" },
    ],
  });
  const { id: run } = await call("bob", "POST", `/workflows/${id}/run`, {});
  await goOn();
  const vote = () =>
    call("bob", "POST", `/workflows/${id}/runs/${run}/approvals/1`, { status: "approved" });
  const steps = async () => (await call("bob", "GET", `/workflows/${id}/runs/${run}`)).steps;
  await vote();
  await goOn();
  const [, { task_id: first }] = await steps();
  await stage.edit();
  queue.dispatch();
  await ended(queue, first);
  assert.match((await stage.task(first)).end_reason ?? "", CHANGED);
  await goOn();
  const [asked, deploy] = await steps();
  assert.deepEqual([asked.state, deploy.state, deploy.task_id], ["waiting", "pending", null]);
  assert.match(asked.approval.asked_again, CHANGED);
  await vote();
  await goOn();
  const [, { task_id: second }] = await steps();
  await ended(queue, second);
  await goOn();
  assert.deepEqual((await steps()).map(({ state }: { state: string }) => state), [
    "success",
    "success",
  ]);
  assert.deepEqual(await rowsOf(queue), []);
});

Deno.test("a key that changes after a previewed task was confirmed ends the task", async () => {
  await using stage = await newStage();
  const { queue, call } = stage;
  const { web } = queue.world;
  const key = { name: "Login", type: "login_password" };
  const form = { ...key, login_password: { login: "ops", password: "secret-1" } };
  const { id: ssh_key_id } = await call("mike", "POST", "/keys", form);
  const { id: inventory_id } = await call("mike", "POST", "/inventory", {
    ...{ name: "Hosts", type: "static", inventory: "localhost", ssh_key_id },
  });
  const template = await queue.makeTemplate({ inventory_id, preview_first: true });
  const id = await queue.start(template);
  queue.dispatch();
  await until(async () => (await queue.row(id)).status === "waiting_confirmation");
  // The queue stands still for as long as another task of the template runs.
  const kv = queue.world.kv;
  const edit = () =>
    call("mike", "PUT", `/keys/${ssh_key_id}`, {
      ...{ ...form, id: ssh_key_id, project_id: web.id, override_secret: true },
      login_password: { login: "{{ other }}", password: "secret-2" },
    });
  const get = kv.get;
  const inputs = rowKeys.taskPin(id).join();
  kv.get = async (wanted, options) => {
    const found = await get.call(kv, wanted, options);
    if (wanted.join() !== inputs) return found as never;
    if ((await get.call(kv, rowKeys.approvedInputs(id, "votes"))).value) {
      kv.get = get;
      await edit();
    }
    return found as never;
  };
  await call("bob", "POST", `/tasks/${id}/confirm`);
  await ended(queue, id);
  const { status, end_reason } = await stage.task(id);
  assert.equal(status, "error");
  assert.match(end_reason, /After the approval: Key "Login" was changed \(mike\)/);
});
