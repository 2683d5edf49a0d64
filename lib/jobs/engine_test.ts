import assert from "node:assert/strict";
import * as z from "zod";
import { AppError, notFound } from "../base/errors.ts";
import { sleep } from "../base/time/pause.ts";
import { rowKeys } from "../store/keys.ts";
import { LIMITS, StoreLimitError } from "../store/limits.ts";
import { openStore } from "../store/file/open_store.ts";
import type { Store } from "../store/store.ts";
import { doDue, startJobs } from "./engine.ts";
import { type JobId, jobKind, periodicKind } from "./kind.ts";
import { putJob } from "./put.ts";
import type { JobRow } from "./rows.ts";
import { type Job, type Worker, worker } from "./worker.ts";

interface Input {
  project_id: number;
  name: string;
}

const kind = jobKind<Input>({
  name: "test",
  schema: z.object({ project_id: z.int(), name: z.string() }),
});
const unique = jobKind<Input>({ ...kind, name: "unique", uniqueBy: ({ name }) => name });

/** A server with projects 1 to 3, on a store that others may share. */
function newServer(kv: Store) {
  const logged: string[] = [];
  return {
    kv,
    clock: { now: () => new Date(), ticks: () => performance.now() },
    log: (_level: string, event: string) => void logged.push(event),
    logged,
  };
}
type Server = ReturnType<typeof newServer>;

async function newStore(): Promise<Store> {
  const kv = await openStore(":memory:");
  for (const id of [1, 2, 3]) await kv.set(rowKeys.project(id), { id });
  return kv;
}

const workOf = (
  run: (job: Job<Input>, server: Server) => Promise<void>,
  options: Partial<Worker<Input, Server>> = {},
) =>
  worker<Input, Server>({
    kind,
    attempts: 3,
    waitsMs: [0],
    limitMs: 60_000,
    parallel: 4,
    run: (server, job) => run(job, server),
    ...options,
  });

async function put(server: Server, name: string, project_id = 1, of = kind, at?: Date) {
  const op = server.kv.atomic();
  const id = putJob(op, server, of, { project_id, name }, at);
  await op.commit();
  return id;
}

const rowOf = async (kv: Store, id: JobId, of = kind) =>
  (await kv.get<JobRow>(rowKeys.job(of.name, id))).value;

const countRows = async (kv: Store, prefix: Deno.KvKey) =>
  (await Array.fromAsync(kv.list({ prefix }))).length;

/** Begins what is due, and leaves its claims as after kill -9. */
function dieDuring(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  doDue(server, workOf(() => (resolve(), new Promise(() => {}))));
  return promise;
}

/** Waits until `holds` is true. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let n = 0; n < 500 && !await holds(); n++) await sleep(10);
  assert.ok(await holds());
}

Deno.test("work is done once it is stored, and leaves no row", async () => {
  using kv = await newStore();
  const server = newServer(kv);
  const done: string[] = [];
  const loop = startJobs(server, [
    workOf(({ input }) => Promise.resolve(void done.push(input.name))),
  ], {
    shared: false,
  });
  await put(server, "a");
  await until(() => done.length === 1);
  await put(server, "b");
  await until(() => done.length === 2);
  await put(server, "later", 1, kind, new Date(Date.now() + 300));
  await sleep(50);
  assert.deepEqual(done, ["a", "b"]);
  await until(() => done.length === 3);
  await loop.stop();
  assert.equal(await countRows(kv, ["jobs"]) + await countRows(kv, ["jobs_due"]), 0);
});

Deno.test("work that fails is repeated, set aside with its reason, and blocks nothing", async () => {
  using kv = await newStore();
  const server = newServer(kv);
  const tried: string[] = [];
  const ids = {
    bug: await put(server, "bug"),
    gone: await put(server, "gone"),
    fine: await put(server, "fine"),
  };
  const results: string[] = [];
  await doDue(
    server,
    workOf(({ input: { name } }) => {
      tried.push(name);
      if (name === "bug") throw new TypeError("漢".repeat(1_000));
      if (name === "gone") throw notFound();
      return Promise.resolve();
    }),
    { onAttempt: (_, result) => void results.push(result) },
  );
  assert.equal(tried.filter((name) => name === "bug").length, 3);
  assert.deepEqual(await rowOf(kv, ids.fine), null);
  const bug = await rowOf(kv, ids.bug);
  assert.equal(bug?.failure?.reason.key, "errors.jobs.unexpected");
  assert.ok(String(bug.failure.reason.params?.message).length < 200);
  assert.ok(bug.set_aside && !bug.claim);
  assert.equal((await rowOf(kv, ids.gone))?.failure?.reason.key, "errors.not_found");
  assert.equal(await countRows(kv, ["jobs_due"]), 0);
  assert.equal(await countRows(kv, ["jobs_set_aside", "test"]), 2);
  assert.equal(results.filter((result) => result === "set_aside").length, 2);
});

Deno.test("work that hangs ends at its time limit, and can store nothing after that", async () => {
  using kv = await newStore();
  const server = newServer(kv);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: late, resolve: isLate } = Promise.withResolvers<unknown>();
  const id = await put(server, "hangs");
  await doDue(
    server,
    workOf(async (job) => {
      await released;
      isLate(await job.end(kv.atomic()).catch((error) => error));
    }, { limitMs: 50, attempts: 1 }),
  );
  const row = await rowOf(kv, id);
  assert.deepEqual(row?.failure?.reason, {
    key: "errors.jobs.time_limit",
    params: { seconds: 0.05 },
  });
  release();
  assert.ok(await late instanceof AppError);
});

Deno.test("one project takes neither all slots nor all turns", async () => {
  using kv = await newStore();
  const server = newServer(kv);
  for (let n = 0; n < 300; n++) await put(server, "many", 1);
  await put(server, "one", 2);
  const begun: number[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const loop = startJobs(server, [
    workOf(async ({ input }) => {
      begun.push(input.project_id);
      await released;
    }),
  ], { shared: false });
  await until(() => begun.length === 4);
  assert.deepEqual(begun.toSorted(), [1, 1, 1, 2]);
  await put(server, "next", 3);
  release();
  await until(() => begun.includes(3));
  assert.ok(begun.indexOf(3) < 100, String(begun.indexOf(3)));
  await loop.stop();
});

Deno.test("jobs of a group are done in order by any number of servers, and others beside them", async () => {
  using kv = await newStore();
  const grouped = jobKind<Input>({
    ...kind,
    name: "ordered",
    groupBy: ({ project_id }) => `${project_id}`,
  });
  const servers = [newServer(kv), newServer(kv), newServer(kv)];
  const done: Record<number, string[]> = { 1: [], 2: [], 3: [] };
  const open = { 1: 0, 2: 0, 3: 0 } as Record<number, number>;
  let most = 0;
  const start = Date.now();
  const names = Array.from({ length: 12 }, (_, n) => String(n).padStart(2, "0"));
  for (const [n, name] of names.entries()) {
    for (const project of [1, 2, 3]) {
      await put(servers[0], name, project, grouped, new Date(start - 60_000 + n));
    }
  }
  const work = workOf(async ({ input: { project_id: project, name } }) => {
    assert.equal(++open[project], 1);
    most = Math.max(most, open[1] + open[2] + open[3]);
    await sleep(Math.random() * 5);
    done[project].push(name);
    open[project]--;
  }, { kind: grouped, inOrder: true });
  const loops = servers.map((server) => startJobs(server, [work], { shared: true }));
  await until(() => Object.values(done).every((some) => some.length === names.length));
  await Promise.all(loops.map((loop) => loop.stop()));
  assert.deepEqual(Object.values(done), [names, names, names]);
  assert.ok(most > 1, "groups go on beside each other");
  assert.deepEqual(servers.flatMap(({ logged }) => logged), []);
});

Deno.test("progress is kept, and an interrupted attempt continues from it", async () => {
  using kv = await newStore();
  const server = newServer(kv);
  const id = await put(server, "0");
  const stop = new AbortController();
  const seen: string[] = [];
  const steps = workOf(async (job) => {
    seen.push(job.input.name);
    for (let n = Number(job.input.name) + 1; n <= 4; n++) {
      const op = kv.atomic();
      await job.keep(op, { project_id: 1, name: String(n) });
      await op.commit();
      if (n === 2 && seen.length === 1) stop.abort();
      if (stop.signal.aborted && seen.length === 1) {
        return await sleep(60_000, { signal: job.signal });
      }
    }
  });
  await doDue(server, steps, { stop: stop.signal });
  assert.equal((await rowOf(kv, id))?.attempts, 0);
  await doDue(server, steps);
  assert.deepEqual(seen, ["0", "2"]);
  assert.equal(await rowOf(kv, id), null);
});

Deno.test("work that continues before it fails has all of its attempts again", async () => {
  using kv = await newStore();
  const server = newServer(kv);
  const id = await put(server, "0");
  const seen: string[] = [];
  await doDue(
    server,
    workOf(async (job) => {
      seen.push(job.input.name);
      const next = Number(job.input.name) + 1;
      if (next > 6) return;
      const op = kv.atomic();
      await job.keep(op, { project_id: 1, name: String(next) });
      await op.commit();
      throw new Error("It fails");
    }, { attempts: 2 }),
  );
  assert.deepEqual(seen, ["0", "1", "2", "3", "4", "5", "6"]);
  assert.equal(await rowOf(kv, id), null);
});

Deno.test("jobs that are one run once, and once more if one is put while it runs", async () => {
  using kv = await newStore();
  const server = newServer(kv);
  for (const _ of [1, 2, 3]) await put(server, "same", 1, unique);
  let runs = 0;
  await doDue(
    server,
    workOf(async () => {
      if (++runs === 1) await put(server, "same", 1, unique);
    }, { kind: unique }),
  );
  assert.equal(runs, 2);
  assert.equal(await countRows(kv, ["jobs"]), 0);
});

Deno.test("work that is always repeated is put at a start, and again after each attempt", async () => {
  using kv = await newStore();
  let now = Date.parse("2026-01-01T00:00:00Z");
  const server = { ...newServer(kv), clock: { now: () => new Date(now), ticks: () => now } };
  let runs = 0;
  const repeated = worker<Record<never, never>, Server>({
    ...{ kind: periodicKind("repeated"), everyMs: 60_000, attempts: Infinity },
    ...{ waitsMs: [1_000], limitMs: 60_000, parallel: 1 },
    run: () => ++runs === 2 ? Promise.reject(new Error("once")) : Promise.resolve(),
  });
  const start = () => startJobs(server, [repeated], { shared: false });
  const due = async () =>
    (await Array.fromAsync(kv.list({ prefix: ["jobs_due"] }))).map(({ key }) =>
      Date.parse(key[2] as string) - now
    );
  const first = start();
  await until(async () => runs === 1 && (await due())[0] === 60_000);
  await first.stop();
  now += 1_000;
  const second = start();
  await until(async () => runs === 2 && (await due())[0] === 1_000);
  now += 1_000;
  second.wake();
  await until(async () => runs === 3 && (await due())[0] === 60_000);
  assert.equal((await due()).length, 1);
  await second.stop();
});

Deno.test("work of a deleted project ends, and that of one being deleted waits", async () => {
  using kv = await newStore();
  const server = newServer(kv);
  await kv.set(rowKeys.project(2), { id: 2, deleting: true });
  await kv.delete(rowKeys.project(3));
  const ids = [await put(server, "waits", 2), await put(server, "ends", 3)];
  const done: string[] = [];
  await doDue(server, workOf(({ input }) => Promise.resolve(void done.push(input.name))));
  assert.deepEqual(done, []);
  assert.equal((await rowOf(kv, ids[0]))?.attempts, 0);
  assert.equal(await rowOf(kv, ids[1]), null);
});

Deno.test("work of a server that died is done by the next one, but not without end", async () => {
  using kv = await newStore();
  const server = newServer(kv);
  const id = await put(server, "kills");
  for (let n = 0; n < 3; n++) {
    await dieDuring(server);
  }
  assert.equal((await rowOf(kv, id))?.attempts, 3);
  await doDue(server, workOf(() => Promise.resolve()));
  assert.equal((await rowOf(kv, id))?.failure?.reason.key, "errors.jobs.interrupted");
});

Deno.test("after the clock was set back, nothing waits longer than it was postponed", async () => {
  using kv = await newStore();
  const server = newServer(kv);
  const hour = 3_600_000;
  const then = {
    ...server,
    clock: { ...server.clock, now: () => new Date(Date.now() + 48 * hour) },
  };
  const now = await put(then, "now");
  const later = await put(then, "later", 1, kind, new Date(Date.now() + 49 * hour));
  const done: string[] = [];
  await doDue(server, workOf(({ input }) => Promise.resolve(void done.push(input.name))));
  assert.deepEqual(done.toSorted(), ["later", "now"]);
  assert.deepEqual([await rowOf(kv, now), await rowOf(kv, later)], [null, null]);
});

Deno.test("a failure can be reported elsewhere, also if its server died, and the work may continue", async () => {
  using kv = await newStore();
  const server = newServer(kv);
  const told: string[] = [];
  const steps = workOf(() => Promise.reject(notFound()), {
    attempts: 2,
    async gaveUp({ kv }, { input, again }, reason) {
      told.push(`${input.name} ${reason.key}`);
      if (input.name === "cannot") throw new Error("no");
      if (input.name !== "first") return true;
      const op = kv.atomic();
      await again(op, new Date(), { ...input, name: "second" });
      await op.commit();
      return true;
    },
  });
  const cannot = await put(server, "cannot");
  await put(server, "first");
  await doDue(server, steps);
  const gone = "errors.not_found";
  assert.deepEqual(told.toSorted(), [`cannot ${gone}`, `first ${gone}`, `second ${gone}`]);
  assert.equal((await rowOf(kv, cannot))?.failure?.reason.key, gone);
  assert.equal(await countRows(kv, ["jobs"]), 1);

  await put(server, "killed");
  for (let n = 0; n < 2; n++) {
    await dieDuring(server);
  }
  await doDue(server, steps);
  assert.equal(told.at(-1), "killed errors.jobs.interrupted");
  assert.equal(await countRows(kv, ["jobs"]), 1);
});

Deno.test("an input leaves room for additions of attempts, and a long reason is cut", async () => {
  using kv = await newStore();
  const server = newServer(kv);
  const largest = "x".repeat(LIMITS.valueBytes - 4_096);
  await assert.rejects(put(server, `${largest}${"x".repeat(2_000)}`), StoreLimitError);
  const id = await put(server, largest);
  await doDue(
    server,
    workOf(() => Promise.reject(new AppError(404, "errors.not_found", { name: largest }))),
  );
  assert.equal((await rowOf(kv, id))?.failure?.reason.key, "errors.not_found");
  assert.equal(await countRows(kv, ["jobs_set_aside"]), 1);
});

Deno.test("the failure of an attempt whose job was put again is not reported", async () => {
  using kv = await newStore();
  const server = newServer(kv);
  await put(server, "same", 1, unique);
  let runs = 0;
  await doDue(
    server,
    workOf(async () => {
      if (++runs > 1) return;
      await put(server, "same", 1, unique);
      throw notFound();
    }, { kind: unique, attempts: 1, gaveUp: () => Promise.reject(new Error("told")) }),
  );
  assert.equal(runs, 2);
  assert.deepEqual(server.logged, []);
});

Deno.test("a store that takes no commits is left alone for a while", async () => {
  using kv = await newStore();
  const server = newServer(kv);
  await put(server, "a");
  const { atomic } = kv;
  kv.atomic = () => Object.assign(atomic.call(kv), { commit: () => Promise.reject("full") });
  await doDue(server, workOf(() => Promise.resolve()));
  assert.deepEqual(server.logged, ["job_not_stored"]);
  kv.atomic = atomic;
  await doDue(server, workOf(() => Promise.resolve()));
  assert.equal(await countRows(kv, ["jobs"]), 0);
});

Deno.test("work that becomes due during a look is done", async () => {
  using kv = await newStore();
  let now = Date.now();
  const server = { ...newServer(kv), clock: { now: () => new Date(now), ticks: () => now } };
  await put(server, "a", 1, kind, new Date(now + 5));
  const { list } = kv;
  kv.list = ((selector, options) => {
    const rows = list(selector, options);
    if ("prefix" in selector && selector.prefix.length > 1) now += 10;
    return rows;
  }) as Store["list"];
  let runs = 0;
  const loop = startJobs(server, [workOf(() => Promise.resolve(void runs++))], { shared: false });
  await until(() => runs === 1);
  await loop.stop();
});

Deno.test("work that is held continues once the row of the hold changes", async () => {
  using kv = await newStore();
  const server = newServer(kv);
  let waitMs = Infinity;
  let runs = 0;
  const loop = startJobs(server, [
    workOf(() => Promise.resolve(void runs++), {
      hold: () => ({ row: ["held"], waitMs: () => Promise.resolve(waitMs) }),
    }),
  ], { shared: false });
  await put(server, "a");
  await sleep(50);
  assert.equal(runs, 0);
  waitMs = 0;
  await kv.set(["held"], 1);
  await until(() => runs === 1);
  await loop.stop();
});
