import assert from "node:assert/strict";
import { recordEvent } from "@/lib/events/record.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { systemActor, taskEvent } from "@/lib/tasks/changes.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import type { ScheduleRow } from "@/lib/triggers/schedules/schema.ts";
import { fireSchedule } from "@/tests/support/world/schedules.ts";
import { htmlOf, linkOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const activityOf = ({ web }: World) => `/project/${web.id}/activity`;

const linesOf = (html: string) =>
  [...html.matchAll(/<tr id="event-.*?<\/tr>/g)].map(([row]) =>
    row.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ").trim()
  );

const look = async (world: World, query = "") =>
  await htmlOf(await world.get("carol", activityOf(world) + query));

/** Runs a task that Bob starts, with its steps as the dispatcher records them. */
async function runTask(world: World): Promise<number> {
  const { kv, web, clock, deploy } = world;
  const path = `/api/project/${web.id}/tasks`;
  const { id } = (await world.api("bob", "POST", path, { template_id: deploy.id })).body;
  for (const [to, action] of [["starting"], ["running"], ["success", "finished_success"]]) {
    clock.advance(2_000);
    const change = to === "starting"
      ? { start: clock.now().toISOString() }
      : to === "success"
      ? { end: clock.now().toISOString() }
      : {};
    await advance(kv, await getTaskRow(kv, web.id, id), to as "running", change, {
      also: (op, task) =>
        recordEvent(op, world.deps, systemActor(task), taskEvent(task, action ?? to)),
    });
  }
  return id;
}

const storeKey = (world: World, name: string) =>
  world.api("alice", "POST", `/api/project/${world.web.id}/keys`, { name, type: "none" });

Deno.test("a task is one line, with its outcome and its duration; the API lists each step", async () => {
  await using world = await newWorld();
  const id = await runTask(world);
  const html = await look(world);
  const [line, ...others] = linesOf(html);
  assert.match(line, new RegExp(`^Bob started #${id} Deploy shop Success 4s Bob `));
  assert.ok(others.every((other) => !other.includes(`#${id}`)), others.join("\n"));
  assert.match(html, new RegExp(`href="/project/1/activity\\?t=${id}"`));
  const { body } = await world.api("carol", "GET", `/api/project/${world.web.id}/events`);
  assert.equal(
    body.filter((event: { object_id: number }) => event.object_id === id).length >= 4,
    true,
  );
});

Deno.test("a schedule without a name has its times in words instead of its cron format", async () => {
  await using world = await newWorld();
  const { kv, web, deploy, deps } = world;
  const path = `/api/project/${web.id}/schedules`;
  const schedule = { template_id: deploy.id, active: true, allow_parallel_tasks: true };
  const told: string[] = [];
  for (const [name, cron_format] of [["", "0 3 * * *"], ["", "@every 6h"], ["Nightly", "@daily"]]) {
    const { body } = await world.api("alice", "POST", path, { ...schedule, name, cron_format });
    await fireSchedule(
      deps,
      (await kv.get<ScheduleRow>(
        rowKeys.resource("schedules", web.id, body.id),
      )).value!,
    );
    const line = linesOf(await look(world)).find((line) => /\(schedule\) started/.test(line))!;
    told.push(line.replace(/ \(schedule\).*/, ""));
    const history = await htmlOf(await world.get("carol", `/project/${web.id}/history`));
    assert.doesNotMatch(history, /0 3 \* \* \*|@every/);
  }
  assert.deepEqual(told.map((text) => text.replaceAll(/\s/g, " ")), [
    "At 3:00 AM",
    "Every 6 hours",
    "Nightly",
  ]);
});

Deno.test("actions of people on a task have a line of their own", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}/tasks`;
  const { id } = (await world.api("bob", "POST", path, { template_id: world.deploy.id })).body;
  assert.equal((await world.api("alice", "POST", `${path}/${id}/stop`)).status, 204);
  const [stopped, queued] = linesOf(await look(world));
  assert.match(stopped, /was stopped Alice /);
  assert.match(queued, /^Bob started #\d+ Deploy shop Stopped Stopped by Alice\. Bob /);
});

Deno.test("activity leads to its object while that exists", async () => {
  await using world = await newWorld();
  const { body: { id } } = await storeKey(world, "Git");
  const link = new RegExp(`href="/project/1/keys/${id}"[^>]*>Git</a>&quot; was created`);
  const managed = async () => await htmlOf(await world.get("alice", activityOf(world)));
  assert.match(await managed(), link);
  assert.doesNotMatch(await look(world), link, "Carol may not open the form");
  await world.api("alice", "DELETE", `/api/project/${world.web.id}/keys/${id}`);
  assert.doesNotMatch(await managed(), new RegExp(`href="/project/1/keys/${id}"`));
});

Deno.test("activity is filtered by kind and person, page after page, and complete", async () => {
  await using world = await newWorld();
  for (let n = 0; n < 45; n++) {
    world.clock.advance(1000);
    await storeKey(world, `Key ${n}`);
    if (n % 15 === 0) await runTask(world);
  }
  const readAll = async (query: string) => {
    const lines: string[] = [];
    let html = await look(world, query);
    for (;;) {
      lines.push(...linesOf(html));
      const older = linkOf(html, "Older");
      if (!older) return lines;
      html = await htmlOf(await world.get("carol", older));
    }
  };
  const keys = await readAll("?kind=key");
  assert.deepEqual(
    keys.slice(0, 45).map((line) => Number(/Key (\d+)/.exec(line)![1])),
    [
      ...Array(45).keys(),
    ].reverse(),
  );
  const tasks = await readAll("?kind=task");
  assert.equal(tasks.length, 3);
  const bobs = await readAll(`?user=${world.people.bob.id}`);
  assert.deepEqual(bobs, tasks);
  assert.deepEqual(await readAll(`?kind=key&user=${world.people.bob.id}`), []);
  const all = await readAll("");
  assert.ok(all.length >= 48 && [...keys, ...tasks].every((line) => all.includes(line)));
  const html = await look(world, "?kind=view");
  assert.match(html, /No events match/);
  assert.equal(linkOf(html, "Show all events"), activityOf(world));
  assert.match(html, />Bob<\/option>/);
  assert.doesNotMatch(html, />Carol<\/option>/);
});

Deno.test("a page after the last time of its filter is empty", async () => {
  await using world = await newWorld();
  await storeKey(world, "deploy key");
  const query = "?before=2039-01-01T00:00:00.000Z&to=2020-01-01";
  const response = await world.get("carol", activityOf(world) + query);
  assert.equal(response.status, 200);
  assert.deepEqual(linesOf(await htmlOf(response)), []);
});
