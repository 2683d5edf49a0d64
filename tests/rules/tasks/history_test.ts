import assert from "node:assert/strict";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { removeTask } from "@/lib/maintenance/tasks.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import { triggerOf } from "@/lib/tasks/trigger.ts";
import { isFinished, type Status, STATUSES } from "@/lib/model/status.ts";
import { writeHistory } from "@/tests/support/world/history.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const START = Date.parse("2024-01-01T00:00:00Z");
const MINUTE_MS = 60_000;
const RARE: Status = "error";

const at = (minutes: number) => new Date(START + minutes * MINUTE_MS).toISOString();
const tasksPath = ({ web }: World) => `/api/project/${web.id}/tasks`;

async function start(world: World, template_id: number): Promise<TaskRow> {
  const { status, body } = await world.api("bob", "POST", tasksPath(world), { template_id });
  assert.equal(status, 201, JSON.stringify(body));
  return await getTaskRow(world.kv, world.web.id, body.id);
}

async function otherTemplate({ api, web, deploy }: World): Promise<number> {
  const path = `/api/project/${web.id}/templates`;
  const { body } = await api("alice", "GET", `${path}/${deploy.id}`);
  return (await api("alice", "POST", path, { ...body, id: 0, name: "Other" })).body.id;
}

/**
 * Creates a history of `count` tasks, about a minute apart: two templates, three starters, and a
 * status that only the oldest and the latest task have. Some waiting tasks follow. Returns the
 * latest first.
 */
async function makeHistory(world: World, count: number) {
  const { kv, people, deploy } = world;
  const templates = [deploy.id, await otherTemplate(world)];
  const users = [people.bob.id, people.mike.id, null];
  const starters: Partial<TaskRow>[] = [
    { by_token: true },
    { started_by: { kind: "autorun", name: "Build" } },
    { schedule_id: 1 },
  ];
  const model = await start(world, deploy.id);
  const changes = Array.from({ length: count }, (_, n): Partial<TaskRow> => ({
    template_id: templates[n % 3 === 0 ? 1 : 0],
    user_id: users[n % 7 % 3],
    ...n % 7 === 3 && starters[0],
    ...n % 7 % 3 === 2 && starters[1 + n % 2],
    status: n < 4 || n === count - 1 ? RARE : n % 5 === 0 ? "stopped" : "success",
    created: at(n + n * 7 % 3 - 1),
  }));
  const written = await writeHistory(kv, model, changes);
  const waiting = [await start(world, templates[1]), await start(world, deploy.id)];
  return { templates, users, all: [model, ...written, ...waiting].reverse() };
}

type Query = Record<string, string | number>;

/** Reads all pages of a list, one after the other, as clients do. */
async function readAll({ api, ...world }: World, query: Query): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const asked = new URLSearchParams(
      Object.entries({ count: 1000, ...query, ...(ids.length > 0 ? { before: ids.at(-1)! } : {}) })
        .map(([name, value]) => [name, String(value)]),
    );
    const path = tasksPath({ api, ...world });
    const { status, body, headers } = await api("carol", "GET", `${path}?${asked}`);
    assert.equal(status, 200, JSON.stringify(body));
    ids.push(...body.map(({ id }: TaskRow) => id));
    if (headers.get("X-Has-Next") !== "true") return ids;
    assert.ok(body.length > 0, "there is more, but nothing to go on from");
  }
}

/** The member of a task that each filter compares. */
const MATCHES: Record<string, (task: TaskRow, value: string | number) => boolean> = {
  status: (task, value) => String(value).split(",").includes(task.status),
  trigger: (task, value) => String(value).split(",").includes(triggerOf(task)),
  template_id: (task, value) => task.template_id === value,
  user_id: (task, value) => task.user_id === value,
  from: (task, value) => task.created >= String(value),
  to: (task, value) => task.created <= String(value),
};

/** Returns every choice of one value or none for each filter. */
function combinations(filters: [name: string, values: (string | number)[]][]): Query[] {
  return filters.reduce<Query[]>(
    (queries, [name, values]) =>
      queries.flatMap((query) => [query, ...values.map((value) => ({ ...query, [name]: value }))]),
    [{}],
  );
}

/** Requires that filters find all in a history of this length, also `most` of them together. */
async function checkFilters(count: number, most: number): Promise<void> {
  await using world = await newWorld();
  const { templates, users, all } = await makeHistory(world, count);
  const queries = combinations([
    ["status", [RARE, "success", "waiting", `${RARE},waiting,stopped`]],
    ["trigger", ["api", "manual,schedule"]],
    ["template_id", [templates[1]]],
    ["user_id", [users[1]!]],
    ["from", [at(3)]],
    ["to", [at(count - 2)]],
  ]);
  for (const query of queries.filter((query) => Object.keys(query).length <= most)) {
    const fits = (task: TaskRow) =>
      Object.entries(query).every(([name, value]) => MATCHES[name](task, value));
    const expected = all.filter(fits).map(({ id }) => id);
    assert.deepEqual(await readAll(world, query), expected, JSON.stringify(query));
  }
}

Deno.test("every filter, alone and with the others, finds all there is however long the history", async () => {
  await checkFilters(3_200, 2);
  // The 191 queries with more filters are for a history of two pages.
  await checkFilters(1_300, 6);
});

/** Counts the rows that are read from the store while `work` runs. */
async function countRows({ kv }: World, work: () => Promise<unknown>): Promise<number> {
  const { list, get, getMany } = kv;
  let rows = 0;
  kv.get = (...args) => (rows++, get.apply(kv, args)) as never;
  kv.getMany = (...args) => (rows += args[0].length, getMany.apply(kv, args)) as never;
  kv.list = function (selector, options) {
    const entries = list.call(kv, selector, options);
    const next = entries.next.bind(entries);
    entries.next = () => (rows++, next());
    return entries as never;
  };
  try {
    await work();
  } finally {
    Object.assign(kv, { list, get, getMany });
  }
  return rows;
}

Deno.test("a page of filtered history costs what it shows, not what there is", async () => {
  const costs: Record<string, number>[] = [];
  for (const count of [900, 7_200]) {
    await using world = await newWorld();
    const { templates, users, all } = await makeHistory(world, count);
    const queries = combinations([
      ["status", [RARE, "success", "success,error,running"]],
      ["trigger", ["api", "schedule,autorun"]],
      ["template_id", [templates[1]]],
      ["user_id", [users[1]!]],
      ["from", [at(count / 2)]],
      ["before", [all[count / 2].id]],
    ]);
    const cost: Record<string, number> = {};
    for (const query of queries) {
      const asked = new URLSearchParams(Object.entries({ ...query, count: 20 }) as never);
      const path = `${tasksPath(world)}?${asked}`;
      const name = [...Object.keys(query), query.status, query.trigger].join(" ");
      cost[name] = await countRows(world, () => world.api("carol", "GET", path));
    }
    costs.push(cost);
  }
  const [short, long] = costs;
  for (const [query, rows] of Object.entries(long)) {
    // A binary search in a history that is 8 times as long takes three more steps.
    assert.ok(rows <= short[query] + 30, `${query}: ${rows} rows, of ${short[query]} before`);
    // After a time there are two hours to search, with a task a minute.
    const merged = /,/.test(query) ? 2 : 1;
    assert.ok(rows < 250 * merged, `${query}: ${rows} rows`);
  }
});

Deno.test("a status is found by its current value: each step moves the task from list to list", async () => {
  await using world = await newWorld();
  const task = await start(world, world.deploy.id);
  const found = async () => {
    const lists: Status[] = [];
    for (const status of STATUSES) {
      if ((await readAll(world, { status })).length > 0) lists.push(status);
    }
    return lists;
  };
  assert.deepEqual(await found(), ["waiting"]);
  for (const status of ["starting", "running", "success"] as const) {
    await advance(world.kv, task, status);
    assert.deepEqual(await found(), [status]);
  }
});

const indexRows = async ({ kv, web }: World): Promise<string[]> =>
  (await Array.fromAsync(kv.list({ prefix: ["task_history", web.id] })))
    .map(({ key }) => key.join("/"));

Deno.test("removed tasks are found no more, and leave no row in an index", async () => {
  await using world = await newWorld();
  const { all } = await makeHistory(world, 50);
  for (const task of all) if (isFinished(task.status)) await removeTask(world.kv, task);
  const left = all.filter(({ status }) => !isFinished(status)).map(({ id }) => id);
  assert.deepEqual(await readAll(world, { user_id: world.people.bob.id }), left);
  const rows = await indexRows(world);
  // Under their user and under their starter, each alone and with their template.
  assert.equal(rows.length, 4 * left.length);
  assert.deepEqual(await readAll(world, { status: "success" }), []);
});
