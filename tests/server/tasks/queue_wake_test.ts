import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { newQueue, type Queue } from "@/tests/support/server/queue.ts";
import { until } from "@/tests/support/basics/until.ts";

/** One way in which a waiting task becomes startable. */
interface Case {
  name: string;
  /** The kinds of rows that change. */
  changes: string[];
  /** Creates a task that cannot start, and returns its id. */
  block(queue: Queue): Promise<number>;
  /** Removes the reason for waiting. */
  free(queue: Queue, blocked: number): Promise<void>;
}

const LONG_MS = 60_000;
const projectPath = ({ world }: Queue) => `/api/project/${world.web.id}`;

async function call({ world }: Queue, method: string, path: string, body?: unknown, status = 204) {
  const answer = await world.api("alice", method, path, body);
  assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const limitProject = (queue: Queue, limit: Record<string, number>) =>
  call(queue, "PUT", projectPath(queue), { name: "Web shop", ...limit });

const isRunning = (queue: Queue, id: number) =>
  until(async () => (await queue.row(id)).status === "running", 20_000);

/** Creates a task that runs for long, and one of another template that waits for a limit of one. */
async function blockByLimit(queue: Queue): Promise<number> {
  await limitProject(queue, { max_parallel_tasks: 1 });
  const running = await queue.start(await queue.makeTemplate(), { sleepMs: LONG_MS });
  await isRunning(queue, running);
  return await queue.start(await queue.makeTemplate());
}

/** Creates a task that runs for a while, and another one of its template. */
async function blockByTemplate(queue: Queue, sleepMs = LONG_MS): Promise<number> {
  const template = await queue.makeTemplate();
  const running = await queue.start(template, { sleepMs });
  await isRunning(queue, running);
  return await queue.start(template);
}

/** Stores a project's row without notifying anyone. */
async function setDeleting({ world }: Queue, deleting: boolean) {
  const { key, value } = await world.kv.get<object>(rowKeys.project(world.web.id));
  await world.kv.set(key, { ...value, deleting });
}

const CASES: Case[] = [
  {
    name: "maintenance is ended",
    changes: ["maintenance"],
    async block(queue) {
      const template = await queue.makeTemplate({ require_confirmation: true });
      const id = await queue.start(template);
      const { api, kv } = queue.world;
      assert.equal((await api("erin", "PUT", "/api/maintenance", {})).status, 204);
      await advance(kv, await queue.row(id), "confirmed");
      queue.runner.wakeDispatcher();
      return id;
    },
    async free({ world }) {
      assert.equal((await world.api("erin", "DELETE", "/api/maintenance")).status, 204);
    },
  },
  {
    name: "the project's limit is raised",
    changes: ["projects"],
    block: blockByLimit,
    free: (queue) => limitProject(queue, { max_parallel_tasks: 2 }),
  },
  {
    name: "the project's limit is taken away",
    changes: ["projects"],
    block: blockByLimit,
    free: (queue) => limitProject(queue, {}),
  },
  {
    name: "the project's deletion is called off",
    changes: ["projects"],
    async block(queue) {
      const template = await queue.makeTemplate({ require_confirmation: true });
      const id = await queue.start(template);
      await setDeleting(queue, true);
      await advance(queue.world.kv, await queue.row(id), "confirmed");
      queue.runner.wakeDispatcher();
      return id;
    },
    async free(queue) {
      await setDeleting(queue, false);
      // A deletion that finds the task only after it has marked the project.
      const { kv } = queue.world;
      const { list } = kv;
      kv.list = (selector, options) => {
        const isQueue = "prefix" in selector && selector.prefix[0] === "open_tasks";
        if (isQueue) kv.list = list;
        return list.call(kv, isQueue ? { prefix: ["nothing"] } : selector, options) as never;
      };
      await call(queue, "DELETE", projectPath(queue), undefined, 409);
    },
  },
  {
    name: "the template allows parallel tasks",
    changes: ["templates"],
    block: blockByTemplate,
    async free(queue, blocked) {
      const { template_id } = await queue.row(blocked);
      const path = `${projectPath(queue)}/templates/${template_id}`;
      const template = await call(queue, "GET", path, undefined, 200);
      await call(queue, "PUT", path, { ...template, allow_parallel_tasks: true });
    },
  },
  {
    name: "the task in front of it ends",
    changes: ["open_tasks"],
    block: (queue) => blockByTemplate(queue, 1_500),
    free: () => Promise.resolve(),
  },
  {
    name: "the task in front of it is stopped",
    changes: ["open_tasks"],
    block: blockByTemplate,
    async free(queue, blocked) {
      const path = `${projectPath(queue)}/templates/${
        (await queue.row(blocked)).template_id
      }/tasks`;
      const [{ id }] = await call(queue, "GET", `${path}?status=running`, undefined, 200);
      await call(queue, "POST", `${projectPath(queue)}/tasks/${id}/stop`, { force: true });
    },
  },
  {
    name: "the task in front of it is killed with all of another template's",
    changes: ["open_tasks"],
    block: blockByLimit,
    async free(queue, blocked) {
      const running = (await call(queue, "GET", `${projectPath(queue)}/tasks`, undefined, 200))
        .find(({ id }: { id: number }) => id !== blocked);
      const path = `${projectPath(queue)}/templates/${running.template_id}/stop_all_tasks`;
      await call(queue, "POST", path, { force: true });
    },
  },
  {
    name: "it is confirmed",
    changes: ["open_tasks"],
    block: async (queue) =>
      await queue.start(await queue.makeTemplate({ require_confirmation: true })),
    free: (queue, blocked) => call(queue, "POST", `${projectPath(queue)}/tasks/${blocked}/confirm`),
  },
];

for (const elsewhere of [false, true]) {
  for (const { name, block, free } of CASES) {
    const where = elsewhere ? "another server" : "the server that is asked";
    Deno.test(`a waiting task starts on ${where} as soon as ${name}`, async () => {
      await using queue = await newQueue({ elsewhere });
      queue.dispatch();
      const blocked = await block(queue);
      await new Promise((resolve) => setTimeout(resolve, 100));
      assert.match((await queue.row(blocked)).status, /^(waiting|confirmed|waiting_confirmation)$/);
      await free(queue, blocked);
      await until(async () => (await queue.row(blocked)).start !== null);
    });
  }
}

Deno.test("all data of the dispatcher's decisions are in the table of what wakes it", async () => {
  await using queue = await newQueue();
  await limitProject(queue, { max_parallel_tasks: 1 });
  const template = await queue.makeTemplate();
  // All tasks are blocked, so that only the rows for a decision are read.
  await setDeleting(queue, false);
  const waiting = [await queue.start(template), await queue.start(template)];
  await setDeleting(queue, true);
  const read = new Set<string>();
  const { kv } = queue.world;
  const { get, getMany, list } = kv;
  kv.get = (key, ...rest) => (read.add(String(key[0])), get.call(kv, key, ...rest)) as never;
  kv.getMany = (asked, ...rest) => {
    for (const key of asked as Deno.KvKey[]) read.add(String(key[0]));
    return getMany.call(kv, asked, ...rest) as never;
  };
  kv.list = (selector, ...rest) => {
    if ("prefix" in selector) read.add(String(selector.prefix[0]));
    return list.call(kv, selector, ...rest) as never;
  };
  queue.dispatch();
  await new Promise((resolve) => setTimeout(resolve, 100));
  Object.assign(kv, { get, getMany, list });
  for (const id of waiting) assert.equal((await queue.row(id)).status, "waiting");
  // The row of claims is not a limit. It changes with each claim, and a server that loses looks
  // again immediately.
  // All changes of runners go through `putRunner` and `removeRunner`, which wake the dispatchers.
  const others = ["dispatcher_claims", "runners", "runners_stamp"];
  const known = new Set([...others, ...CASES.flatMap(({ changes }) => changes)]);
  assert.deepEqual([...read].filter((kind) => !known.has(kind)), []);
  assert.ok(read.size >= 4, [...read].join(", "));
});
