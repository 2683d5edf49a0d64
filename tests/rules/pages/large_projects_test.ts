import assert from "node:assert/strict";
import { findField } from "@/lib/base/lists/find_choice.ts";
import { addTemplates } from "@/tests/support/world/many_templates.ts";
import { projectPages } from "@/tests/support/world/project_pages.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import type { Store } from "@/lib/store/store.ts";

/** Counts the rows that the store reads while `ask` runs. */
async function rowsOf({ kv }: World, ask: () => Promise<unknown>): Promise<number> {
  let rows = 0;
  const { get, getMany, list } = kv;
  kv.get = (...args) => (rows++, get.apply(kv, args)) as never;
  kv.getMany = (keys: readonly unknown[], ...rest: unknown[]) => {
    rows += keys.length;
    return getMany.apply(kv, [keys, ...rest] as never) as never;
  };
  kv.list = ((...args: Parameters<Store["list"]>) => {
    const entries = list.apply(kv, args);
    const next = entries.next.bind(entries);
    entries.next = async () => {
      const read = await next();
      if (!read.done) rows++;
      return read;
    };
    return entries;
  }) as never;
  try {
    await ask();
  } finally {
    Object.assign(kv, { get, getMany, list });
  }
  return rows;
}

/** Rows of a page of the API, which a short list does not read because it is cached as a whole. */
const ROWS_PER_PAGE = 60;

interface Cost {
  rows: number;
  bytes: number;
}

/** Returns what each page reads and answers once its caches are filled. */
async function costsOf(world: World, pages: Record<string, string>): Promise<Map<string, Cost>> {
  const costs = new Map<string, Cost>();
  for (const [name, path] of Object.entries(pages)) {
    const cost = { rows: 0, bytes: 0 };
    const ask = async () => {
      const response = await world.get("alice", path);
      const text = await response.text();
      assert.equal(response.status, 200, `${name}: ${text}`);
      cost.bytes = text.length;
    };
    await ask();
    cost.rows = await rowsOf(world, ask);
    costs.set(name, cost);
  }
  return costs;
}

async function make(world: World, path: string, body: unknown): Promise<number> {
  const answer = await world.api("alice", "POST", `/api/project/${world.web.id}/${path}`, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.id;
}

/** Adds schedules of some templates. */
async function addSchedules(world: World, templates: { id: number }[]): Promise<number> {
  let last = 0;
  for (const { id } of templates) {
    const form = { template_id: id, name: `Of ${id}`, cron_format: "0 3 1 1 *", active: true };
    last = await make(world, "schedules", form);
  }
  return last;
}

Deno.test("no page reads or answers more because a project has many templates and schedules", async () => {
  await using world = await newWorld();
  const { web } = world;
  const some = await addTemplates(world, 60);
  const scheduleId = await addSchedules(world, some.slice(0, 55));
  const workflowId = await make(world, "workflows", { name: "Roll out", steps: [] });
  const [{ id: taskId }] = (await world.api("alice", "GET", `/api/project/${web.id}/tasks`)).body;
  const pages = projectPages({
    projectId: web.id,
    templates: some.map(({ id }) => id),
    scheduleId,
    workflowId,
    keyId: web.keyId,
    taskId,
  });
  const before = await costsOf(world, pages);
  await addSchedules(world, (await addTemplates(world, 700)).slice(0, 100));
  const after = await costsOf(world, pages);
  const grown = [...after].filter(([name, { rows, bytes }]) => {
    const { rows: rowsBefore, bytes: bytesBefore } = before.get(name)!;
    return rows > rowsBefore * 1.5 + ROWS_PER_PAGE || bytes > bytesBefore * 1.5 + 8_000;
  });
  assert.deepEqual(
    grown.map(([name, cost]) => [name, before.get(name), cost]),
    [],
  );
});

Deno.test("a choice among very many is searched by a button that keeps what was typed", async () => {
  await using world = await newWorld();
  const [, wanted] = await addTemplates(world, 300);
  const form = `/project/${world.web.id}/schedules/new`;
  const first = await (await world.get("mike", form)).text();
  const options = (html: string) =>
    [...html.matchAll(/<option +value="(\d+)"/g)].map(([, value]) => Number(value));
  assert.equal(options(first).filter((id) => id !== 0).length < 60, true);
  assert.match(first, /50 of 301/);

  const field = findField("template_id");
  const typed = { name: "Nightly", type: "", cron_format: "0 3 * * *", active: "true" };
  const search = {
    ...typed,
    template_id: String(wanted.id),
    [field]: "late 29",
    find: "template_id",
  };
  const found = await world.post("mike", form, search);
  assert.equal(found.status, 200);
  const html = await found.text();
  assert.match(html, /value="Nightly"/);
  assert.match(html, /13 of 301/);
  assert.match(html, new RegExp(`name="${field}"[^>]*value="late 29"`));
  assert.match(html, new RegExp(`<option +value="${wanted.id}"[^>]* selected`), "the choice stays");
  assert.doesNotMatch(html, /field-error/);
  const schedules = await world.api("mike", "GET", `/api/project/${world.web.id}/schedules`);
  assert.deepEqual(schedules.body, [], "nothing is saved");

  const { find: _, ...sent } = search;
  assert.equal((await world.post("mike", form, sent)).status, 303, "the words are no input");
});

Deno.test("a filter among very many templates is searched by its own button", async () => {
  await using world = await newWorld();
  const templates = await addTemplates(world, 300);
  const chosen = templates[4].id;
  const path = `/project/${world.web.id}/history?template=${chosen}&find.template=late+29`;
  const html = await (await world.get("carol", path)).text();
  assert.match(html, /13 of 301/);
  assert.match(html, new RegExp(`<option +value="${chosen}"[^>]* selected`));
});

Deno.test("a rule for some of very many templates keeps those that a search does not find", async () => {
  await using world = await newWorld();
  const [first, second] = await addTemplates(world, 300);
  const form = `/project/${world.web.id}/alerts/rules/new`;
  const html = await (await world.post("mike", form, {
    name: "Both",
    template_ids: [String(first.id), String(second.id)],
    [findField("template_ids")]: "late 299",
    find: "template_ids",
  })).text();
  const ids = [...html.matchAll(/name="template_ids" value="(\d+)"( checked)?/g)]
    .map(([, id, checked]) => [Number(id), checked !== undefined]);
  assert.deepEqual(ids.slice(0, 2), [[first.id, true], [second.id, true]]);
  assert.equal(ids.length, 3);
});

Deno.test("of a long list of templates only the page that is asked for is read, in the same order", async () => {
  await using world = await newWorld();
  await addTemplates(world, 600);
  const path = `/api/project/${world.web.id}/templates`;
  const get = (query = "") => world.api("carol", "GET", path + query);
  const all = await get();
  assert.equal(all.body.length, 601);
  assert.equal(all.headers.get("x-has-next"), null);
  const sorted = all.body.map(({ name }: { name: string }) => name);
  assert.deepEqual(sorted, sorted.toSorted((a: string, b: string) => a < b ? -1 : 1));
  assert.equal(all.body[1].last_task.tpl_alias, "Template 001");

  const part = await get("?limit=20&skip=40");
  assert.deepEqual(part.body, all.body.slice(40, 60));
  assert.equal(part.headers.get("x-has-next"), "true");
  assert.match(part.headers.get("link")!, /skip=60/);
  const last = await get("?limit=20&skip=600");
  assert.deepEqual(last.body, all.body.slice(600));
  assert.equal(last.headers.get("x-has-next"), "false");
  const reversed = await get("?sort=name&order=desc&limit=3");
  assert.deepEqual(reversed.body, all.body.toReversed().slice(0, 3));
  assert.deepEqual((await get("?type=build")).body, []);
  assert.equal(await rowsOf(world, () => get("?limit=20")) < 100, true);
});

Deno.test("a start by the name of a template reads no other template", async () => {
  await using world = await newWorld();
  const [, { id, name }] = await addTemplates(world, 300);
  const start = async () => {
    const body = { template_name: name };
    const started = await world.api("bob", "POST", `/api/project/${world.web.id}/tasks`, body);
    assert.equal(started.status, 201);
    assert.equal(started.body.template_id, id);
  };
  await start();
  const rows = await rowsOf(world, start);
  assert.equal(rows < 100, true, `${rows} rows`);
});
