import assert from "node:assert/strict";
import { createLogWriter } from "@/lib/output/writer.ts";
import { endTask } from "@/lib/queue/ending/end_task.ts";
import { stopProjectTasks } from "@/lib/queue/ending/stop.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { htmlOf } from "@/tests/support/basics/html.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

async function start({ api, web, deploy }: World): Promise<number> {
  const form = { template_id: deploy.id };
  return (await api("bob", "POST", `/api/project/${web.id}/tasks`, form)).body.id;
}

async function stop({ api, web }: World, id: number, person: Person, force = false) {
  const path = `/api/project/${web.id}/tasks/${id}/stop`;
  assert.equal((await api(person, "POST", path, { force })).status, 204);
}

/** Returns the status of a task with its reason, as Carol reads them. */
async function stateOf({ api, web }: World, id: number): Promise<[string, string | undefined]> {
  const { body } = await api("carol", "GET", `/api/project/${web.id}/tasks/${id}`);
  return [body.status, body.reason?.message];
}

Deno.test("a stopped task says who stopped it, on its page and in lists", async () => {
  await using world = await newWorld();
  const { web, deploy } = world;
  const id = await start(world);
  await stop(world, id, "mike");
  assert.deepEqual(await stateOf(world, id), ["stopped", "Stopped by Mike."]);
  const project = `/project/${web.id}`;
  const pages = [
    `${project}/tasks/${id}`,
    `${project}/history`,
    `${project}/history?t=${id}`,
    `${project}/templates`,
    `${project}/templates/${deploy.id}`,
  ];
  for (const page of pages) {
    assert.ok((await htmlOf(await world.get("carol", page))).includes("Stopped by Mike."), page);
  }
});

Deno.test("a running task keeps the reason of its latest stop, however its run ends", async () => {
  await using world = await newWorld();
  const { kv, web, deps } = world;
  const task = { id: await start(world), project_id: web.id };
  await advance(kv, task, "starting");
  await advance(kv, task, "running");
  await stop(world, task.id, "bob");
  assert.deepEqual(await stateOf(world, task.id), ["stopping", "Stopped by Bob."]);
  await stop(world, task.id, "alice", true);
  const log = createLogWriter({ ...deps, projectId: web.id, taskId: task.id });
  const reason = { key: "errors.run.killed", params: { signal: 9 } };
  await endTask(deps, await getTaskRow(kv, web.id, task.id), { how: "error", reason, log });
  assert.deepEqual(await stateOf(world, task.id), ["stopped", "Stopped by Alice."]);
});

Deno.test("the server is named for a task that it stops", async () => {
  await using world = await newWorld();
  const id = await start(world);
  await stopProjectTasks(world.deps, world.web.id);
  assert.deepEqual(await stateOf(world, id), ["stopped", "Stopped by Callboard."]);
});
