import { join } from "node:path";
import assert from "node:assert/strict";
import { makeOnceByKey } from "@/lib/access/sent_forms.ts";
import { openProject } from "@/lib/access/scope.ts";
import { openStore } from "@/lib/store/file/open_store.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import type { Store } from "@/lib/store/store.ts";
import { startTask } from "@/lib/queue/start/start.ts";
import { parseStart } from "@/lib/tasks/start_form.ts";
import { getTask } from "@/lib/tasks/service.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { dieAt } from "@/tests/support/basics/die_at.ts";
import { play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorkflowStage } from "@/tests/support/world/workflows.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Calls the API with an Idempotency-Key. */
async function callWith(
  world: World,
  key: string,
  path: string,
  body: unknown,
  person: Person = "bob",
) {
  const answer = await world.request(`/api/project/${world.web.id}${path}`, {
    method: "POST",
    headers: {
      Cookie: `callboard=${world.people[person].token}`,
      "Content-Type": "application/json",
      "Idempotency-Key": key,
    },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

const taskCount = async ({ api, web }: World) =>
  (await api("carol", "GET", `/api/project/${web.id}/tasks`)).body.length;

Deno.test("a call with a key starts one task, however often it is sent", async () => {
  await using world = await newWorld();
  const body = { template_id: world.deploy.id, message: "Friday" };
  const calls = await Promise.all([1, 2, 3, 4].map(() => callWith(world, "a", "/tasks", body)));
  const [first] = calls;
  assert.equal(first.status, 201);
  // Only a repeated call reads the queue.
  const plain = ({ status, body }: typeof first) => ({ status, body: { ...body, reason: null } });
  for (const call of calls) assert.deepEqual(plain(call), first);
  world.clock.advance(23 * 3_600_000);
  const quoted = await callWith(world, '"a"', "/tasks", body);
  assert.deepEqual(plain(quoted), first, "in quotation marks");
  assert.equal(await taskCount(world), 1);

  const other = await callWith(world, "a", "/tasks", { ...body, message: "Monday" });
  assert.equal(other.status, 422);
  assert.match(other.body.error, /another call/);
  const retry = await callWith(world, "a", `/tasks/${first.body.id}/retry`, body);
  assert.equal(retry.status, 422, "the key belongs to another call");
  const mike = await callWith(world, "a", "/tasks", { ...body, message: "Monday" }, "mike");
  assert.equal(mike.status, 201, "keys of other people are others");
  world.clock.advance(3_600_001);
  const later = await callWith(world, "a", "/tasks", { ...body, message: "Monday" });
  assert.equal(later.status, 201, "a day later, it is new");
  assert.equal(await taskCount(world), 3);
});

Deno.test("a call that was refused may be sent again, and starts then", async () => {
  await using world = await newWorld();
  const path = "/tasks";
  const gone = await callWith(world, "a", path, { template_id: 999 });
  assert.equal(gone.status, 404);
  const body = { template_id: world.deploy.id };
  assert.equal((await callWith(world, "a", path, body)).status, 201);
  assert.equal((await callWith(world, "b", path, body, "carol")).status, 403);
});

Deno.test("a retry, a workflow and its repetition take keys, too", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const workflow = await stage.workflow([{ kind: "approval" }]);
  const once = async (path: string, body: unknown = {}) => {
    const [first, second] = await Promise.all([1, 2].map(() => callWith(world, path, path, body)));
    assert.equal(first.status, 201, JSON.stringify(first.body));
    assert.deepEqual(second, first);
    return first.body.id as number;
  };
  const run = await once(`/workflows/${workflow}/run`);
  await stage.call("POST", `/workflows/${workflow}/runs/${run}/stop`);
  await stage.goOn();
  await once(`/workflows/${workflow}/runs/${run}/again`);
  const { body } = await world.api("bob", "GET", `/api/project/${world.web.id}/workflow_runs`);
  assert.equal(body.length, 2);
});

Deno.test("a retry with a key happens once", async () => {
  await using world = await newWorld();
  const { id, report, end } = await reportedTask(world);
  await report(play("Web"), task("a"), result("a", "web1", { status: "failed" }));
  await end("error");
  const path = `/tasks/${id}/retry`;
  const [first, second] = await Promise.all([1, 2].map(() => callWith(world, "k", path, {})));
  assert.equal(first.status, 201);
  assert.equal(second.body.id, first.body.id);
});

Deno.test("a key has an end, and an account a number of keys", async () => {
  await using world = await newWorld();
  const body = { template_id: world.deploy.id };
  for (const wrong of ["x".repeat(256), '"', '""', "a b", '"a"b', ""]) {
    assert.equal((await callWith(world, wrong, "/tasks", body)).status, 400, wrong);
  }
  assert.equal(await taskCount(world), 0);
  assert.equal((await callWith(world, "x".repeat(255), "/tasks", body)).status, 201);
  const { id } = world.people.bob;
  const row = { id: 1, at: world.clock.now().getTime(), sent: "" };
  for (let from = 0; from < 2_000; from += 500) {
    const op = world.kv.atomic();
    for (let n = from; n < from + 500; n++) op.set(rowKeys.keyedCall(id, `${n}`), row);
    await op.commit();
  }
  assert.equal((await callWith(world, "new", "/tasks", body)).status, 429);
  assert.equal((await callWith(world, "x".repeat(255), "/tasks", body)).status, 201, "a known one");
  const { status } = await world.api("erin", "DELETE", `/api/users/${id}`);
  assert.equal(status, 204);
  const left = await Array.fromAsync(world.kv.list({ prefix: rowKeys.keyedCalls(id) }));
  assert.equal(left.length, 0, "they go with the account");
});

/** Starts a task at a server with that store. */
async function startAt(world: World, kv: Store) {
  const deps = { ...world.deps, kv };
  const scope = await openProject(
    { deps, actor: world.people.bob.actor },
    world.web.id,
    "run_tasks",
  );
  const form = parseStart({ template_id: world.deploy.id });
  return await makeOnceByKey(
    scope,
    { key: "deploy", sent: () => "the same" },
    (also) => startTask(scope, form, also),
    (id) => getTask(scope, id),
  );
}

Deno.test("two servers start one task for a key", async () => {
  const folder = await Deno.makeTempDir({ prefix: "callboard_keys_" });
  const kvPath = join(folder, "kv");
  const world = await newWorld({ kvPath });
  const other = await openStore(kvPath);
  try {
    const started = await Promise.all([1, 2, 3].flatMap(() => [
      startAt(world, world.kv),
      startAt(world, other),
    ]));
    assert.equal(new Set(started.map(({ id }) => id)).size, 1);
    assert.equal(await taskCount(world), 1);
  } finally {
    other.close();
    await world[Symbol.asyncDispose]();
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a server that dies during a call with a key has started a task, or not", async () => {
  let last = false;
  for (let nth = 1; !last; nth++) {
    for (const when of ["before", "after"] as const) {
      await using world = await newWorld();
      const { deps, died } = dieAt(world.deps, nth, when);
      await startAt(world, deps.kv).catch(() => {});
      last = !died();
      const { id } = await startAt(world, world.kv);
      const { body } = await world.api("carol", "GET", `/api/project/${world.web.id}/tasks`);
      assert.deepEqual(body.map((task: { id: number }) => task.id), [id], `commit ${nth} ${when}`);
    }
    assert.ok(nth < 10);
  }
});
