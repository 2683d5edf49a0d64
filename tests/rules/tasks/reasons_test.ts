import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import { createLogWriter } from "@/lib/output/writer.ts";
import { endTask } from "@/lib/queue/ending/end_task.ts";
import { stopProjectTasks } from "@/lib/queue/ending/stop.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { RUNNER_SILENT_MS } from "@/lib/runner/protocol.ts";
import { startPresence, touchRunner } from "@/lib/runners/presence.ts";
import { findRunner } from "@/lib/runners/repository.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { until } from "@/tests/support/basics/until.ts";
import { htmlOf } from "@/tests/support/basics/html.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { changeTemplate } from "@/tests/support/world/previewed_task.ts";
import { FACTS, registeredRunner } from "@/tests/support/world/runners.ts";
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

Deno.test("a task that waits says in lists for what", async () => {
  await using world = await newWorld();
  const { kv, web, deploy } = world;
  const first = await start(world);
  await advance(kv, { id: first, project_id: web.id }, "starting");
  const second = await start(world);
  const reason = `One task at a time: waiting for #${first}`;
  assert.deepEqual(await stateOf(world, second), ["waiting", reason]);
  assert.deepEqual(await stateOf(world, first), ["starting", undefined]);
  const project = `/project/${web.id}`;
  for (const path of ["tasks", "tasks/last", `templates/${deploy.id}/tasks`]) {
    const { body } = await world.api("carol", "GET", `/api${project}/${path}`);
    assert.deepEqual(
      body.map((task: { reason: null | { message: string } }) => task.reason?.message),
      [reason, undefined],
      path,
    );
  }
  for (const page of [`${project}/history`, `${project}/templates/${deploy.id}`]) {
    assert.ok((await htmlOf(await world.get("carol", page))).includes(reason), page);
  }
  const queue = await world.api("erin", "GET", "/api/tasks");
  assert.deepEqual(
    queue.body.map(({ reason }: { reason: null | { message: string } }) => reason?.message),
    [undefined, reason],
  );
});

Deno.test("a task that needs approvals says how many, and who can give them", async () => {
  await using world = await newWorld();
  const { people } = world;
  const approval = {
    ...{ roles: ["owner" as const], user_ids: [people.mike.id, people.dave.id], needed: 2 },
    ...{ not_starter: false, not_editor: false, timeout_minutes: null },
    ...{ on_timeout: "rejected" as const, message: "" },
  };
  await changeTemplate(world, { require_confirmation: true, approval });
  const id = await start(world);
  const who = `Owner, Mike, Former member (#${people.dave.id})`;
  const waits = (count: string) => ["waiting_confirmation", `Waits for ${count}: ${who}`];
  assert.deepEqual(await stateOf(world, id), waits("2 more approvals"));
  const confirm = `/api/project/${world.web.id}/tasks/${id}/confirm`;
  assert.equal((await world.api("mike", "POST", confirm)).status, 204);
  assert.deepEqual(await stateOf(world, id), waits("1 more approval"));
});

Deno.test("the queue is read for a list only if one of its tasks waits", async () => {
  await using world = await newWorld();
  const { kv, web } = world;
  const task = { id: await start(world), project_id: web.id };
  const path = `/api/project/${web.id}/tasks`;
  const readsQueue = async () => {
    const { list } = kv;
    let isRead = false;
    kv.list = (...args) => {
      const [selector] = args;
      isRead ||= "prefix" in selector && selector.prefix[0] === rowKeys.openTasks()[0];
      return list.apply(kv, args) as never;
    };
    assert.equal((await world.api("carol", "GET", path)).status, 200);
    Object.assign(kv, { list });
    return isRead;
  };
  assert.equal(await readsQueue(), true);
  await advance(kv, task, "starting");
  assert.equal(await readsQueue(), false);
});

Deno.test("a cached list says when the runner of a waiting task has fallen silent", async () => {
  await using world = await newWorld();
  const { kv, web, deps } = world;
  const { id } = await registeredRunner(world, { labels: ["dmz"] });
  await touchRunner(deps, (await findRunner(kv, id))!, "a", FACTS);
  await changeTemplate(world, { runner_labels: ["dmz"] });
  await start(world);
  const reason = async () =>
    (await world.api("carol", "GET", `/api/project/${web.id}/tasks`)).body[0].reason.message;
  assert.equal(await reason(), "Starts now");
  world.clock.advance(RUNNER_SILENT_MS);
  const presence = startPresence(deps);
  try {
    await until(async () => /was last seen/.test(await reason()));
  } finally {
    await presence.stop();
  }
});
