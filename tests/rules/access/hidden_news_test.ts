import assert from "node:assert/strict";
import type { StoryAlert } from "@/lib/alerts/outbox.ts";
import { recipientsOf } from "@/lib/alerts/recipients.ts";
import { storyOf } from "@/lib/alerts/stories.ts";
import type { TargetRow } from "@/lib/alerts/targets/rows.ts";
import type { UserRow } from "@/lib/model/account_row.ts";
import { findProject } from "@/lib/model/projects.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { plant, PLANTED } from "@/tests/support/world/planted.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const textOf = async (world: World, person: Person, path: string) =>
  await (await world.get(person, path)).text();

/** Checks that an owner finds the planted word at each address, and others nowhere. */
async function expectHidden(world: World, paths: string[], readers: Person[] = ["bob", "mike"]) {
  const told: string[] = [];
  for (const path of paths) {
    // The owner reads first, so that an answer from a cache would tell others.
    if (!(await textOf(world, "alice", path)).includes(PLANTED)) told.push(`alice misses ${path}`);
    for (const reader of readers) {
      const text = await textOf(world, reader, path);
      if (text.includes(PLANTED)) told.push(`${reader} at ${path}: ${around(text)}`);
    }
  }
  assert.deepEqual(told, []);
}

/** Returns the text around the planted word. */
const around = (text: string): string =>
  text.slice(Math.max(0, text.indexOf(PLANTED) - 100), text.indexOf(PLANTED) + 60);

Deno.test("events about hidden things are in no list, page or export", async () => {
  await using world = await newWorld();
  const { template, schedule } = await plant(world);
  const { id } = world.web;
  await expectHidden(world, [
    ...["events", "events/last", "events/last?limit=5", "events.csv", "events.jsonl"]
      .flatMap((path) => [`/api/project/${id}/${path}`, `/api/${path}`]),
    `/project/${id}/activity`,
    `/project/${id}/activity?kind=task`,
    `/project/${id}/activity?kind=template`,
    `/api/project/${id}/events?object_type=template&object_id=${template}`,
    `/api/project/${id}/events?object_type=schedule&object_id=${schedule}`,
  ]);
  const { body: events } = await world.api("alice", "GET", `/api/project/${id}/events`);
  const hidden = events.find(({ object_name }: { object_name: string }) =>
    object_name.includes(PLANTED)
  );
  const page = `/project/${id}/activity/${encodeURIComponent(hidden.id)}`;
  assert.equal((await world.get("alice", page)).status, 200);
  assert.equal((await world.get("mike", page)).status, 404);
  const { body: seen } = await world.api("bob", "GET", `/api/project/${id}/events`);
  assert.ok(seen.length > 0 && seen.length < events.length);
});

Deno.test("a host that only hidden tasks have reached does not exist, and others have their runs", async () => {
  await using world = await newWorld();
  const { task } = await plant(world);
  const { id } = world.web;
  await expectHidden(world, [
    `/project/${id}/hosts`,
    ...["name", "status", "run"].map((sort) => `/project/${id}/hosts?sort=${sort}`),
    `/project/${id}/hosts/shared`,
    `/api/project/${id}/hosts`,
    `/api/project/${id}/hosts/shared/runs`,
  ]);
  const host = `/api/project/${id}/hosts/${PLANTED}1`;
  for (const path of [host, `${host}/runs`, `${host}/facts`].slice(1)) {
    assert.equal((await world.api("alice", "GET", path)).status, 200, path);
    assert.equal((await world.api("bob", "GET", path)).status, 404, path);
  }
  assert.equal((await world.get("mike", `/project/${id}/hosts/${PLANTED}1`)).status, 404);
  const { body: [shared, ...others] } = await world.api("bob", "GET", `/api/project/${id}/hosts`);
  assert.deepEqual([shared.name, shared.runs.length, others], ["shared", 1, []]);
  assert.ok(shared.last_task_id < task);
  const { body: all } = await world.api("alice", "GET", `/api/project/${id}/hosts`);
  assert.deepEqual(all.map(({ runs }: { runs: unknown[] }) => runs.length), [2, 1]);
});

Deno.test("drift of hidden templates is in no list, count or file, and cannot be fixed", async () => {
  await using world = await newWorld();
  const { template } = await plant(world);
  const { id } = world.web;
  const itself = `/api/project/${id}/templates/${template}`;
  assert.equal((await world.api("mike", "DELETE", itself)).status, 404);
  await expectHidden(world, [
    `/project/${id}/drift`,
    `/project/${id}/drift?sort=host`,
    `/project/${id}/drift?q=1`,
    `/project/${id}/hosts/shared`,
    ...["", "?sort=host", "/stats", ".csv"].map((path) => `/api/project/${id}/drift${path}`),
  ]);
  const counted = async (person: Person) => {
    const { body } = await world.api(person, "GET", `/api/project/${id}/drift/stats`);
    return [body.hosts.would_change, body.templates.length];
  };
  assert.deepEqual(await counted("alice"), [2, 1]);
  assert.deepEqual(await counted("bob"), [0, 0]);
  const fix = `/api/project/${id}/templates/${template}/fix`;
  assert.equal((await world.api("bob", "POST", fix, {})).status, 404);
  assert.doesNotMatch(await textOf(world, "bob", "/drift"), /2 hosts/);
});

Deno.test("triggers of hidden targets do not exist, and still work", async () => {
  await using world = await newWorld();
  const { schedule, integration, template } = await plant(world);
  const { id } = world.web;
  const project = `/api/project/${id}`;
  const { body: alias } = await world.api(
    "alice",
    "POST",
    `${project}/integrations/${integration}/aliases`,
    {},
  );
  await expectHidden(world, [
    `/project/${id}/schedules`,
    `/project/${id}/integrations`,
    ...["schedules", "integrations"].map((path) => `${project}/${path}`),
  ]);
  const paths = [
    `schedules/${schedule}`,
    `templates/${template}/schedules`,
    ...["", "/matchers", "/values", "/aliases", "/deliveries"].map((part) =>
      `integrations/${integration}${part}`
    ),
  ];
  for (const path of paths) {
    assert.equal((await world.api("alice", "GET", `${project}/${path}`)).status, 200, path);
    assert.equal((await world.api("mike", "GET", `${project}/${path}`)).status, 404, path);
  }
  const form = { template_id: template, cron_format: "0 4 * * *" };
  const sent = [
    ["POST", "schedules", form],
    ["PUT", `schedules/${schedule}`, { ...form, template_id: world.deploy.id }],
    ["PUT", `schedules/${schedule}/active`, { active: false }],
    ["DELETE", `schedules/${schedule}`, undefined],
    ["POST", "integrations", { name: "Again", template_id: template }],
    ["DELETE", `integrations/${integration}`, undefined],
    ["POST", `integrations/${integration}/aliases`, {}],
  ] as const;
  for (const [method, path, body] of sent) {
    const { status } = await world.api("mike", method, `${project}/${path}`, body);
    assert.equal(status, 404, `${method} ${path}`);
  }
  const { pathname } = new URL(alias.url);
  const called = await world.request(pathname, { method: "POST", body: "{}" });
  assert.equal((await called.json()).tasks.length, 1);
});

Deno.test("search finds nothing hidden, by name, by another text, or as a host", async () => {
  await using world = await newWorld();
  await plant(world);
  const { id } = world.web;
  // A part of the word, because pages show what was searched for.
  await expectHidden(world, [
    ...["zanzi", "night.yml", "0 3"].flatMap((q) => {
      const query = new URLSearchParams({ q });
      return [`/api/project/${id}/search?${query}`, `/project/${id}/search?${query}`];
    }),
    `/api/project/${id}/search?q=zanzi&kind=hosts`,
  ]);
  const { body } = await world.api("bob", "GET", `/api/project/${id}/search?q=zanzi`);
  assert.deepEqual(body.groups, []);
});

Deno.test("members get no mail about what they do not see, and alerts are set up by who sees all", async () => {
  await using world = await newWorld();
  const { deps, kv, web } = world;
  for (const { id } of Object.values(world.people)) {
    const { value } = await kv.get<UserRow>(rowKeys.user(id));
    await kv.set(rowKeys.user(id), { ...value, alert: true, email: `p${id}@example.com` });
  }
  const { template, task } = await plant(world);
  const project = (await findProject(kv, web.id))!;
  const members = { kind: "members", language: "en", project_id: 0, id: -1 } as TargetRow;
  const mailed = async (alert: StoryAlert) => {
    const story = await storyOf(deps, project, alert);
    const sent = await recipientsOf(deps, members, { project, isSeen: story!.isSeen });
    return sent.map(({ to }) => to);
  };
  const mailOf = (...people: Person[]) =>
    people.map((name) => `p${world.people[name].id}@example.com`).toSorted();
  const notice = (template_id: number): StoryAlert => ({
    ...{ kind: "notice", event: "schedule_missed", project_id: web.id, template_id, path: "/" },
    title: { key: "errors.not_found", params: {} },
  });
  const ended = { status: "error", turn: "failed" } as const;
  const about: StoryAlert = { kind: "task", project_id: web.id, task_id: task, ...ended } as never;
  assert.deepEqual(await mailed(notice(template)), mailOf("alice"));
  assert.deepEqual(await mailed(about), mailOf("alice"));
  assert.deepEqual(
    await mailed(notice(world.deploy.id)),
    mailOf("alice", "mike", "bob", "carol"),
  );
  const paths = ["alert_rules", "alert_targets", "alert_feed"];
  for (const path of paths) {
    const address = `/api/project/${web.id}/${path}`;
    assert.equal((await world.api("alice", "GET", address)).status, 200, path);
    assert.equal((await world.api("mike", "GET", address)).status, 403, path);
  }
});

Deno.test("users of a resource are named for those who see them, and counted for others", async () => {
  await using world = await newWorld();
  await plant(world);
  const { id, inventoryId } = world.web;
  const inventory = `/api/project/${id}/inventory/${inventoryId}`;
  await expectHidden(world, [
    `${inventory}/refs`,
    `/project/${id}/inventory/${inventoryId}/uses`,
    `/project/${id}/repositories/${world.web.repositoryId}/uses`,
  ]);
  const { status, body } = await world.api("mike", "DELETE", inventory);
  assert.equal(status, 409);
  assert.doesNotMatch(JSON.stringify(body), new RegExp(PLANTED));
  assert.match(JSON.stringify(body), /1 that you cannot see/);
});
