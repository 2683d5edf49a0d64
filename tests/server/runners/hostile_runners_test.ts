import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { rowKeys } from "@/lib/store/keys.ts";
import { paths } from "@/lib/base/paths.ts";
import type { PollRequest } from "@/lib/runner/protocol.ts";
import { heldSentence } from "@/lib/runner/held_sentence.ts";
import { findOpenTask } from "@/lib/tasks/open_tasks.ts";
import { linesOf, newRemoteStage, statusOf } from "@/tests/support/server/remote_stage.ts";
import { newTestRunner, NOTHING_YET } from "@/tests/support/world/test_runner.ts";
import { play, result, task as playTask } from "@/tests/support/world/reported_task.ts";
import { until } from "@/tests/support/basics/until.ts";
import type { World } from "@/tests/support/world/world.ts";

type Run = { task_id: number; run: string };
type Runner = Awaited<ReturnType<typeof newTestRunner>>;

const STARTED = { ...NOTHING_YET, started: true };

/** Sends a report with any contents, and returns the status of the answer. */
async function sendReport(runner: Runner, { task_id, run }: Run, parts: Record<string, unknown>) {
  const response = await runner.send(`tasks/${task_id}/report`, {
    session: runner.session,
    run,
    lines_from: 0,
    lines: [],
    events_from: 0,
    events: [],
    state: STARTED,
    ...parts,
  });
  await response.body?.cancel();
  return response.status;
}

const outcome = (reason: unknown, end = "error") => ({
  state: { ...STARTED, outcome: { end, reason, lines: 0, events: 0 } },
});

/** Reads everything that shows a task. */
async function lookAt(world: World, template: number, id: number) {
  const web = world.web.id;
  const shown = [
    `/api/project/${web}/tasks/${id}`,
    `/api/project/${web}/tasks/${id}/output`,
    `/api/project/${web}/tasks/${id}/raw_output`,
    paths.task(web, template, id),
    paths.taskPage(web, id),
    `/project/${web}/history`,
  ];
  for (const path of shown) {
    const response = await world.get("alice", path);
    const text = await response.text();
    assert.equal(response.status, 200, `${path} ${text.slice(0, 300)}`);
    const isPage = response.headers.get("content-type")?.startsWith("text/html");
    assert.ok(!isPage || !text.includes("<img src=x"), path);
  }
}

Deno.test("any text of a runner is stored as one line, and can be read", async () => {
  const { queue, template, runner, world } = await newRemoteStage();
  await using _ = queue;
  const id = await queue.start(template);
  const run = await runner.claim();
  const sent: [number, string][] = [
    [0, "one\ntwo\r\nthree"],
    [8.64e15, "x".repeat(64 * 1024)],
    [1, "€".repeat(64 * 1024)],
    [2, "\0\x1b[31m\ud800 \u202e<img src=x onerror=alert(1)>"],
    [3, ""],
    [4, "last"],
  ];
  assert.equal(await sendReport(runner, run, { lines: sent }), 200);
  const end = { ...STARTED, outcome: { end: "success", reason: null, lines: 6, events: 0 } };
  assert.equal(await sendReport(runner, run, { lines_from: 6, state: end }), 200);
  const lines = await linesOf(queue, id);
  assert.equal(lines.length, 6);
  assert.equal(lines[0], "one two\r three");
  assert.deepEqual([lines[1].length, lines[2].length], [16_380, 5_460]);
  assert.equal(lines[5], "\x1b[;;31mlast", "in the color that was left on");
  await lookAt(world, template, id);
});

Deno.test("any reason of a runner ends the task, and can be shown", async () => {
  const { queue, template, runner, world } = await newRemoteStage();
  await using _ = queue;
  const html = "<img src=x onerror=alert(1)>\n\u202e";
  const name = { key: "errors.run.internal" };
  const wide = { key: "errors.run.unforeseen", params: { detail: Array(100).fill(name) } };
  const many = Object.fromEntries(
    Array.from({ length: 900 }, (_, n) => [`p${n}`, html.repeat(30)]),
  );
  const reasons: [unknown, string][] = [
    [{ key: "errors.run.runner_lost", params: { name: html } }, "errors.run.runner_lost"],
    [wide, "errors.run.unforeseen"],
    [{ key: "errors.run.runner_lost", params: many }, "errors.run.unforeseen"],
    [{ key: "schedules.missed", params: { since: "never" } }, "errors.run.unforeseen"],
    [{ key: "no.such_sentence" }, "errors.run.unforeseen"],
    [{ key: "__proto__.constructor" }, "errors.run.unforeseen"],
    [{ key: "errors.run" }, "errors.run.unforeseen"],
    [
      { key: "errors.run.time_limit", params: { seconds: "x", count: -1 } },
      "errors.run.time_limit",
    ],
  ];
  for (const [reason, key] of reasons) {
    const id = await queue.start(template);
    const run = await runner.claim();
    assert.equal(await sendReport(runner, run, outcome(reason)), 200, JSON.stringify(reason));
    assert.equal((await queue.row(id)).end_reason?.key, key);
    await lookAt(world, template, id);
  }
  const id = await queue.start(template);
  const run = await runner.claim();
  let deep: unknown = "x";
  for (let n = 0; n < 1_000; n++) deep = { key: "a.b", params: { p: deep } };
  const refused = [
    outcome(deep),
    outcome({ key: "errors.run.internal", params: { "a b": "x" } }),
    outcome({ key: "errors.run.internal", params: { name: { html } } }),
    { state: { ...STARTED, checkout: { hash: "--upload-pack=sh", message: "" } } },
    { state: { ...STARTED, checkout: { hash: "../../x", message: html } } },
    { lines: [[8.64e15 + 1, "x"]] },
    { lines: [[-1, "x"]] },
    { lines: Array(5_001).fill([0, "x"]) },
    { events: Array(5_001).fill({}) },
    { lines_from: -1 },
  ];
  for (const parts of refused) {
    const status = await sendReport(runner, run, parts);
    assert.equal(status, 400, JSON.stringify(parts).slice(0, 100));
  }
  const message = html.repeat(20);
  const checkout = { hash: "ab".repeat(20), message };
  assert.equal(await sendReport(runner, run, { state: { ...STARTED, checkout } }), 200);
  assert.equal(await sendReport(runner, run, outcome(null, "success")), 200);
  assert.equal(await statusOf(queue, id), "success");
  await lookAt(world, template, id);
});

Deno.test("a reason that a server has is kept as it is", () => {
  const nested = { key: "errors.run.internal" };
  const reason = { key: "errors.run.unforeseen", params: { detail: nested, count: 3 } };
  assert.deepEqual(heldSentence(reason), reason);
});

Deno.test("bodies that are wrong, huge or packed are refused, and no event breaks a run", async () => {
  const { queue, template, runner, world } = await newRemoteStage();
  await using _ = queue;
  const id = await queue.start(template);
  const run = await runner.claim();
  const raw = async (body: Uint8Array<ArrayBuffer> | string) => {
    const response = await world.request(`/api/runner/tasks/${id}/report`, {
      method: "POST",
      headers: { Authorization: `Bearer ${runner.token}`, "X-Callboard-Runner": "1" },
      body,
    });
    await response.body?.cancel();
    return response.status;
  };
  const zipped = (text: string | Uint8Array) => raw(new Uint8Array(gzipSync(text)));
  assert.equal(await zipped(new Uint8Array(64 * 1024 * 1024)), 400);
  assert.equal(await zipped("[".repeat(2_000_000)), 400);
  assert.equal(await raw(new Uint8Array([0x1f, 0x8b, 1, 2])), 400);
  assert.equal(await raw("x".repeat(2 * 1024 * 1024)), 413);
  const [open, close] = ['{"key":"a.b","params":{"p":', "}}"].map((part) => part.repeat(60_000));
  const reason = `${open}1${close}`;
  const { session } = runner;
  const report = JSON.stringify({
    session,
    ...run,
    lines_from: 0,
    lines: [],
    events_from: 0,
    events: [],
  });
  const ended = `{"end":"error","lines":0,"events":0,"reason":${reason}}`;
  const state = `{"checkout":null,"inventories":null,"started":true,"outcome":${ended}}`;
  assert.equal(await zipped(`${report.slice(0, -1)},"state":${state}}`), 400);
  assert.equal(await raw(""), 400);
  const results = [
    { type: "__proto__" },
    { type: "recap", hosts: [["__proto__", {}]] },
    { type: "line", uuid: "__proto__", host: "constructor", lines: { from: 1e9, to: 0 } },
    { type: "play", name: "\ud800".repeat(100), free: false, at: 8.64e15, lines: null },
    { type: "include", hosts: ["__proto__", "\ud800"] },
    { type: "lost", count: 1e9 },
    { type: "end", at: 0, lost: 1e9 },
    null,
    "x",
  ];
  const events = Array.from({ length: 5_000 }, (_, n) => results[n % results.length]);
  assert.equal(await sendReport(runner, run, { events }), 200);
  const success = { end: "success", reason: null, lines: 0, events: 5_000 };
  const last = { events_from: 5_000, state: { ...STARTED, outcome: success } };
  assert.equal(await sendReport(runner, run, last), 200);
  assert.equal(await statusOf(queue, id), "success");
  await lookAt(world, template, id);
  assert.deepEqual(world.log.filter(({ level }) => level === "error"), []);
});

Deno.test("a runner cannot keep another one's task from being renewed", async () => {
  const { queue, template, runner, world } = await newRemoteStage();
  await using _ = queue;
  const other = await newTestRunner(world);
  const id = await queue.start(template);
  const { run } = await runner.claim();
  const runs: PollRequest["runs"] = [{ task_id: id, run, stop: null }];
  const leaseUntil = async () => (await findOpenTask(world.kv, id))!.lease!.until;
  const before = await leaseUntil();
  world.clock.advance(11_000);
  assert.deepEqual((await other.poll({ free: 0, runs })).stops, [{ run, stop: "gone" }]);
  assert.equal(await leaseUntil(), before);
  await runner.poll({ free: 0, runs });
  assert.equal(await leaseUntil() - before, 11_000);
});

/** Polls and reports for a run, whatever the answers say, until its task has ended. */
async function disobey(
  { queue, runner, world }: Awaited<ReturnType<typeof newRemoteStage>>,
  run: Run,
) {
  const runs = [{ task_id: run.task_id, run: run.run, stop: null }];
  let rounds = 0;
  await until(async () => {
    rounds++;
    world.clock.advance(9_500);
    await runner.poll({ free: 0, runs });
    await runner.report(run, { state: STARTED });
    world.deps.wakeDispatcher();
    return (await findOpenTask(world.kv, run.task_id)) === null;
  });
  return { row: await queue.row(run.task_id), rounds };
}

Deno.test("a runner that ignores a force stop keeps the task for a minute", async () => {
  const stage = await newRemoteStage();
  await using _ = stage.queue;
  const id = await stage.queue.start(stage.template);
  const run = await stage.runner.claim();
  const path = `/api/project/${stage.world.web.id}/tasks/${id}/stop`;
  await stage.runner.report(run, { state: STARTED });
  await stage.world.api("bob", "POST", path, { force: true });
  const { row, rounds } = await disobey(stage, run);
  assert.equal(row.status, "stopped");
  assert.ok(rounds < 15, `${rounds}`);
});

Deno.test("a runner that ignores the time limit loses the task", async () => {
  const stage = await newRemoteStage({}, { config: { taskTimeLimitMs: 60_000 } });
  await using _ = stage.queue;
  await stage.queue.start(stage.template);
  const { row } = await disobey(stage, await stage.runner.claim());
  assert.deepEqual([row.status, row.end_reason?.key], ["error", "errors.run.runner_lost"]);
});

Deno.test("a runner holds one poll and few reports, however many it sends", async () => {
  const { queue, template, runner, world } = await newRemoteStage();
  await using _ = queue;
  await queue.start(template);
  const run = await runner.claim();
  const listed = { free: 0, runs: [{ task_id: run.task_id, run: run.run, stop: null }] };
  let open = 0;
  const poll = async (of: Runner) => {
    open++;
    const facts = {
      version: "",
      platform: "",
      ansible: null,
      isolation: "",
      slots: 1_000,
      abilities: [],
    };
    const { status } = await of.send("poll", {
      session: of.session,
      facts,
      wait_ms: 20_000,
      ...listed,
    });
    open--;
    return status;
  };
  const polls = Array.from({ length: 200 }, () => poll(runner));
  await until(() => open === 1);
  world.deps.remote.close();
  assert.deepEqual(new Set(await Promise.all(polls)), new Set([200]));
  const sessions = Array.from({ length: 100 }, () => poll(runner.restarted()));
  const statuses = new Set(await Promise.all(sessions));
  assert.ok(statuses.has(429) && [...statuses].every((its) => [200, 409, 429].includes(its)));
  const reports = Array.from({ length: 150 }, () => sendReport(runner, run, {}));
  const answers = await Promise.all(reports);
  assert.ok(answers.includes(429) && answers.includes(200));
  assert.deepEqual(new Set(answers), new Set([200, 429]));
  assert.equal(world.deps.remote.reports.size, 0);
});

Deno.test("a project is deleted although its runner is silent, and the runner learns of it", async () => {
  const { queue, template, runner, world } = await newRemoteStage();
  await using _ = queue;
  await queue.start(template);
  const { task_id, run } = await runner.claim();
  await runner.report({ task_id, run }, { lines: ["one"], state: STARTED });
  const path = `/api/project/${world.web.id}`;
  assert.equal((await world.api("alice", "DELETE", path)).status, 409);
  const startedAt = performance.now();
  assert.equal((await world.api("alice", "DELETE", `${path}?force=true`)).status, 204);
  assert.ok(performance.now() - startedAt < 15_000);
  const { stops } = await runner.poll({ free: 0, runs: [{ task_id, run, stop: null }] });
  assert.deepEqual(stops, [{ run, stop: "gone" }]);
  const late = await runner.report({ task_id, run }, { lines_from: 1, lines: ["two"] });
  assert.equal(late.stop, "gone");
  const left = await Array.fromAsync(
    world.kv.list({ prefix: rowKeys.taskLogChunks(task_id) }),
    ({ key }) => key,
  );
  assert.deepEqual(left, []);
});

Deno.test("a runner that ignores the limit of the output stores no more, and its run continues", async () => {
  const { queue, template, runner, world } = await newRemoteStage();
  await using _ = queue;
  world.deps.config.taskOutputBytesMax = 1024 * 1024;
  const id = await queue.start(template);
  const run = await runner.claim();
  assert.equal(run.output_bytes_max, 1024 * 1024);
  const lines = Array.from({ length: 60 }, (_, n) => `${n} ${"x".repeat(16_000)}`);
  const send = (lines_from: number, more = {}) =>
    runner.report(run, { lines_from, lines, state: STARTED, ...more });
  assert.deepEqual(await send(0).then(({ stored_lines }) => stored_lines), 60);
  // Nothing has to wait for lines that are not stored.
  assert.deepEqual(await send(60).then(({ stored_lines }) => stored_lines), 120);
  const stored = await linesOf(queue, id);
  assert.equal(stored.length, 66);
  assert.match(stored[65], /^The output reached 1 MB, the limit for a task/);
  // A server that was killed meanwhile goes on with what the runner has.
  world.deps.remote.runs.clear();
  const events = [play("Web"), playTask("a"), result("a", "web")];
  const known = await send(120, { events });
  assert.deepEqual([known.lines, known.stored_lines, known.events], [180, 180, 3]);
  const end = { end: "error" as const, reason: { key: "errors.run.hosts_failed" } };
  const outcome = { ...end, lines: 180, events: 3 };
  assert.equal((await send(180, { lines: [], state: { ...STARTED, outcome } })).ended, true);
  assert.equal((await linesOf(queue, id)).length, 67);
  const path = `/api/project/${world.web.id}/tasks/${id}`;
  const { body } = await world.api("alice", "GET", path);
  assert.deepEqual([body.status, body.output_cut], ["error", true]);
  const results = await world.api("alice", "GET", `${path}/results_summary`);
  assert.equal(results.body.results, 1, JSON.stringify(results.body));
  const page = await (await world.get("carol", paths.task(world.web.id, template, id))).text();
  assert.match(page, /The output reached the limit for a task\. The rest is not stored\./);
});
