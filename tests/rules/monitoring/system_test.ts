import assert from "node:assert/strict";
import { newWorld } from "@/tests/support/world/world.ts";

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
  for (
    const path of ["runners", "runner_tags"].flatMap((
      path,
    ) => [`/api/${path}`, `${project}/${path}`])
  ) {
    assert.deepEqual((await world.api("erin", "GET", path)).body, [], path);
  }
});

Deno.test("Erin sees the tasks of all projects that have not finished, and stops them", async () => {
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
    template_name: "Deploy shop",
    username: people.bob.actor.username,
    status: "waiting",
    reason: { subject: "", step: "", message: "Starts now", more: 0, place: null, line: null },
    location: "queue",
  }]);
  for (const id of [waiting, ended, 999]) {
    assert.equal((await world.api("erin", "DELETE", `/api/tasks/${id}`)).status, 204);
  }
  assert.equal((await world.api("bob", "GET", `${tasks}/${waiting}`)).body.status, "stopped");
  assert.deepEqual((await world.api("erin", "GET", "/api/tasks")).body, []);
});

Deno.test("the list of waiting tasks continues after the answered ones, and says whether it does", async () => {
  await using world = await newWorld();
  const { api, web, deploy } = world;
  const started: number[] = [];
  for (let n = 0; n < 5; n++) {
    const task = { template_id: deploy.id };
    started.push((await api("bob", "POST", `/api/project/${web.id}/tasks`, task)).body.id);
  }
  const found: number[] = [];
  const pages: string[] = [];
  for (let after = 0; pages.at(-1) !== "false"; after = found.at(-1)!) {
    const { body, headers } = await api("erin", "GET", `/api/tasks?limit=2&after=${after}`);
    found.push(...body.map(({ task_id }: { task_id: number }) => task_id));
    pages.push(headers.get("X-Has-Next")!);
    assert.ok(pages.length < 5);
  }
  assert.deepEqual([found, pages], [started, ["true", "true", "false"]]);
});
