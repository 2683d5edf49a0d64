import assert from "node:assert/strict";
import { announceStop } from "@/lib/store/server_end.ts";
import { reportedTask } from "@/tests/support/world/reported_task.ts";
import { newWorkflowStage } from "@/tests/support/world/workflows.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Asks for the end of a task as Bob, and says when it is answered. */
function wait(world: World, id: number, query = "wait=30", person: "bob" | "carol" = "bob") {
  const leaving = new AbortController();
  const since = performance.now();
  const answer = world.request(`/api/project/${world.web.id}/tasks/${id}?${query}`, {
    headers: { Cookie: `callboard=${world.people[person].token}` },
    signal: leaving.signal,
  }).then(async (response) => ({
    status: response.status,
    body: await response.json(),
    seconds: (performance.now() - since) / 1000,
  }));
  return { answer, leave: () => leaving.abort() };
}

/** Lets calls begin to wait. */
const soon = () => new Promise((resolve) => setTimeout(resolve, 50));

Deno.test("a call that waits is answered when the task ends, and immediately after that", async () => {
  await using world = await newWorld();
  const { id, end } = await reportedTask(world);
  const waiting = [wait(world, id), wait(world, id, "wait=60", "carol")];
  await soon();
  await end("success");
  for (const { answer } of waiting) {
    const { status, body, seconds } = await answer;
    assert.deepEqual([status, body.status], [200, "success"]);
    assert.ok(seconds < 5, `${seconds} s`);
  }
  assert.ok((await wait(world, id).answer).seconds < 5);
});

Deno.test("a call that waits is answered after its seconds, and refused without a number", async () => {
  await using world = await newWorld();
  const { id } = await reportedTask(world);
  const { body, seconds } = await wait(world, id, "wait=1").answer;
  assert.equal(body.status, "running");
  assert.ok(seconds >= 0.99 && seconds < 5, `${seconds} s`);
  for (const query of ["wait=0", ""]) {
    assert.ok((await wait(world, id, query).answer).seconds < 1, query);
  }
  for (const wrong of ["-1", "soon", "1.5"]) {
    assert.equal((await wait(world, id, `wait=${wrong}`).answer).status, 400, wrong);
  }
  assert.equal((await wait(world, 9999).answer).status, 404);
});

Deno.test("a wait ends with the rights, the session, the task, the client and the server", async () => {
  await using world = await newWorld();
  const { id } = await reportedTask(world);
  const [member, session] = [wait(world, id), wait(world, id, "wait=30", "carol")];
  await soon();
  const team = `/api/project/${world.web.id}/users/${world.people.bob.id}`;
  assert.equal((await world.api("alice", "DELETE", team)).status, 204);
  assert.equal((await member.answer).status, 404);
  await world.api("carol", "POST", "/api/auth/logout");
  assert.equal((await session.answer).status, 401);

  const add = { user_id: world.people.bob.id, role: "guest" };
  await world.api("alice", "POST", `/api/project/${world.web.id}/users`, add);
  const left = wait(world, id);
  await soon();
  left.leave();
  assert.ok((await left.answer.catch(() => ({ seconds: 0 }))).seconds < 5);

  const atEnd = wait(world, id);
  await soon();
  announceStop(world.deps);
  const { status, body, seconds } = await atEnd.answer;
  assert.deepEqual([status, body.status, seconds < 5], [200, "running", true]);
  assert.ok((await wait(world, id).answer).seconds < 5, "a server that stops holds no call");
});

Deno.test("an account has a number of waiting calls", async () => {
  await using world = await newWorld();
  const { id, end } = await reportedTask(world);
  const waiting = Array.from({ length: 100 }, () => wait(world, id));
  await soon();
  assert.equal((await wait(world, id).answer).status, 429);
  assert.equal((await wait(world, id, "wait=1", "carol").answer).status, 200, "others may wait");
  await end("error");
  for (const { answer } of waiting) assert.equal((await answer).status, 200);
  assert.equal((await wait(world, id).answer).status, 200, "the calls are over");
});

Deno.test("a call waits for the end of a run, too", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const workflow = await stage.workflow([{ kind: "approval" }]);
  const id = await stage.start(workflow);
  const path = `/api/project/${world.web.id}/workflows/${workflow}/runs/${id}?wait=30`;
  const since = performance.now();
  const answer = world.api("carol", "GET", path);
  await soon();
  await stage.call("POST", `/workflows/${workflow}/runs/${id}/stop`);
  await stage.goOn();
  const { body } = await answer;
  assert.equal(body.status, "stopped");
  assert.ok(performance.now() - since < 5_000);
});

Deno.test("a call that starts a workflow can wait for its first task", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const template = await stage.template();
  const start = (id: number, query: string) =>
    world.api("bob", "POST", `/api/project/${world.web.id}/workflows/${id}/run${query}`, {});
  const build = await stage.workflow([{ kind: "template", template_id: template }]);
  assert.equal((await start(build, "")).body.root_task_id, null);
  await stage.goOn();
  const answer = start(build, "?wait=30");
  await soon();
  await stage.goOn();
  const { status, body } = await answer;
  assert.equal(status, 201);
  assert.equal(body.root_task_id, Math.max(...(await stage.openTasks()).map(({ id }) => id)));
  const asking = await stage.workflow([{ kind: "approval" }]);
  const waiting = start(asking, "?wait=30");
  await soon();
  await stage.goOn();
  assert.equal((await waiting).body.root_task_id, null, "no task will follow soon");
  announceStop(world.deps);
  assert.equal((await start(build, "?wait=30")).status, 201);
});
