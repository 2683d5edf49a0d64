import assert from "node:assert/strict";
import { newWorld } from "@/tests/support/world.ts";

Deno.test("other products' pages learn that there is Ansible, and nothing else", async () => {
  await using world = await newWorld();
  const { body: apps } = await world.api("carol", "GET", "/api/apps");
  assert.deepEqual(apps.map(({ id, active }: Record<string, unknown>) => [id, active]), [
    ["ansible", true],
  ]);
  assert.deepEqual((await world.api("carol", "GET", "/api/apps/ansible")).body, apps[0]);
  for (const app of ["bash", "constructor", "%20"]) {
    assert.equal((await world.api("carol", "GET", `/api/apps/${app}`)).status, 404);
  }
  assert.deepEqual((await world.api("erin", "GET", "/api/options")).body, {});
  assert.equal((await world.api("erin", "POST", "/api/options", { key: "a" })).status, 405);
  const project = `/api/project/${world.web.id}`;
  for (const path of ["/api/runners", `${project}/runners`, `${project}/runner_tags`]) {
    assert.deepEqual((await world.api("erin", "GET", path)).body, []);
  }
});

Deno.test("Erin sees the tasks of all projects that have not ended, and stops them", async () => {
  await using world = await newWorld();
  const { web, people } = world;
  const tasks = `/api/project/${web.id}/tasks`;
  const start = async () =>
    (await world.api("bob", "POST", tasks, { template_id: web.templateId })).body.id;
  const [ended, waiting] = [await start(), await start()];
  await world.api("bob", "POST", `${tasks}/${ended}/stop`, {});
  const queue = await world.api("erin", "GET", "/api/tasks");
  assert.deepEqual(queue.body, [{
    task_id: waiting,
    project_id: web.id,
    project_name: "Web shop",
    template_id: web.templateId,
    username: people.bob.actor.username,
    status: "waiting",
    location: "queue",
  }]);
  for (const id of [waiting, ended, 999]) {
    assert.equal((await world.api("erin", "DELETE", `/api/tasks/${id}`)).status, 204);
  }
  assert.equal((await world.api("bob", "GET", `${tasks}/${waiting}`)).body.status, "stopped");
  assert.deepEqual((await world.api("erin", "GET", "/api/tasks")).body, []);
});
