import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import type { OpenTask } from "@/lib/tasks/open_tasks.ts";
import { newQueue, type Queue } from "@/tests/support/server/queue.ts";
import { until } from "@/tests/support/basics/until.ts";
import { OPEN_TASKS_MAX } from "@/lib/queue/start/start.ts";

const oneAtATime = { config: { maxParallelTasks: 1 } };
const hasEnded = (queue: Queue, id: number, status: string) =>
  until(async () => (await queue.row(id)).status === status);

/** Counts how often the queue is read within half a second. */
async function countLooks({ world: { kv } }: Queue): Promise<number> {
  const { list } = kv;
  let looks = 0;
  kv.list = (selector, options) => {
    if ("prefix" in selector && selector.prefix[0] === "open_tasks") looks++;
    return list.call(kv, selector, options) as never;
  };
  await new Promise((resolve) => setTimeout(resolve, 500));
  kv.list = list;
  return looks;
}

/** Rows of the queue that do not match their tasks, named after their error. */
const MISFITS: [name: string, misfit: Partial<OpenTask>][] = [
  ["waits, and whose task is gone", { status: "waiting" }],
  ["runs nowhere, and whose task is gone", { status: "running" }],
  ["belongs to a project that is gone", { status: "confirmed", project_id: 999 }],
];

for (const [name, misfit] of MISFITS) {
  Deno.test(`a row of the queue that ${name} holds up no one`, async () => {
    await using queue = await newQueue(oneAtATime);
    const { kv, web, deploy } = queue.world;
    const row: OpenTask = {
      id: 0,
      project_id: web.id,
      template_id: deploy.id,
      status: "waiting",
      created: "2024-05-02T10:11:12.000Z",
      lease: null,
      ...misfit,
    };
    await kv.set(rowKeys.openTask(0), row);
    const id = await queue.start(await queue.makeTemplate());
    queue.dispatch();
    await hasEnded(queue, id, "success");
    assert.ok(await countLooks(queue) < 5, "the queue is looked at again and again");
  });
}

Deno.test("a row of the queue whose task has ended is dropped", async () => {
  await using queue = await newQueue(oneAtATime);
  const { kv } = queue.world;
  const template = await queue.makeTemplate();
  const id = await queue.start(template);
  const { value } = await kv.get(rowKeys.openTask(id));
  await kv.set(rowKeys.task(queue.world.web.id, id), { ...await queue.row(id), status: "error" });
  await kv.set(rowKeys.openTask(id), value);
  queue.dispatch();
  await hasEnded(queue, await queue.start(template), "success");
  assert.equal((await kv.get(rowKeys.openTask(id))).value, null);
});

/** Makes every commit fail that would start this task, or, with `end`, end it. */
function refuse({ world: { kv } }: Queue, id: number, { end }: { end: boolean }) {
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const op = atomic();
    const [set, remove, commit] = [op.set.bind(op), op.delete.bind(op), op.commit.bind(op)];
    let refused = false;
    const isIts = (key: Deno.KvKey) => key[0] === "open_tasks" && key[1] === id;
    op.set = (key, value, options) => {
      refused ||= isIts(key) && (value as OpenTask).status === "starting";
      return set(key, value, options);
    };
    op.delete = (key) => {
      refused ||= end && isIts(key);
      return remove(key);
    };
    op.commit = () => refused ? Promise.reject(new TypeError("value too large")) : commit();
    return op;
  };
}

Deno.test("a task that cannot be started is ended after some attempts, and holds up no one", async () => {
  await using queue = await newQueue(oneAtATime);
  const [first, second] = [await queue.makeTemplate(), await queue.makeTemplate()];
  const broken = await queue.start(first);
  const good = await queue.start(second);
  refuse(queue, broken, { end: false });
  queue.dispatch();
  await hasEnded(queue, broken, "error");
  assert.equal((await queue.row(good)).status, "success", "the one behind it went first");
  const failures = queue.world.log.filter(({ event }) => event === "claim_failed");
  assert.equal(failures.length, 3);
  assert.ok(await countLooks(queue) < 5);
});

Deno.test("a task that can neither be started nor ended holds up no one, either", async () => {
  await using queue = await newQueue(oneAtATime);
  const broken = await queue.start(await queue.makeTemplate());
  refuse(queue, broken, { end: true });
  queue.dispatch();
  const template = await queue.makeTemplate();
  for (let n = 0; n < 4; n++) {
    await hasEnded(queue, await queue.start(template), "success");
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  assert.ok(await countLooks(queue) < 10);
});

Deno.test("a task whose parts are gone ends with the reason, and the next one starts", async () => {
  await using queue = await newQueue(oneAtATime);
  const { kv, web } = queue.world;
  const template = await queue.makeTemplate();
  const broken = await queue.start(template);
  const { inventory_id, ...task } = await queue.row(broken);
  await kv.set(rowKeys.task(web.id, broken), { ...task, inventory_id: inventory_id + 1000 });
  const next = await queue.start(template);
  queue.dispatch();
  await hasEnded(queue, next, "success");
  const { status, end_reason } = await queue.row(broken);
  assert.equal(status, "error");
  assert.ok(end_reason);
});

Deno.test("a queue that is full takes no more tasks, and says so, until there is room again", async () => {
  await using queue = await newQueue();
  const { world } = queue;
  const { api, web, deploy, kv } = world;
  for (let from = 1; from <= OPEN_TASKS_MAX; from += 500) {
    const op = kv.atomic();
    for (let n = from; n < from + 500; n++) {
      const status = "waiting_confirmation";
      op.set(rowKeys.openTask(1_000_000 + n), { id: 1_000_000 + n, project_id: web.id, status });
    }
    await op.commit();
  }
  const start = () =>
    api("bob", "POST", `/api/project/${web.id}/tasks`, { template_id: deploy.id });
  const refused = await start();
  assert.equal(refused.status, 429);
  assert.match(refused.body.error, /^10,000 tasks are already running or waiting/);
  assert.equal(refused.headers.get("Retry-After"), "60");
  await kv.delete(rowKeys.openTask(1_000_001));
  assert.equal((await start()).status, 201);
  assert.equal((await start()).status, 429);
});
