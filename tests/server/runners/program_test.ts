import assert from "node:assert/strict";
import {
  leftovers,
  newRunBench,
  replace,
  type RunBench,
} from "@/tests/support/server/run_bench.ts";
import { RUNNER_TOKEN, type ServedRun, serveRunner } from "@/tests/support/server/runner_server.ts";
import { until } from "@/tests/support/basics/until.ts";
import { conceal, reveal, type Secret } from "@/lib/base/secret.ts";
import type { AnsiblePlan } from "@/lib/execution/ansible/plan.ts";
import { FINAL_CODES, type PollRequest } from "@/lib/runner/protocol.ts";
import { newRunnerKeys } from "@/lib/runner/seal.ts";
import { type ProgramOptions, startProgram } from "@/lib/runner/program/program.ts";
import { tryServer } from "@/lib/runner/program/try_server.ts";

const refusal = (status: number, code: string) =>
  Response.json({ error: "refused", code }, { status });

type LogLine = Record<string, unknown> & { event: string };

/** A server, and a runner's program with a folder of its own. */
async function newStage() {
  const bench = await newRunBench();
  const keys = await newRunnerKeys();
  const server = serveRunner(() => keys.publicKey);
  const log: LogLine[] = [];
  const programs: ReturnType<typeof startProgram>[] = [];
  return {
    bench,
    server,
    log,
    start(changes: Partial<ProgramOptions> = {}) {
      const program = startProgram({
        environment: bench.environment,
        target: { server: server.url, token: conceal(RUNNER_TOKEN), caCerts: [] },
        runnerId: server.runnerId,
        privateKey: keys.privateKey,
        facts: {
          version: "1",
          platform: "linux/x64",
          ansible: null,
          isolation: "none",
          slots: 2,
          abilities: [],
        },
        tokens: { issued: Date.now(), keep: () => Promise.resolve() },
        once: false,
        drainMs: 0,
        log: (level, event, fields) => void log.push({ level, event, ...fields }),
        onStatus: () => {},
        ...changes,
      });
      programs.push(program);
      return program;
    },
    async [Symbol.asyncDispose]() {
      for (const program of programs) program.drain();
      for (const program of programs) await program.ended;
      await server[Symbol.asyncDispose]();
      await bench[Symbol.asyncDispose]();
    },
  };
}

Deno.test("an old token is replaced, and the new one is stored before its use", async () => {
  await using stage = await newStage();
  const { bench, server } = stage;
  const { tokens } = server;
  const run = server.offer(bench.plan());
  const kept: string[] = [];
  const keep = (token: Secret) => {
    assert.equal(tokens.current, RUNNER_TOKEN);
    return Promise.resolve(void kept.push(reveal(token, "server")));
  };
  stage.start({ tokens: { issued: 0, keep } });
  await server.ended(run);
  assert.deepEqual(kept, [tokens.current]);
  assert.equal(run.state?.outcome?.end, "success");
});

Deno.test("a call whose token was replaced on its way is sent again", async () => {
  await using stage = await newStage();
  const { server } = stage;
  const target = { server: server.url, token: conceal(RUNNER_TOKEN), caCerts: [] };
  server.tokens.current = "token-2";
  server.control.before = () => {
    target.token = conceal("token-2");
    return null;
  };
  await tryServer(target);
});

Deno.test("a token is kept while a new one cannot be fetched or stored", async () => {
  await using stage = await newStage();
  const { server, log, bench } = stage;
  server.control.after = ({ kind, n }) =>
    kind === "token" && n === 1 ? new Response(null, { status: 502 }) : null;
  const keep = () => Promise.reject(new Error("The disk is full"));
  stage.start({ tokens: { issued: 0, keep } });
  await server.ended(server.offer(bench.plan()));
  stage.start({ tokens: { issued: 0, keep } });
  const reasons = () =>
    log.filter(({ event }) => event === "runner_token_kept").map(({ why }) => why);
  await until(() => reasons().length === 2);
  await server.ended(server.offer(bench.plan()));
  assert.deepEqual(reasons(), ["The server answered 502", "The disk is full"]);
  assert.equal(server.tokens.current, RUNNER_TOKEN);
});

/** Returns the lines that the same plan prints without a server. */
async function locally(bench: RunBench, plan: AnsiblePlan): Promise<string> {
  return (await bench.run(plan)).log;
}

const textOf = ({ lines }: ServedRun) => lines.join("\n");
const spooled = ({ environment }: RunBench) => {
  try {
    return [...Deno.readDirSync(`${environment.dataDir}/spool`)].map(({ name }) => name);
  } catch {
    return [];
  }
};
const manyLines = (lines: number, sleepMs = 0) => ({
  env: {
    CALLBOARD_STAND_IN_LINES: String(lines),
    CALLBOARD_STAND_IN_SLEEP_MS: String(sleepMs),
  },
});

Deno.test("a run on a runner prints and reports what it does on the server", async () => {
  await using stage = await newStage();
  const { bench, server } = stage;
  const plan = bench.plan({ secretEnv: { CALLBOARD_STAND_IN_ECHO: conceal("hunter2-hunter2") } });
  const expected = await locally(bench, plan);
  stage.start();
  await until(() => server.polls.length > 0);
  const offeredAt = performance.now();
  const run = server.offer(plan);
  await until(() => run.state?.started === true);
  const startMs = performance.now() - offeredAt;
  await server.ended(run);
  assert.equal(textOf(run), expected);
  assert.match(textOf(run), /\*\*\*/);
  assert.deepEqual(run.state?.outcome?.end, "success");
  assert.equal(run.state?.checkout?.message, "First play");
  assert.deepEqual(run.events.map(({ type }) => type), [
    ...["play", "task", "result", "facts", "recap", "end"],
  ]);
  assert.ok(startMs < 5_000, `${startMs} ms`);
  await until(() => stage.log.some(({ event }) => event === "run_ended"));
  assert.deepEqual([leftovers(bench), spooled(bench)], [[], []]);
});

Deno.test("a run that fails reports its reason, and a plan for another runner is an error", async () => {
  await using stage = await newStage();
  const { bench, server } = stage;
  stage.start();
  const failing = server.offer(bench.plan({ env: { CALLBOARD_STAND_IN_EXIT: "2" } }));
  await server.ended(failing);
  assert.deepEqual(failing.state?.outcome?.reason, {
    key: "errors.run.only_failed",
    params: { failed: 1, unreachable: 0, hosts: 1 },
  });
  const other = await newRunnerKeys();
  await using stranger = await newStage();
  stranger.start({ privateKey: other.privateKey });
  const closed = stranger.server.offer(bench.plan());
  await stranger.server.ended(closed);
  assert.equal(closed.state?.outcome?.reason?.key, "errors.run.unforeseen");
});

Deno.test("polls become shorter where a proxy ends long ones, and longer again", async () => {
  await using stage = await newStage();
  const { server } = stage;
  let longestMs = 1_000;
  server.control.before = ({ kind, body }) =>
    kind === "poll" && (body as PollRequest).wait_ms > longestMs
      ? new Response(null, { status: 504 })
      : null;
  stage.start();
  await until(() => server.polls.length > 0);
  longestMs = Infinity;
  server.endPolls();
  await until(() => server.polls.at(-1)!.wait_ms > 1_000);
});

Deno.test("the output is complete although answers are lost, late or errors", async () => {
  await using stage = await newStage();
  const { bench, server } = stage;
  const plan = bench.plan(manyLines(3_000));
  const expected = await locally(bench, plan);
  const odd = [
    () => new Response("<html>", { status: 502 }),
    () => new Response("<html>"),
    () => Response.json({ error: "later" }, { status: 503 }),
    () => Response.json({ lines: -1 }),
    () => new Response(null, { status: 302, headers: { location: "http://127.0.0.1:9/" } }),
  ];
  server.control.before = ({ kind, n }) =>
    kind === "report" && n % 5 === 1 ? odd[n % odd.length]() : null;
  server.control.after = async ({ kind, n }) => {
    if (kind === "report" && n % 3 === 0) return odd[n % odd.length]();
    if (kind === "poll" && n % 2 === 1) return odd[n % odd.length]();
    await new Promise((resolve) => setTimeout(resolve, 20));
    return null;
  };
  stage.start();
  const run = server.offer(plan);
  await server.ended(run);
  assert.equal(textOf(run), expected);
  assert.equal(run.state?.outcome?.end, "success");
  assert.deepEqual(server.failures, []);
});

Deno.test("the output is complete although each connection is cut after some bytes", async () => {
  await using stage = await newStage();
  const { bench, server } = stage;
  const plan = bench.plan(manyLines(2_000));
  const expected = await locally(bench, plan);
  using cutter = cutConnections(server.port, 6_000);
  stage.start({
    target: { server: cutter.url, token: conceal(RUNNER_TOKEN), caCerts: [] },
  });
  const run = server.offer(plan);
  await server.ended(run);
  assert.equal(textOf(run), expected);
  assert.ok(cutter.count() > 2, `${cutter.count()} connections`);
});

/** Passes connections on, and cuts each one after up to `bytes` of it. */
function cutConnections(to: number, bytes: number) {
  return relay(to, () => {
    let left = bytes * (0.2 + Math.random());
    return (length) => (left -= length) > 0 ? "passes" : "ends";
  });
}

/** Passes connections on. Those that are open at a call of `swallow` vanish without a word. */
function swallowConnections(to: number) {
  let era = 0;
  const passing = relay(to, () => {
    const own = era;
    return () => own === era ? "passes" : "vanishes";
  });
  return Object.assign(passing, { swallow: () => void era++ });
}

type Fate = "passes" | "ends" | "vanishes";

/** Passes connections on. `begin` is called for each, and its function for each part of bytes. */
function relay(to: number, begin: () => (length: number) => Fate) {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let connections = 0;
  async function passOn(from: Deno.TcpConn) {
    connections++;
    const onward = await Deno.connect({ hostname: "127.0.0.1", port: to });
    const fateOf = begin();
    const copy = async (source: Deno.TcpConn, target: Deno.TcpConn) => {
      const buffer = new Uint8Array(1_000);
      for (let n; (n = await source.read(buffer)) !== null;) {
        const fate = fateOf(n);
        if (fate === "ends") return;
        if (fate === "passes") await target.write(buffer.subarray(0, n));
      }
    };
    const close = () =>
      [from, onward].forEach((one) => {
        try {
          one.close();
        } catch {
          // The other direction has closed it.
        }
      });
    copy(from, onward).catch(() => {}).finally(close);
    copy(onward, from).catch(() => {}).finally(close);
  }
  (async () => {
    for await (const connection of listener) passOn(connection).catch(() => {});
  })();
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    count: () => connections,
    [Symbol.dispose]: () => listener.close(),
  };
}

Deno.test("a connection that vanishes without a word costs a report seconds, and no line", async () => {
  await using stage = await newStage();
  const { bench, server, log } = stage;
  const plan = bench.plan(manyLines(40, 50));
  using link = swallowConnections(server.port);
  stage.start({ target: { server: link.url, token: conceal(RUNNER_TOKEN), caCerts: [] } });
  const run = server.offer(plan);
  await until(() => run.lines.length > 5);
  link.swallow();
  const before = run.lines.length;
  await until(() => run.lines.length > before + 3);
  // Five seconds, or more on a machine where answers take longer than one.
  const silent = /^The server did not answer within \d+ seconds$/;
  assert.ok(log.some(({ why }) => silent.test(String(why))));
  await server.ended(run);
  assert.equal(textOf(run), await locally(bench, plan));
});

Deno.test("a poll whose connection vanishes without a word is over in seconds", async () => {
  await using stage = await newStage();
  const { bench, server, log } = stage;
  using link = swallowConnections(server.port);
  stage.start({ target: { server: link.url, token: conceal(RUNNER_TOKEN), caCerts: [] } });
  await until(() => server.polls.length > 0);
  link.swallow();
  const run = server.offer(bench.plan());
  await until(() => run.ended, 20_000);
  // Four seconds for which the poll may be held, and five for the answer.
  const reasons = log.filter(({ event }) => event === "server_unreachable").map(({ why }) => why);
  assert.deepEqual(reasons, ["The server did not answer within 9 seconds"]);
  assert.equal(run.state?.outcome?.end, "success");
});

Deno.test("a server that has lost lines or events gets them again", async () => {
  await using stage = await newStage();
  const { bench, server } = stage;
  const plan = bench.plan(manyLines(120, 5));
  stage.start();
  const run = server.offer(plan);
  run.storedMax = 30;
  await until(() => run.lines.length > 60);
  run.lines.length = 30;
  run.events.length = 0;
  await until(() => run.lines.length > 70);
  run.storedMax = Infinity;
  await server.ended(run);
  assert.equal(textOf(run), await locally(bench, plan));
  assert.equal(run.events.length, 6);
});

Deno.test("a play continues while the server is away, and nothing is lost", async () => {
  await using stage = await newStage();
  const { bench, server } = stage;
  const plan = bench.plan(manyLines(50_000));
  stage.start();
  await until(() => server.polls.length > 0);
  const expected = await locally(bench, plan);
  const run = server.offer(plan);
  await until(() => run.lines.length > 10);
  await server.away(async () => {
    await until(() => !Deno.readTextFileSync("/proc/self/stat") || leftovers(bench).length === 0);
    assert.ok(spooled(bench).length > 0);
  });
  await server.ended(run);
  assert.equal(textOf(run), expected);
  assert.ok(stage.log.some(({ event }) => event === "server_unreachable"));
});

Deno.test("another server takes the run over after three seconds, and not before", async () => {
  await using stage = await newStage();
  const { bench, server } = stage;
  const began = Promise.withResolvers<number>();
  const asked: boolean[] = [];
  server.control.before = ({ kind, body }) => {
    if (kind !== "report") return null;
    const takesOver = (body as { take_over: boolean }).take_over;
    asked.push(takesOver);
    if (asked.length === 1) began.resolve(performance.now());
    return takesOver ? null : Response.json({ error: "another" }, { status: 421 });
  };
  stage.start();
  const run = server.offer(bench.plan());
  const at = await began.promise;
  await server.ended(run);
  assert.ok(performance.now() - at >= 2_900);
  assert.ok(asked.indexOf(true) > 2);
  assert.equal(run.state?.outcome?.end, "success");
});

Deno.test("a stop and a force stop reach the process immediately, by the poll", async () => {
  await using stage = await newStage();
  const { bench, server } = stage;
  await replace(bench, "playbook", "trap 'echo got TERM; exit 0' TERM; echo on; sleep 60 & wait");
  stage.start();
  for (const stop of ["stop", "force"] as const) {
    const run = server.offer(bench.plan());
    await until(() => textOf(run).includes("on"));
    const at = performance.now();
    server.stop(run, stop);
    await server.ended(run);
    assert.ok(performance.now() - at < 5_000);
    assert.equal(run.state?.outcome?.end, "stopped");
    if (stop === "stop") assert.match(textOf(run), /got TERM/);
  }
  assert.deepEqual(leftovers(bench), []);
});

Deno.test("a run that the server has forgotten is killed and forgotten", async () => {
  await using stage = await newStage();
  const { bench, server } = stage;
  await replace(bench, "playbook", "trap '' TERM; echo on; sleep 60");
  stage.start();
  const run = server.offer(bench.plan());
  await until(() => textOf(run).includes("on"));
  server.forget(run);
  await until(() => stage.log.some(({ event }) => event === "run_ended"));
  assert.deepEqual([leftovers(bench), spooled(bench)], [[], []]);
  await until(() => server.polls.at(-1)!.runs.length === 0);
});

Deno.test("a revoked token ends the plays and the program, and a proxy's refusal does not", async () => {
  await using stage = await newStage();
  const { bench, server } = stage;
  await replace(bench, "playbook", "echo on; sleep 60");
  const program = stage.start();
  const run = server.offer(bench.plan());
  await until(() => textOf(run).includes("on"));
  const refusals = [
    () => new Response("<h1>Sign in</h1>", { status: 401 }),
    () => Response.json({ error: "Sign in" }, { status: 401 }),
    () => Response.json({ error: "Sign in", code: "no_session" }, { status: 401 }),
  ];
  let refused = 0;
  server.control.before = () => refusals[refused++ % refusals.length]();
  server.endPolls();
  await until(() => refused > 3);
  assert.equal(leftovers(bench).length, 1);
  server.control.before = () => refusal(401, FINAL_CODES.revoked);
  assert.equal(await program.ended, "revoked");
  assert.deepEqual(leftovers(bench), []);
});

Deno.test("a process that another one has replaced ends, but not after a single conflict", async () => {
  await using stage = await newStage();
  const { server } = stage;
  const conflict = () => refusal(409, FINAL_CODES.replaced);
  server.control.before = ({ n }) => n === 1 ? conflict() : null;
  const program = stage.start();
  await until(() => server.polls.length > 0);
  server.control.before = conflict;
  server.endPolls();
  assert.equal(await program.ended, "replaced");
});

Deno.test("an outdated program waits, and says what the server says", async () => {
  await using stage = await newStage();
  stage.server.control.before = () => Response.json({ error: "Update it" }, { status: 426 });
  const program = stage.start();
  await until(() => stage.log.some(({ why }) => why === "Update it"));
  assert.equal(stage.server.polls.length, 0);
  program.drain();
  assert.equal(await program.ended, "finished");
});

Deno.test("a drained program reports its runs as interrupted", async () => {
  await using stage = await newStage();
  const { bench, server } = stage;
  await replace(bench, "playbook", "echo on; sleep 60");
  const program = stage.start();
  const run = server.offer(bench.plan());
  await until(() => textOf(run).includes("on"));
  program.drain();
  const late = server.offer(bench.plan());
  assert.equal(await program.ended, "finished");
  assert.deepEqual(run.state?.outcome?.reason, { key: "errors.run.shutdown", params: {} });
  assert.equal(late.state, null);
});

Deno.test("a server drains a runner, whose runs end as they would", async () => {
  await using stage = await newStage();
  const { bench, server } = stage;
  const program = stage.start();
  const run = server.offer(bench.plan(manyLines(20, 20)));
  await until(() => run.lines.length > 0);
  server.control.drain = true;
  server.endPolls();
  assert.equal(await program.ended, "finished");
  assert.equal(run.state?.outcome?.end, "success");
});

Deno.test("a runner takes as many runs as it may, and a one-off runner takes one", async () => {
  await using stage = await newStage();
  const { bench, server } = stage;
  stage.start();
  const runs = Array.from({ length: 5 }, () => server.offer(bench.plan(manyLines(10, 20))));
  await Promise.all(runs.map(server.ended));
  assert.equal(Math.max(...server.polls.map((poll) => poll.runs.length)), 2);
  await using other = await newStage();
  const once = other.start({ once: true });
  const [first, second] = [other.server.offer(bench.plan()), other.server.offer(bench.plan())];
  assert.equal(await once.ended, "finished");
  assert.equal(Number(first.ended) + Number(second.ended), 1);
  assert.deepEqual(other.server.polls.filter(({ leaving }) => leaving), [
    other.server.polls.at(-1),
  ]);
});

Deno.test("times are those of the server's clock, and the limit is the server's", async () => {
  await using stage = await newStage();
  const { bench, server } = stage;
  server.control.clockMs = -3_600_000;
  stage.start();
  const run = server.offer(bench.plan());
  await server.ended(run);
  const off = run.times[0]! - (Date.now() - 3_600_000);
  assert.ok(Math.abs(off) < 60_000, `${off}`);
  await replace(bench, "playbook", "echo on; sleep 60");
  const limited = server.offer(bench.plan(), 500);
  await server.ended(limited);
  assert.equal(limited.state?.outcome?.reason?.key, "errors.run.time_limit");
});

Deno.test("a run that was claimed just before the end is interrupted, too", async () => {
  await using stage = await newStage();
  const { bench, server } = stage;
  await replace(bench, "playbook", "echo on; sleep 60");
  const claimed = Promise.withResolvers<void>();
  const lost = Promise.withResolvers<null>();
  server.control.after = ({ kind, n }) => {
    if (kind !== "poll" || n > 1) return null;
    claimed.resolve();
    return lost.promise;
  };
  const program = stage.start();
  const run = server.offer(bench.plan());
  await claimed.promise;
  server.claim(run);
  program.drain();
  assert.equal(await program.ended, "finished");
  assert.equal(run.state?.outcome?.reason?.key, "errors.run.shutdown");
  lost.resolve(null);
});
