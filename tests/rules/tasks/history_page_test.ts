import assert from "node:assert/strict";
import { getTaskRow } from "@/lib/model/tasks.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { writeHistory } from "@/tests/support/world/history.ts";
import { htmlOf, linkOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const historyOf = ({ web }: World) => `/project/${web.id}/history`;

const rowsOf = (html: string) =>
  [...html.matchAll(/<tr id="task-(\d+)"/g)].map(([, id]) => Number(id));

async function start(world: World): Promise<number> {
  const path = `/api/project/${world.web.id}/tasks`;
  return (await world.api("bob", "POST", path, { template_id: world.deploy.id })).body.id;
}

/** Creates a task for each kind of starter, a day apart, the latest last. */
async function makeHistory(world: World) {
  const { kv, web, people, deploy } = world;
  const model = { ...await getTaskRow(kv, web.id, await start(world)), end: null };
  const path = `/api/project/${web.id}`;
  const schedule = (await world.api("alice", "POST", `${path}/schedules`, {
    name: "Nightly",
    template_id: deploy.id,
    cron_format: "0 2 * * *",
    active: true,
  })).body.id;
  const nobody = { user_id: null, user_name: null };
  const changes: Partial<TaskRow>[] = [
    { status: "success" },
    { status: "error", by_token: true },
    {
      ...nobody,
      status: "success",
      schedule_id: schedule,
      started_by: { kind: "schedule", name: "Once" },
    },
    {
      ...nobody,
      status: "stopped",
      integration_id: 999,
      started_by: { kind: "integration", name: "GitHub" },
    },
    { ...nobody, status: "success", started_by: { kind: "autorun", name: "Deploy shop" } },
  ].map((change, n) => ({ ...change, created: `2024-03-0${n + 1}T12:00:00.000Z` }) as never);
  const tasks = await writeHistory(kv, model, changes);
  const [hand] = tasks;
  const [deployed] = await writeHistory(kv, model, [{
    ...changes[4],
    build_task_id: hand.id,
    created: "2024-03-06T12:00:00.000Z",
  }]);
  return {
    first: model.id,
    ids: [...tasks, deployed].map(({ id }) => id),
    bob: people.bob.id,
    schedule,
  };
}

Deno.test("a history is filtered by template, person, trigger, statuses and days, together", async () => {
  await using world = await newWorld();
  const { first, ids, bob } = await makeHistory(world);
  const [hand, token, schedule, integration, autorun, deployed] = ids;
  const list = async (query: string) => {
    const response = await world.get("bob", `${historyOf(world)}?${query}`);
    assert.equal(response.status, 200);
    return rowsOf(await htmlOf(response)).sort((a, b) => a - b);
  };
  assert.deepEqual(await list(""), [first, ...ids]);
  assert.deepEqual(await list(`by=${bob}`), [first, hand, token]);
  assert.deepEqual(await list("by=schedule"), [schedule]);
  assert.deepEqual(await list("trigger=manual"), [first, hand]);
  assert.deepEqual(await list(`trigger=api&by=${bob}`), [token]);
  assert.deepEqual(await list("trigger=manual&by=schedule"), []);
  assert.deepEqual(await list("trigger=autorun&by=autorun"), [autorun, deployed]);
  assert.deepEqual(await list("status=error&status=stopped"), [token, integration]);
  assert.deepEqual(await list("status=waiting&status=error"), [first, token]);
  assert.deepEqual(await list("from=2024-03-02&to=2024-03-03"), [token, schedule]);
  assert.deepEqual(await list(`template=${world.deploy.id}&status=success&to=2024-03-02`), [hand]);
  // A deleted template and invalid values do not filter.
  const odd = "template=999&by=x&trigger=y&status=z&from=2024-02-31&to=yesterday&before=-1";
  assert.deepEqual(await list(odd), [first, ...ids]);
});

Deno.test("the days of a filter begin and end where the reader is", async () => {
  await using world = await newWorld();
  const model = await getTaskRow(world.kv, world.web.id, await start(world));
  const [late, early] = await writeHistory(
    world.kv,
    model,
    ["2024-03-01T23:30:00.000Z", "2024-03-02T22:30:00.000Z"].map((created) => ({ created })),
  );
  const list = async (zone: string, day: string) => {
    await world.post("bob", "/account/appearance", { timezone: zone });
    const path = `${historyOf(world)}?from=${day}&to=${day}`;
    return await htmlOf(await world.get("bob", path));
  };
  assert.deepEqual(rowsOf(await list("UTC", "2024-03-02")), [early.id]);
  assert.deepEqual(rowsOf(await list("Europe/Berlin", "2024-03-02")), [early.id, late.id]);
  assert.deepEqual(rowsOf(await list("Asia/Tokyo", "2024-03-02")), [late.id]);
  // On a day without tasks the page shows the date.
  assert.match(await list("America/Los_Angeles", "2024-02-03"), /Feb 3, 2024/);
});

Deno.test("filters are in the address, and in the ways on from the page", async () => {
  await using world = await newWorld();
  const model = await getTaskRow(world.kv, world.web.id, await start(world));
  await writeHistory(
    world.kv,
    model,
    Array.from({ length: 30 }, () => ({ status: "error" as const })),
  );
  const query = "by=" + world.people.bob.id + "&status=error&status=stopped";
  const html = await htmlOf(await world.get("bob", `${historyOf(world)}?${query}`));
  const older = linkOf(html, "Older")!;
  assert.match(older, new RegExp(`\\?by=\\d+&status=stopped&status=error&before=\\d+$`));
  const second = await htmlOf(await world.get("bob", older));
  assert.equal(rowsOf(html).length + rowsOf(second).length, 30);
  assert.match(second, /<option[^>]* value="\d+"[^>]* selected[^>]*>Bob</);
  assert.match(second, /value="error" checked/);
  assert.match(
    second,
    new RegExp(`<a href="${historyOf(world)}" data-stay[^>]*>(?:(?!</a>).)*Clear`),
  );
});

Deno.test("a history without a match says what it was filtered by, and how to see all", async () => {
  await using world = await newWorld();
  const none = await htmlOf(await world.get("bob", historyOf(world)));
  assert.match(none, /No tasks yet/);
  await start(world);
  const query = `template=${world.deploy.id}&by=integration&status=error&status=stopped`;
  const html = await htmlOf(await world.get("bob", `${historyOf(world)}?${query}`));
  assert.match(
    html,
    /No task matches: Template: Deploy shop, Started by: Integrations, Status: Stopped \/ Failed/,
  );
  assert.equal(linkOf(html, "Show all tasks"), historyOf(world));
});

Deno.test("each row says who or what started it, by name and with a way there", async () => {
  await using world = await newWorld();
  const { ids, schedule } = await makeHistory(world);
  const [hand, token, scheduled, integration, , deployed] = ids;
  const html = async () => await htmlOf(await world.get("carol", historyOf(world)));
  const starter = (page: string, id: number) =>
    new RegExp(`<tr id="task-${id}".*?data-label="Started by">(.*?)</td>`).exec(page)![1];
  const page = await html();
  assert.match(starter(page, hand), />\s*Bob\s*</);
  assert.match(starter(page, token), /aria-label="API token".*Bob/);
  assert.match(starter(page, scheduled), /href="\/project\/1\/templates\/1"[^>]*>Nightly</);
  assert.match(starter(page, integration), /title="Integration: GitHub"/);
  assert.doesNotMatch(starter(page, integration), /href/);
  assert.match(starter(page, deployed), new RegExp(`t=${hand}"[^>]*>after Deploy shop #${hand}<`));
  // The name that it had then is shown once it is deleted.
  const path = `/api/project/${world.web.id}/schedules/${schedule}`;
  assert.equal((await world.api("alice", "DELETE", path)).status, 204);
  assert.match(starter(await html(), scheduled), /title="Schedule: Once"/);
});

Deno.test("a global admin deletes a finished task from its row, after a question; no one else", async () => {
  await using world = await newWorld();
  const { kv, web } = world;
  const id = await start(world);
  const path = `/project/${web.id}/tasks/${id}/delete`;
  assert.doesNotMatch(await htmlOf(await world.get("erin", historyOf(world))), /\/delete/);
  assert.equal((await world.get("erin", path)).status, 409);
  await advance(kv, { id, project_id: web.id }, "stopped", {
    end: world.clock.now().toISOString(),
  });
  const html = await htmlOf(await world.get("erin", `${historyOf(world)}?status=stopped`));
  const link = /href="([^"]*\/delete\?back=[^"]*)"/.exec(html)![1];
  assert.ok(html.includes(`title="Delete #${id}"`));
  assert.doesNotMatch(await htmlOf(await world.get("alice", historyOf(world))), /\/delete/);
  assert.equal((await world.get("alice", path)).status, 403);
  assert.equal((await world.post("alice", path)).status, 403);
  assert.match(await htmlOf(await world.get("erin", link)), /Do you really want to delete task #/);
  const deleted = await world.post("erin", link);
  assert.equal(deleted.status, 303);
  assert.equal(deleted.headers.get("Location"), `${historyOf(world)}?status=stopped`);
  assert.equal((await world.get("erin", path)).status, 404);
});

Deno.test("two people with one name are distinguished by their usernames, until one gets another", async () => {
  await using world = await newWorld();
  const { people, web, deploy } = world;
  const rename = async (person: "bob" | "mike", name: string) => {
    const path = `/api/users/${people[person].id}`;
    const { body } = await world.api("erin", "GET", path);
    assert.equal((await world.api("erin", "PUT", path, { ...body, name })).status, 204);
  };
  const seen = async () => await htmlOf(await world.get("alice", historyOf(world)));
  const starts = `/api/project/${web.id}/tasks`;
  await rename("bob", "Sam Smith");
  await start(world);
  assert.doesNotMatch(await seen(), /\(bob\)/, "no one else has the name");
  await rename("mike", "sam smith");
  await world.api("mike", "POST", starts, { template_id: deploy.id });
  const shared = await seen();
  const rows = shared.split("<tbody")[1];
  assert.match(rows, /sam smith \(mike\)[^]*Sam Smith \(bob\)/, "latest first");
  assert.equal(shared.match(/<option[^>]*>[^<]*sam smith \((bob|mike)\)/gi)?.length, 2);

  await rename("mike", "Mike");
  await start(world);
  const renamed = await seen();
  assert.doesNotMatch(renamed, /\(bob\)/);
  assert.match(renamed, /sam smith \(mike\)/, "the name that is Bob's alone now");
});
