import assert from "node:assert/strict";
import { join } from "node:path";
import { createHub } from "@/lib/base/hub.ts";
import { conceal } from "@/lib/base/secret.ts";
import { openStore } from "@/lib/store/file/open_store.ts";
import { createRelay } from "@/lib/live/relay.ts";
import { startDispatcher } from "@/lib/queue/dispatch/dispatcher.ts";
import { createRemote } from "@/lib/queue/remote/remote.ts";
import { startProgram } from "@/lib/runner/program/program.ts";
import { newRunnerKeys } from "@/lib/runner/seal.ts";
import { newQueue } from "@/tests/support/server/queue.ts";
import { newRunBench } from "@/tests/support/server/run_bench.ts";
import { newTestRunner } from "@/tests/support/world/test_runner.ts";
import { until } from "@/tests/support/basics/until.ts";
import { createSender } from "@/tests/support/world/world.ts";

/** Number of lines that a run prints, and the pause before each. */
const [LINES, PAUSE_MS] = [300, 10];

/** Counts of calls that a runner has made, by path and status. */
type Counts = Record<string, number>;

/**
 * Two servers on one store and a runner. Each of its requests goes to the server with the number
 * that `turn` returns.
 */
async function newStage(turn: (n: number) => number) {
  await using cleanup = new AsyncDisposableStack();
  const home = await Deno.makeTempDir({ prefix: "callboard_runner_servers_" });
  cleanup.defer(() => Deno.remove(home, { recursive: true }));
  const kvPath = join(home, "callboard.kv");
  const queue = cleanup.use(await newQueue({ kvPath }));
  const bench = cleanup.use(await newRunBench());
  const { deps } = queue.world;
  const kv = await openStore(kvPath);
  cleanup.defer(() => kv.close());
  const other = { hub: createHub(), live: createRelay({ kv, log: deps.log }) };
  const servers = [deps, { ...deps, ...other, kv }]
    .map((each) => ({ ...each, remote: createRemote({ shared: true }) }));
  for (const server of servers) {
    const options = { environment: bench.environment, shared: true };
    const dispatcher = startDispatcher(server, options);
    server.wakeDispatcher = dispatcher.wake;
    cleanup.defer(async () => {
      server.remote.close();
      await dispatcher.stop(0);
    });
  }
  const send = servers.map(createSender);
  const counts: Counts = {};
  let n = 0;
  const front = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    const init = { method: "POST", headers: request.headers, signal: request.signal };
    const answer = await send[turn(n++)](pathname, { ...init, body: await request.bytes() });
    const name = `${pathname.split("/").at(-1)} ${answer.status}`;
    counts[name] = (counts[name] ?? 0) + 1;
    return answer;
  });
  cleanup.defer(() => front.shutdown());
  const { publicKey, privateKey } = await newRunnerKeys();
  const { id, token } = await newTestRunner(queue.world, { public_key: publicKey });
  const program = startProgram({
    environment: bench.environment,
    target: {
      server: `http://127.0.0.1:${front.addr.port}`,
      token: conceal(token),
      caCerts: [],
    },
    runnerId: id,
    privateKey,
    facts: {
      version: "1",
      platform: "linux/x64",
      ansible: null,
      isolation: "none",
      slots: 1,
      abilities: [],
    },
    tokens: { issued: Date.now(), keep: () => Promise.resolve() },
    once: false,
    drainMs: 0,
    log: () => {},
    onStatus: () => {},
  });
  cleanup.defer(async () => {
    program.drain();
    await program.ended;
  });
  const owned = cleanup.move();
  return { queue, counts, [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose]() };
}

/** Starts a task on the runner, and returns its path. */
async function startTask({ queue: { world, makeTemplate } }: Stage): Promise<string> {
  const path = `/api/project/${world.web.id}/tasks`;
  const { status, body } = await world.api("alice", "POST", path, {
    template_id: await makeTemplate({ runner_tag: "dmz" }),
    environment: JSON.stringify({
      callboard_stand_in_lines: String(LINES),
      callboard_stand_in_sleep_ms: String(PAUSE_MS),
    }),
  });
  assert.equal(status, 201, JSON.stringify(body));
  return `${path}/${body.id}`;
}

type Stage = Awaited<ReturnType<typeof newStage>>;

const getOf = async ({ queue: { world } }: Stage, path: string) =>
  (await world.api("alice", "GET", path)).body;

/** Waits for a task's end, and requires that each line and result is stored exactly once. */
async function requireComplete(stage: Stage, path: string): Promise<void> {
  await until(async () => (await getOf(stage, path)).status === "success");
  const log: string = await getOf(stage, `${path}/raw_output`);
  const items = [...log.matchAll(/item=(\d+)\)/g)].map(([, item]) => Number(item));
  assert.deepEqual(items, Array.from({ length: LINES }, (_, item) => item + 1));
  assert.equal((log.match(/PLAY RECAP/g) ?? []).length, 1);
  assert.equal((await getOf(stage, `${path}/results`)).length, 1);
}

Deno.test("a runner whose requests alternate between two servers loses and repeats nothing", async () => {
  await using stage = await newStage((n) => n % 2);
  await requireComplete(stage, await startTask(stage));
  const { "report 200": taken, "report 421": misled } = stage.counts;
  // A report that reaches the wrong server is sent once more.
  assert.ok(misled > 0 && misled <= taken + 2, JSON.stringify(stage.counts));
});

Deno.test("another server takes a run over when the runner does not reach the first any more", async () => {
  let turn = 0;
  await using stage = await newStage(() => turn);
  const path = await startTask(stage);
  await until(async () => (await getOf(stage, `${path}/raw_output`))?.includes("item=5)"));
  turn = 1;
  await requireComplete(stage, path);
  assert.ok(stage.counts["report 421"] > 1, JSON.stringify(stage.counts));
});
