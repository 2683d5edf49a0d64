import assert from "node:assert/strict";
import type { EventView } from "@/lib/events/schema.ts";
import { newestMatching } from "@/lib/events/find.ts";
import { countingReads } from "@/tests/support/basics/counting_reads.ts";
import { htmlOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const project = ({ web }: World) => `/api/project/${web.id}`;

/** Alice creates a view, Mike renames it, and Alice creates another one, an hour apart. */
async function changeViews(world: World): Promise<number> {
  const send = async (person: "alice" | "mike", method: string, path: string, title: string) => {
    world.clock.advance(3_600_000);
    const answer = await world.api(person, method, `${project(world)}${path}`, { title });
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  };
  const { id } = await send("alice", "POST", "/views", "Nightly");
  await send("mike", "PUT", `/views/${id}`, "Weekly");
  await send("alice", "POST", "/views", "Other, =1+1");
  return id;
}

const said = (events: EventView[]) => events.map((event) => `${event.username} ${event.action}`);

Deno.test("events are filtered by person, object and time, and by all of them", async () => {
  await using world = await newWorld();
  const start = world.clock.now().getTime();
  const id = await changeViews(world);
  const { alice, mike } = world.people;
  const at = (hours: number) => new Date(start + hours * 3_600_000).toISOString();
  const list = async (query: string, path = project(world)) =>
    said((await world.api("alice", "GET", `${path}/events?${query}`)).body);
  const view = `object_type=view&object_id=${id}`;
  assert.deepEqual(await list("object_type=view"), [
    "alice created",
    "mike updated",
    "alice created",
  ]);
  assert.deepEqual(await list(view), ["mike updated", "alice created"]);
  assert.deepEqual(await list(`${view}&user_id=${mike.id}`), ["mike updated"]);
  assert.deepEqual(await list(`user_id=${alice.id}&from=${at(1)}`), [
    "alice created",
    "alice created",
  ]);
  assert.deepEqual(await list(`from=${at(2)}&to=${at(2)}`), ["mike updated"]);
  assert.deepEqual(await list(`${view}&to=${at(1)}`), ["alice created"]);
  assert.deepEqual(await list(`${view}&user_id=${mike.id}`, "/api"), ["mike updated"]);
  assert.deepEqual(await list(`${view}&limit=1`), ["mike updated"]);
});

Deno.test("a wrong filter is an error that names its field", async () => {
  await using world = await newWorld();
  for (
    const [query, field] of [
      ["object_id=1", "object_type"],
      ["object_type=cat", "object_type"],
      ["from=yesterday", "from"],
      ["user_id=x", "user_id"],
    ]
  ) {
    const { status, body } = await world.api("alice", "GET", `${project(world)}/events?${query}`);
    assert.equal(status, 400, query);
    assert.ok(field in body.fields, JSON.stringify(body));
  }
});

Deno.test("a filtered page reads no more rows than it shows, however many events there are", async () => {
  await using world = await newWorld();
  const id = await changeViews(world);
  const { kv, read } = countingReads(world.kv, ["events", "activity", "object_events"]);
  const cost = async () => {
    const rows = read.rows;
    const filter = { kind: "view", objectId: id } as const;
    const events = await Array.fromAsync(newestMatching(kv, world.web.id, filter, 2));
    assert.equal(events.length, 2);
    return read.rows - rows;
  };
  assert.equal(await cost(), 4);
  for (let n = 0; n < 40; n++) {
    await world.api("alice", "POST", `${project(world)}/views`, { title: `View ${n}` });
  }
  assert.equal(await cost(), 4, "two rows of the index, and their events");
});

Deno.test("exports have all matching events, as CSV and as JSON lines", async () => {
  await using world = await newWorld();
  await changeViews(world);
  const path = `${project(world)}/events`;
  const csv = await world.api("alice", "GET", `${path}.csv?object_type=view`);
  assert.match(csv.headers.get("content-type")!, /^text\/csv/);
  const lines = csv.body.trimEnd().split("\r\n");
  assert.equal(lines.length, 4);
  assert.match(lines[0], /^created,id,project_id,/);
  assert.match(lines[1], /"View ""Other, =1\+1"" was created"/);
  assert.match(lines[2], /"\{""title"":\[""Nightly"",""Weekly""\]\}"/);
  const text = (await world.api("alice", "GET", `${path}.jsonl?object_type=view`)).body;
  const events: EventView[] = text.trimEnd().split("\n").map((line: string) => JSON.parse(line));
  const { body: listed } = await world.api("alice", "GET", `${path}?object_type=view`);
  assert.deepEqual(events, listed);
  const bob = (await world.api("bob", "GET", `${path}.jsonl?object_type=view&limit=1`)).body;
  assert.equal(JSON.parse(bob).changes, null, "an export shows no more than a list");
});

Deno.test("a page shows an event with its values, and the events of its object", async () => {
  await using world = await newWorld();
  const id = await changeViews(world);
  const page = `/project/${world.web.id}/activity`;
  const html = await htmlOf(await world.get("alice", `${page}?kind=view&object=${id}`));
  const links = [...html.matchAll(/href="([^"]*\/activity\/2[^"]*)"/g)].map(([, href]) => href);
  assert.equal(links.length, 2);
  const event = await htmlOf(await world.get("alice", links[0]));
  assert.match(event, /Nightly/);
  assert.match(event, /Weekly/);
  assert.match(event, /192\.0\.2\.1/);
  const guest = await htmlOf(await world.get("carol", links[0]));
  assert.doesNotMatch(guest, /Nightly/);
  assert.match(guest, /Only people who can manage resources/);
  assert.equal((await world.get("dave", links[0])).status, 404);
  assert.equal((await world.get("alice", `${page}/2020_nothing`)).status, 404);
});

Deno.test("admins see the events of the server, and no one else", async () => {
  await using world = await newWorld();
  const { bob } = world.people;
  const form = { name: "Robert", username: "bob", email: "bob@example.com" };
  assert.equal((await world.api("erin", "PUT", `/api/users/${bob.id}`, form)).status, 204);
  const html = await htmlOf(await world.get("erin", "/admin/activity?kind=user"));
  const [, href] = /href="([^"]*\/admin\/activity\/2[^"]*)"/.exec(html)!;
  assert.match(await htmlOf(await world.get("erin", href)), /Robert/);
  assert.equal((await world.get("alice", "/admin/activity")).status, 404);
});
