import { openProject } from "@/lib/access/scope.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { rowKeys } from "@/lib/store/keys.ts";
import { startDispatcher } from "@/lib/queue/dispatch/dispatcher.ts";
import { isFinished } from "@/lib/model/status.ts";
import { createRemote, type RunnerDeps } from "@/lib/queue/remote/remote.ts";
import { endTask } from "@/lib/queue/ending/end_task.ts";
import { endAbandoned, INTERRUPTED } from "@/lib/queue/ending/interrupt.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { LEASE_MS, listOpenTasks } from "@/lib/tasks/open_tasks.ts";
import { getLogHead, readLog } from "@/lib/output/store.ts";
import { createLogWriter, openLog } from "@/lib/output/writer.ts";
import { hostsWorker } from "@/lib/hosts/remember.ts";
import { startJobs } from "@/lib/jobs/engine.ts";
import { watchStore } from "@/lib/monitoring/health/watch_store.ts";
import { openStore } from "@/lib/store/file/open_store.ts";
import type { Store } from "@/lib/store/store.ts";
import { createHub, type LiveMessage } from "@/lib/base/hub.ts";
import { followTasks, tasksVersion } from "@/lib/tasks/history/follow_tasks.ts";
import { sweepPast } from "@/lib/maintenance/retention/sweep.ts";
import { createRelay } from "@/lib/live/relay.ts";
import { serveSocket } from "@/lib/live/socket.ts";
import { sweepFolders } from "@/lib/maintenance/projects/folders.ts";
import { repositoryService } from "@/lib/resources/repositories/service.ts";
import { countLooks } from "@/tests/support/basics/looks.ts";
import { newRunBench } from "@/tests/support/server/run_bench.ts";
import {
  play,
  reportedTask,
  result,
  task as playTask,
} from "@/tests/support/world/reported_task.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

interface TwoServers extends AsyncDisposable {
  a: World;
  /** Dependencies of another server on the same store. */
  b: RunnerDeps;
}

/**
 * Starts two servers on one store. Within one process a watch on a file notices the commits of
 * another handle, as it does over KV Connect: tests/real/machine/shared_kv_test.ts tests that.
 */
async function newTwoServers(): Promise<TwoServers> {
  const home = await Deno.makeTempDir({ prefix: "callboard_two_" });
  const kvPath = join(home, "callboard.kv");
  const a = await newWorld({ kvPath });
  const kv = await openStore(kvPath);
  const dataDir = join(home, "b");
  const b: RunnerDeps = {
    ...a.deps,
    kv,
    config: { ...a.deps.config, dataDir },
    hub: createHub(),
    remote: createRemote({ shared: true }),
    live: createRelay({ kv, log: a.deps.log }),
  };
  return {
    a,
    b,
    async [Symbol.asyncDispose]() {
      kv.close();
      await a[Symbol.asyncDispose]();
      await Deno.remove(home, { recursive: true });
    },
  };
}

async function startTask({ api, web, deploy }: World): Promise<{ id: number; project_id: number }> {
  const { body } = await api("bob", "POST", `/api/project/${web.id}/tasks`, {
    template_id: deploy.id,
  });
  return { id: body.id, project_id: web.id };
}

/** Creates the part of a socket that `serveSocket` uses. */
function newSocket() {
  const received: Record<string, unknown>[] = [];
  const socket = {
    readyState: WebSocket.OPEN,
    bufferedAmount: 0,
    send: (text: string) => void received.push(JSON.parse(text)),
    close() {},
  };
  return { received, socket: socket as unknown as WebSocket };
}

/** Waits until the relay of the other server listens, and has read the current state. */
async function relayListens({ a, b }: TwoServers): Promise<void> {
  let heard = false;
  const unsubscribe = b.live.subscribe(({ type }) => heard ||= type === "access");
  await until(async () => {
    await a.kv.set(rowKeys.accessWake(), crypto.randomUUID());
    return heard;
  });
  unsubscribe();
}

Deno.test("a socket hears of the other server's tasks: each line once, and the end last", async () => {
  await using two = await newTwoServers();
  const { a, b } = two;
  const before = await startTask(a);
  const { received, socket } = newSocket();
  const end = serveSocket({ deps: b, actor: a.people.carol.actor }, socket);
  await relayListens(two);
  const task = await startTask(a);
  await until(() => received.length === 1);
  await advance(a.kv, task, "starting");
  await advance(a.kv, task, "running");
  const writer = createLogWriter({ ...a.deps, projectId: task.project_id, taskId: task.id });
  for (let n = 1; n <= 3; n++) {
    writer.write(`line ${n}`);
    await writer.flush();
  }
  await advance(a.kv, task, "success", {}, { also: (op) => writer.close(op) });
  await until(() => received.at(-1)?.status === "success");
  const lines = received.flatMap(({ type, output }) => type === "log" ? [output] : []);
  assert.deepEqual(lines, ["line 1", "line 2", "line 3"]);
  assert.equal(received[0].status, "waiting");
  assert.ok(received.every(({ task_id }) => task_id === task.id && task_id !== before.id));
  end();
});

Deno.test("a socket hears the lines of a task that began and ended between two looks", async () => {
  await using two = await newTwoServers();
  const { a, b } = two;
  const { received, socket } = newSocket();
  const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
  let isHeld = false;
  const hold = <T>() =>
    new TransformStream<T, T>({
      async transform(rows, stream) {
        if (isHeld) await resumed;
        stream.enqueue(rows);
      },
    });
  const watch: Store["watch"] = (rows) => b.kv.watch(rows).pipeThrough(hold());
  b.live = createRelay({ log: b.log, kv: { ...b.kv, watch } });
  const end = serveSocket({ deps: b, actor: a.people.carol.actor }, socket);
  await relayListens(two);
  const task = await startTask(a);
  await until(() => received.length === 1);
  isHeld = true;
  await advance(a.kv, task, "starting");
  await advance(a.kv, task, "running");
  const writer = createLogWriter({ ...a.deps, projectId: task.project_id, taskId: task.id });
  writer.write("the only line");
  await writer.flush();
  await advance(a.kv, task, "success", {}, { also: (op) => writer.close(op) });
  resume();
  await until(() => received.at(-1)?.status === "success");
  assert.deepEqual(received.map(({ status, output }) => status ?? output), [
    "waiting",
    "the only line",
    "success",
  ]);
  end();
});

Deno.test("a member removed on the other server gets no more messages immediately", async () => {
  await using two = await newTwoServers();
  const { a, b } = two;
  const access: LiveMessage[] = [];
  const { received, socket } = newSocket();
  const ends = [
    serveSocket({ deps: b, actor: a.people.carol.actor }, socket),
    b.live.subscribe((message) => void (message.type === "access" && access.push(message))),
  ];
  await relayListens(two);
  await startTask(a);
  await until(() => received.length === 1);
  access.length = 0;
  const path = `/api/project/${a.web.id}/users/${a.people.carol.id}`;
  assert.equal((await a.api("alice", "DELETE", path)).status, 204);
  await until(() => access.length > 0);
  const alice = newSocket();
  ends.push(serveSocket({ deps: b, actor: a.people.alice.actor }, alice.socket));
  await startTask(a);
  await until(() => alice.received.length > 0);
  assert.equal(received.length, 1);
  for (const end of ends) end();
});

Deno.test("pages of all servers learn that tasks are gone, for their age or with their template", async () => {
  await using two = await newTwoServers();
  const { a, b } = two;
  const ended = [await startTask(a), await startTask(a)];
  for (const task of ended) await advance(a.kv, task, "stopped");
  const leaving = new AbortController();
  const version = await tasksVersion({ deps: a.deps, actor: a.people.carol.actor });
  const pages = await Promise.all([a.deps, b].map(async (deps) => {
    const scope = await openProject({ deps, actor: a.people.carol.actor }, a.web.id);
    return followTasks(scope, version, leaving.signal);
  }));
  const told = () => Promise.all(pages.map(async (page) => (await page.next()).value));
  let news = told();
  await relayListens(two);

  const retention = { tasksPerTemplate: 1, taskDays: 0, eventDays: 0 };
  const swept = await sweepPast({ ...a.deps, config: { ...a.deps.config, retention } });
  assert.equal(swept.tasks, 1);
  assert.deepEqual(await news, [null, null]);

  news = told();
  const { status } = await a.api(
    "alice",
    "DELETE",
    `/api/project/${a.web.id}/templates/${a.deploy.id}`,
  );
  assert.equal(status, 204);
  assert.deepEqual(await news, [null, null]);
  leaving.abort();
});

Deno.test("a slot that becomes free on one server is taken by another immediately", async () => {
  await using two = await newTwoServers();
  const { a, b } = two;
  await using bench = await newRunBench();
  const first = await startTask(a);
  const lease = { owner: "another server", until: b.clock.now().getTime() + LEASE_MS };
  await advance(a.kv, first, "starting", {}, { lease });
  const second = await startTask(a); // of the same template, which runs only one at a time
  const looks = countLooks(b.kv);
  const dispatcher = startDispatcher(b, { environment: bench.environment, shared: true });
  await until(() => looks() > 1); // the second look begins after the first one's end
  assert.equal((await getTaskRow(a.kv, second.project_id, second.id)).status, "waiting");
  await advance(a.kv, first, "error");
  await until(async () =>
    isFinished((await getTaskRow(a.kv, second.project_id, second.id)).status)
  );
  await dispatcher.stop(0);
});

Deno.test("a server that lost its task while it slept changes nothing of the log any more", async () => {
  await using two = await newTwoServers();
  const { a, b } = two;
  await using bench = await newRunBench();
  const task = await startTask(a);
  const lease = { owner: "server a", until: a.clock.now().getTime() + LEASE_MS };
  await advance(a.kv, task, "starting", {}, { lease });
  const running = await advance(a.kv, task, "running");
  const target = { ...a.deps, projectId: task.project_id, taskId: task.id };
  const writer = createLogWriter(target);
  writer.write("before");
  await writer.flush();

  const dispatcher = startDispatcher(b, { environment: bench.environment, shared: true });
  const status = async () => (await getTaskRow(b.kv, task.project_id, task.id)).status;
  await until(async () => {
    a.clock.advance(10_000);
    dispatcher.wake();
    return await status() === "error";
  });
  await dispatcher.stop(0);

  const logRows = () =>
    Array.fromAsync(
      a.kv.list({ prefix: [] }),
      ({ key, versionstamp }) =>
        String(key[0]).startsWith("task_log_") ? `${key} ${versionstamp}` : "",
    );
  const rows = await logRows();
  writer.write("what it had read when it fell asleep");
  await assert.rejects(() => writer.flush(), { status: 409 });
  await assert.rejects(
    () => endTask(a.deps, running, { how: "success", log: writer }),
    { status: 409 },
  );
  await assert.rejects(() => openLog(target), { status: 409 });
  assert.deepEqual(await logRows(), rows);
  const lines = (await Array.fromAsync(readLog(a.kv, task.id))).flat();
  assert.equal(lines[0].output, "before");
  assert.match(lines[1].output, /because the server that ran it stopped responding/);
  assert.equal(lines.length, 2);
});

Deno.test("a task is taken over though its former server still writes", async () => {
  await using two = await newTwoServers();
  const { a, b } = two;
  const task = await startTask(a);
  await advance(a.kv, task, "starting");
  const writer = createLogWriter({ ...a.deps, projectId: task.project_id, taskId: task.id });
  let [written, lost] = [0, false];
  const writing = (async () => {
    while (!lost) {
      await writer.write(`line ${++written}`);
      await writer.flush().catch(() => lost = true);
    }
  })();
  await until(() => written > 20);
  const [open] = await listOpenTasks(b.kv);
  await endAbandoned(b, open, INTERRUPTED);
  await until(() => lost);
  await writing;
  const lines = (await Array.fromAsync(readLog(b.kv, task.id))).flat();
  assert.deepEqual(lines.map(({ id }) => id), lines.map((_, n) => n + 1));
  assert.match(lines.at(-1)!.output, /interrupted/);
  const { lines: stored, closed } = await getLogHead(b.kv, task.id);
  assert.deepEqual([stored, closed], [lines.length, true]);
});

Deno.test("files of rows that another server has deleted are removed here, and nothing else is", async () => {
  await using two = await newTwoServers();
  const { a, b } = two;
  const { dataDir } = b.config;
  const { web, lab } = a;
  const form = { name: "Gone", git_url: "/srv/gone", git_branch: "", ssh_key_id: web.keyId };
  const path = `/api/project/${web.id}/repositories`;
  const { body: gone } = await a.api("alice", "POST", path, form);
  const kept = [
    `repositories/${web.id}/${web.repositoryId}`,
    `homes/${web.id}`,
    `known_hosts/${web.id}`,
  ];
  const left = [`repositories/${web.id}/${gone.id}`, `repositories/${lab.id}/1`, `homes/${lab.id}`];
  for (const folder of [...kept, ...left]) {
    await Deno.mkdir(join(dataDir, folder), { recursive: true });
  }
  await repositoryService.delete(
    await openProject({ deps: a.deps, actor: a.people.alice.actor }, web.id, "manage_resources"),
    gone.id,
  );
  assert.equal((await a.api("dave", "DELETE", `/api/project/${lab.id}`)).status, 204);
  await sweepFolders(b);
  const exists = (folder: string) => Deno.stat(join(dataDir, folder)).then(() => true, () => false);
  assert.deepEqual(await Promise.all(kept.map(exists)), [true, true, true]);
  assert.deepEqual(await Promise.all(left.map(exists)), [false, false, false]);
});

Deno.test("results of a run on its hosts are remembered once, whichever server it ended on", async () => {
  await using two = await newTwoServers();
  const { a, b } = two;
  const [ofA, ofB] = [a.kv, b.kv].map(countHostRuns);
  const loops = [a.deps, b].map((deps) => startJobs(deps, [hostsWorker], { shared: true }));
  const run = await reportedTask(a);
  await run.report(play("Web"), playTask("a"));
  for (let n = 0; n < 200; n++) await run.report(result("a", `web${n}`));
  await run.flush();
  // The server that ran it is gone, so the other one ends it.
  const [open] = await listOpenTasks(b.kv);
  await endAbandoned(b, open, INTERRUPTED);
  const list = async () =>
    (await a.api("carol", "GET", `/api/project/${a.web.id}/hosts`)).body as { runs: unknown[] }[];
  await until(async () => (await list()).length === 200);
  await Promise.all(loops.map((loop) => loop.stop()));
  assert.ok((await list()).every(({ runs }) => runs.length === 1));
  const count = await a.kv.get<Deno.KvU64>(rowKeys.rowCount(a.web.id, "project_hosts"));
  assert.equal(Number(count.value!.value), 200);
  assert.deepEqual([ofA(), ofB()].toSorted(), [0, 200], "one server has done all of the work");
});

/** Counts from now on the rows that a server adds to commits for a task on a host. */
function countHostRuns(kv: Store): () => number {
  let count = 0;
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const op = atomic();
    const set = op.set.bind(op);
    op.set = (key, ...more) => {
      if (key[0] === "host_runs") count++;
      return set(key, ...more);
    };
    return op;
  };
  return () => count;
}

Deno.test("while the store does not answer, people read so, and the log says when", async () => {
  await using world = await newWorld();
  const { promise: back, resolve } = Promise.withResolvers<void>();
  const { get, getMany } = world.kv;
  world.kv.get = async (...args) => (await back, await get.apply(world.kv, args)) as never;
  world.kv.getMany = async (...args) => (await back, await getMany.apply(world.kv, args)) as never;
  const watch = watchStore(world.deps, { lookMs: 10, lateMs: 10 });
  const page = await world.get("bob", `/project/${world.web.id}/history`);
  assert.equal(page.status, 503);
  assert.equal(page.headers.get("retry-after"), "5");
  assert.match(await page.text(), /cannot reach its database/);
  assert.deepEqual(world.log.map(({ event }) => event), ["store_away"]);
  resolve();
  await until(() => world.log.at(-1)?.event === "store_back");
  await watch.stop();
  assert.equal((await world.get("bob", `/project/${world.web.id}/history`)).status, 200);
});
