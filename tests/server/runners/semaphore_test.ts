import assert from "node:assert/strict";
import { openProject } from "@/lib/access/scope.ts";
import { newRegistrationToken } from "@/lib/runners/service.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { readLog } from "@/lib/output/store.ts";
import { newRunnerToken } from "@/lib/runners/tokens.ts";
import { newRunner, register, reusableToken } from "@/tests/support/world/runners.ts";
import { newQueue } from "@/tests/support/server/queue.ts";
import { linesOf } from "@/tests/support/server/remote_stage.ts";
import { newTestRunner } from "@/tests/support/world/test_runner.ts";
import { type ApiAnswer, newWorld, readAnswer, type World } from "@/tests/support/world/world.ts";
import { until } from "@/tests/support/basics/until.ts";

const PATH = "/api/internal/runners";
const TLS = { "X-Forwarded-Proto": "https" };
const ALLOWED = { semaphoreRunners: true, trustProxy: true };
const STARTED_AT = "2024-05-02T10:00:00Z";

interface Sent {
  token?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Calls as one of Semaphore's runners does, through TLS. Text is sent as it is. */
const call = async (
  world: Pick<World, "request">,
  method: string,
  { token, headers = {}, body }: Sent = {},
) =>
  await readAnswer(
    await world.request(PATH, {
      method,
      headers: { ...TLS, ...token && { "X-Runner-Token": token }, ...headers },
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    }),
  );

/** Registers a runner with the body of 2.10, and returns its long-lived token. */
async function registered(world: World, max_parallel_tasks = 0): Promise<string> {
  const id = Math.floor(Math.random() * 1e6) + 2;
  const body = {
    registration_token: await reusableToken(world, { id, max_parallel_tasks: 0 }),
    webhook: "",
    max_parallel_tasks,
  };
  const answer = await call(world, "POST", { body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.deepEqual(Object.keys(answer.body), ["token"]);
  return answer.body.token;
}

/** A queue with a runner of Semaphore, and a template that needs its label. */
async function newStage({ slots = 0, config = {}, ...fields }: Record<string, unknown> = {}) {
  const queue = await newQueue({ config: { ...ALLOWED, ...config as object } });
  const { world } = queue;
  const template = await queue.makeTemplate({ runner_tag: "dmz", ...fields });
  const token = await registered(world, slots as number);
  queue.dispatch();
  const headers = { "X-Runner-Started-At": STARTED_AT };
  return {
    queue,
    template,
    world,
    token,
    poll: (sent: Sent = {}) => call(world, "GET", { token, ...sent }),
    put: (body: unknown, sent: Sent = {}) => call(world, "PUT", { token, body, ...sent }),
    poll219: () => call(world, "GET", { token, headers }),
    put219: (body: unknown) => call(world, "PUT", { token, headers, body }),
    [Symbol.asyncDispose]: () => queue[Symbol.asyncDispose](),
  };
}
type Stage = Awaited<ReturnType<typeof newStage>>;

/** Polls every now and then until there is a job, as their runners do every second. */
async function claim({ poll }: Pick<Stage, "poll">) {
  let body: ApiAnswer["body"];
  await until(async () => {
    ({ body } = await poll());
    return body.new_jobs.length > 0;
  });
  return body;
}

const record = (message: string, time = "2024-05-02T10:11:11.123456789+02:00") => ({
  time,
  message,
});

const progress = (ID: number, Status: string, LogRecords: unknown = null) => ({
  Jobs: [{ ID, Status, LogRecords }],
});

Deno.test("runners of Semaphore are refused unless the server allows them", async () => {
  await using world = await newWorld({ config: { trustProxy: true } });
  for (const method of ["GET", "PUT", "POST", "DELETE"]) {
    const { status, body } = await call(world, method, {
      token: "x",
      body: method === "GET" ? undefined : { registration_token: "x" },
    });
    assert.equal(status, 403);
    assert.match(body.error, /CALLBOARD_SEMAPHORE_RUNNERS=true/);
  }
});

Deno.test("without TLS they are refused, whatever a client says about itself", async () => {
  const refusals: [object, Record<string, string>, number][] = [
    [{ trustProxy: true }, { "X-Forwarded-Proto": "http" }, 403],
    [{ trustProxy: true }, {}, 403],
    [{ trustProxy: false }, TLS, 403],
    [{ trustProxy: true, url: new URL("https://x.test") }, { "X-Forwarded-Proto": "http" }, 403],
    [{ trustProxy: true }, TLS, 401],
    [{ trustProxy: true, url: new URL("https://x.test") }, {}, 401],
    [{ trustProxy: false, url: new URL("https://x.test") }, {}, 401],
  ];
  for (const [config, headers, status] of refusals) {
    await using world = await newWorld({ config: { semaphoreRunners: true, ...config } });
    const answer = await world.request(PATH, { headers });
    assert.equal(answer.status, status, JSON.stringify([config, headers]));
    if (status === 403) assert.match((await answer.json()).error, /must connect with https/);
  }
});

Deno.test("a one-time token registers a runner of Semaphore once", async () => {
  await using world = await newWorld({ config: ALLOWED });
  const { id, registrationToken } = await newRunner(world, { labels: "dmz" });
  // As 2.19 sends it.
  const body = {
    registration_token: registrationToken,
    name: "ignored",
    tags: ["other"],
    max_parallel_tasks: 2,
    enabled: true,
    project_id: 99,
  };
  const { status, body: { token } } = await call(world, "POST", { body });
  assert.equal(status, 200);
  const { value } = await world.kv.get<Record<string, unknown>>(rowKeys.runner(id));
  assert.deepEqual(
    [value?.wire, value?.public_key, value?.labels, value?.project_id],
    ["semaphore", null, ["dmz"], world.web.id],
  );
  const again = await call(world, "POST", { body });
  assert.equal(again.status, 400);
  assert.match(again.body.error, /already used/);
  for (const registration_token of ["", "x", token, newRunnerToken("once", 7).text]) {
    const wrong = await call(world, "POST", { body: { ...body, registration_token } });
    assert.equal(wrong.status, 400);
  }
  const idle = await call(world, "GET", { token });
  assert.deepEqual(idle.body, { CurrentJobs: [], new_jobs: [], access_keys: {} });
  assert.equal((await call(world, "PUT", { token, body: { Jobs: null } })).status, 204);
});

Deno.test("a runner that wants its jobs encrypted with RSA is told to do without", async () => {
  await using world = await newWorld({ config: ALLOWED });
  const registration_token = await reusableToken(world);
  const body = { registration_token, webhook: "", max_parallel_tasks: 1 };
  const refused = await call(world, "POST", { body: { ...body, public_key: "-----BEGIN" } });
  assert.equal(refused.status, 400);
  assert.match(refused.body.error, /private_key_file/);
  const taken = await call(world, "POST", { body: { ...body, public_key: "" } });
  assert.equal(taken.status, 200);
});

Deno.test("tokens of other runners do not open this door, nor its tokens theirs", async () => {
  await using world = await newWorld({ config: ALLOWED });
  const native = await newTestRunner(world);
  const token = await registered(world);
  assert.equal((await call(world, "GET", {})).status, 401);
  assert.equal((await call(world, "GET", { token: "x" })).status, 404);
  assert.equal((await call(world, "GET", { token: native.token })).status, 404);
  assert.equal((await call(world, "PUT", { token: native.token, body: {} })).status, 404);
  const facts = { version: "1", platform: "x", ansible: null, isolation: "none", slots: 1 };
  const poll = { session: crypto.randomUUID(), facts, free: 1, runs: [], wait_ms: 0 };
  const crossed = await world.request("/api/runner/poll", {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "X-Callboard-Runner": "1" },
    body: JSON.stringify(poll),
  });
  assert.equal(crossed.status, 401);
});

Deno.test("a runner that unregisters has no token any more, and may be registered again", async () => {
  await using world = await newWorld({ config: ALLOWED });
  const { registrationToken, id } = await newRunner(world);
  const body = { registration_token: registrationToken };
  const { body: { token } } = await call(world, "POST", { body });
  assert.equal((await call(world, "DELETE", {})).status, 401);
  assert.equal((await call(world, "DELETE", { token })).status, 204);
  assert.equal((await call(world, "GET", { token })).status, 404);
  const path = `/api/project/${world.web.id}/events`;
  const { body: events } = await world.api("alice", "GET", path);
  assert.match(events[0].description, /unregistered/);
  assert.equal((await world.kv.get(rowKeys.runner(id))).value !== null, true);
});

Deno.test("a runner of Semaphore that becomes one of Callboard is one", async () => {
  await using world = await newWorld({ config: ALLOWED });
  const { registrationToken, id } = await newRunner(world);
  await call(world, "POST", { body: { registration_token: registrationToken } });
  const { deps, people, web, kv } = world;
  const scope = await openProject({ deps, actor: people.alice.actor }, web.id, "manage_resources");
  const { token } = await newRegistrationToken(scope, id);
  assert.equal((await register(world, token)).status, 201);
  const { value } = await kv.get<Record<string, unknown>>(rowKeys.runner(id));
  assert.equal(value?.wire, undefined);
});

Deno.test("a job of 2.10 runs from its poll to its success", async () => {
  await using stage = await newStage();
  const { queue, template, poll, put } = stage;
  const id = await queue.start(template);
  const { CurrentJobs, new_jobs: [job], access_keys } = await claim(stage);
  assert.deepEqual(CurrentJobs, []);
  assert.equal(job.task.id, id);
  assert.equal(job.task.status, "starting");
  assert.equal(job.template.app, "ansible");
  assert.equal(job.template.playbook, "site.yml");
  assert.equal(job.inventory.type, "static");
  assert.match(job.inventory.inventory, /localhost/);
  assert.match(job.repository.git_url, /^file:/);
  assert.equal(access_keys[job.repository.ssh_key_id].type, "none");
  // It is answered again until the runner reports it.
  assert.deepEqual((await poll()).body.new_jobs.map((again: typeof job) => again.task.id), [id]);
  // 2.10.32 may report a job just before it has set its first status.
  assert.equal((await put(progress(id, "", []))).status, 204);
  assert.equal((await queue.row(id)).status, "starting");
  const first = await put(progress(id, "running", [record("one"), record("two\r")]));
  assert.equal(first.status, 204);
  assert.equal((await queue.row(id)).status, "running");
  const running = await poll();
  assert.deepEqual(running.body.CurrentJobs, [{ id, status: "running" }]);
  assert.deepEqual(running.body.new_jobs, []);
  // Their runners forget a job with its last report.
  assert.equal((await put(progress(id, "success", [record("three")]))).status, 204);
  const row = await queue.row(id);
  assert.deepEqual([row.status, row.runner_wire], ["success", "semaphore"]);
  assert.deepEqual(await linesOf(queue, id), ["one", "two", "three"]);
  assert.deepEqual((await poll()).body.CurrentJobs, []);
  assert.equal((await put({ Jobs: null })).status, 204);
});

Deno.test("lines keep the runner's time, but are not from the future", async () => {
  await using stage = await newStage();
  const { queue, template, put, world } = stage;
  const id = await queue.start(template);
  await claim(stage);
  const records = [
    record("past", "2024-05-02T09:00:00.5Z"),
    record("future", "2199-01-01T00:00:00Z"),
  ];
  await put(progress(id, "running", records));
  const times: string[] = [];
  for await (const some of readLog(world.kv, id)) times.push(...some.map(({ time }) => time));
  assert.deepEqual(times, ["2024-05-02T09:00:00.500Z", world.clock.now().toISOString()]);
});

Deno.test("2.19 sends records again until they are acknowledged, and they are stored once", async () => {
  await using stage = await newStage();
  const { queue, template, poll219, put219 } = stage;
  const id = await queue.start(template);
  await claim({ poll: poll219 });
  const [a, b, c, d] = ["a", "b", "c", "c"].map((text, n) =>
    record(text, `2024-05-02T10:00:0${n}.000000001Z`)
  );
  await put219(progress(id, "running", [a, b]));
  await put219(progress(id, "running", [a, b, c]));
  await put219(progress(id, "running", [a, b, c]));
  await put219(progress(id, "running", []));
  await put219(progress(id, "running", [d]));
  const commit = { hash: "0123456789abcdef", message: "Second" };
  const last = { ID: id, Status: "success", LogRecords: [d], Commit: commit };
  await put219({ Jobs: [last] });
  assert.deepEqual(await linesOf(queue, id), ["a", "b", "c", "c"]);
  const row = await queue.row(id);
  assert.deepEqual([row.status, row.commit_hash, row.commit_message], [
    "success",
    commit.hash,
    "Second",
  ]);
  // A report whose answer was lost comes again after the end.
  assert.equal((await put219({ Jobs: [last] })).status, 204);
});

Deno.test("an error and a stop of the runner's own end the task", async () => {
  await using stage = await newStage({ allow_parallel_tasks: true });
  const { queue, template, put } = stage;
  const ends = { error: "error", stopped: "stopped" };
  for (const [told, status] of Object.entries(ends)) {
    const id = await queue.start(template);
    await claim(stage);
    await put(progress(id, told, [record("over")]));
    const row = await queue.row(id);
    assert.equal(row.status, status);
    if (told === "error") assert.equal(row.end_reason?.key, "errors.run.semaphore_failed");
    assert.equal((await linesOf(queue, id))[0], "over");
  }
});

Deno.test("a stop reaches the runner with its next poll, a force stop also with its report", async () => {
  await using stage = await newStage();
  const { queue, template, poll219, put219, world } = stage;
  const id = await queue.start(template);
  await claim({ poll: poll219 });
  await put219(progress(id, "running"));
  const path = `/api/project/${world.web.id}/tasks/${id}/stop`;
  await world.api("bob", "POST", path, {});
  assert.deepEqual((await poll219()).body.CurrentJobs, [{ id, status: "stopping" }]);
  assert.equal((await put219(progress(id, "stopping"))).status, 204);
  await world.api("bob", "POST", path, { force: true });
  const forced = await put219(progress(id, "stopping"));
  assert.deepEqual([forced.status, forced.body], [200, { terminated_jobs: [id] }]);
  await put219(progress(id, "stopped", [record("bye")]));
  assert.equal((await queue.row(id)).status, "stopped");
});

Deno.test("a job that was offered may be running, so a stop waits for the runner", async () => {
  await using stage = await newStage();
  const { queue, template, poll, put, world } = stage;
  const id = await queue.start(template);
  await claim(stage);
  await world.api("bob", "POST", `/api/project/${world.web.id}/tasks/${id}/stop`, {});
  assert.deepEqual((await poll()).body.CurrentJobs, [{ id, status: "stopping" }]);
  assert.equal((await put({ Jobs: [] })).status, 204);
  assert.equal((await queue.row(id)).status, "stopping");
  await put(progress(id, "running"));
  await put(progress(id, "stopped"));
  assert.equal((await queue.row(id)).status, "stopped");
});

Deno.test("a job that the runner does not list any more has ended", async () => {
  await using stage = await newStage();
  const { queue, template, put } = stage;
  const id = await queue.start(template);
  await claim(stage);
  await put({ Jobs: null });
  assert.equal((await queue.row(id)).status, "starting");
  await put(progress(id, "running"));
  await put({ Jobs: null });
  const row = await queue.row(id);
  assert.deepEqual([row.status, row.end_reason?.key], ["error", "errors.run.runner_forgot"]);
});

Deno.test("a restart that 2.19 reports ends the jobs of the process before", async () => {
  await using stage = await newStage();
  const { queue, template, poll219, put219, poll } = stage;
  const id = await queue.start(template);
  await claim({ poll: poll219 });
  await put219(progress(id, "running"));
  await poll({ headers: { "X-Runner-Started-At": "2024-05-02T10:05:00Z" } });
  const row = await queue.row(id);
  assert.deepEqual([row.status, row.end_reason?.key], ["error", "errors.run.runner_restarted"]);
  assert.equal((await poll219()).status, 409);
});

Deno.test("a silent runner loses its task, and is told to kill it when it returns", async () => {
  await using stage = await newStage();
  const { queue, template, poll, put, world } = stage;
  const id = await queue.start(template);
  await claim(stage);
  await put(progress(id, "running"));
  await until(async () => {
    world.clock.advance(9_000);
    world.deps.wakeDispatcher();
    return (await queue.row(id)).status === "error";
  });
  assert.equal((await queue.row(id)).end_reason?.key, "errors.run.runner_lost");
  const late = await put(progress(id, "running", [record("late")]));
  assert.deepEqual([late.status, late.body], [200, { terminated_jobs: [id] }]);
  // 2.10 does not read that answer. It kills what it is told to stop.
  assert.deepEqual((await poll()).body.CurrentJobs, [{ id, status: "stopping" }]);
  assert.equal((await put(progress(id, "stopped"))).status, 204);
  assert.deepEqual((await poll()).body.CurrentJobs, []);
  assert.ok(!(await linesOf(queue, id)).includes("late"));
});

Deno.test("a task that takes longer than the server allows is stopped", async () => {
  await using stage = await newStage({ config: { taskTimeLimitMs: 60_000 } });
  const { queue, template, poll, put, world } = stage;
  const id = await queue.start(template);
  await claim(stage);
  await put(progress(id, "running"));
  assert.equal((await poll()).body.CurrentJobs[0].status, "running");
  world.clock.advance(61_000);
  assert.equal((await poll()).body.CurrentJobs[0].status, "stopping");
  await put(progress(id, "stopped"));
  const row = await queue.row(id);
  assert.deepEqual([row.status, row.end_reason?.key], ["error", "errors.run.time_limit"]);
});

Deno.test("a runner gets no more jobs than its slots", async () => {
  await using stage = await newStage({ slots: 1, allow_parallel_tasks: true });
  const { queue, template, poll, put } = stage;
  const [first, second] = [await queue.start(template), await queue.start(template)];
  await claim(stage);
  const { body } = await poll();
  assert.deepEqual(body.new_jobs.map(({ task }: { task: { id: number } }) => task.id), [first]);
  await put(progress(first, "success"));
  const next = await claim(stage);
  assert.deepEqual(next.new_jobs.map(({ task }: { task: { id: number } }) => task.id), [second]);
});

Deno.test("another runner reads and writes nothing of a job, and may be told to kill it", async () => {
  await using stage = await newStage();
  const { queue, template, world, put } = stage;
  const id = await queue.start(template);
  await claim(stage);
  await put(progress(id, "running", [record("mine")]));
  const other = await registered(world);
  const forged = await call(world, "PUT", {
    token: other,
    body: progress(id, "success", [record("forged")]),
  });
  assert.equal(forged.status, 204);
  const running = await call(world, "PUT", {
    token: other,
    body: progress(id, "running", [record("forged")]),
  });
  assert.deepEqual(running.body, { terminated_jobs: [id] });
  assert.equal((await queue.row(id)).status, "running");
  assert.deepEqual(await linesOf(queue, id), ["mine"]);
  assert.deepEqual((await call(world, "GET", { token: other })).body.new_jobs, []);
});

Deno.test("bad bodies are refused as a whole, before anything is stored", async () => {
  await using stage = await newStage();
  const { queue, template, put } = stage;
  const id = await queue.start(template);
  await claim(stage);
  const good = { ID: id, Status: "running", LogRecords: [record("good")] };
  const bad: unknown[] = [
    "{",
    "[]",
    "null",
    { Jobs: [good, { ...good, Status: "exploded" }] },
    { Jobs: [good, { ...good, ID: "1" }] },
    { Jobs: [good, { ...good, ID: -1 }] },
    { Jobs: [good, { ...good, LogRecords: [null] }] },
    { Jobs: [good, { ...good, LogRecords: [record("x", "yesterday")] }] },
    { Jobs: [good, { ...good, LogRecords: [{ time: "2024-05-02T10:00:00Z", message: 7 }] }] },
    { Jobs: Array.from({ length: 1_001 }, () => good) },
  ];
  for (const body of bad) {
    const answer = await put(body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.match(answer.body.error, /^[A-Z][^{}]+\.$|^\S+: [^{}]+$/, "a sentence");
  }
  assert.deepEqual(await linesOf(queue, id), []);
  assert.equal((await queue.row(id)).status, "starting");
  const headers = { "Content-Length": String(33 * 1024 * 1024) };
  assert.equal((await put("{}", { headers })).status, 413);
  // Before the token is known, no body is read.
  assert.equal((await put("{", { token: "x", headers })).status, 404);
});

Deno.test("a preview, and a commit that must be checked, are not for such a runner", async () => {
  await using stage = await newStage();
  const { queue, template } = stage;
  const previews = await queue.makeTemplate({ runner_tag: "dmz", preview_first: true });
  const waiting = {
    preview: await queue.start(previews),
    commit: await queue.start(template, { commit_hash: "ab".repeat(20) }),
  };
  const plain = await queue.start(await queue.makeTemplate({ runner_tag: "dmz" }));
  const { new_jobs: jobs } = await claim(stage);
  assert.deepEqual(jobs.map(({ task: { id } }: { task: { id: number } }) => id), [plain]);
  const { world } = queue;
  for (const [need, id] of Object.entries(waiting)) {
    assert.equal((await queue.row(id)).status, "waiting");
    const path = `/api/project/${world.web.id}/tasks/${id}/wait`;
    const { body: { reason } } = await world.api("alice", "GET", path);
    assert.match(reason, /^No Callboard runner matches\. .* cannot (make previews|check commits)/);
    assert.equal(reason.includes("previews"), need === "preview");
  }
  // Now there is one, which takes them in turn.
  const native = await newTestRunner(world);
  assert.equal((await native.claim()).task_id, waiting.preview);
});

Deno.test("secrets are in the job, and masked in output however it arrives", async () => {
  await using stage = await newStage();
  const { queue, world, put } = stage;
  const secret = "one two\nthree\nfour!";
  const made = await world.api("alice", "POST", `/api/project/${world.web.id}/environment`, {
    name: "Secrets",
    json: '{"plain": "{{ a }}"}',
    env: '{"PLAIN": "1"}',
    secrets: [
      { type: "var", name: "a_var", secret, operation: "create" },
      { type: "env", name: "A_ENV", secret: "swordfish", operation: "create" },
    ],
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const template = await queue.makeTemplate({ runner_tag: "dmz", environment_id: made.body.id });
  const id = await queue.start(template);
  const { new_jobs: [job] } = await claim(stage);
  const vars = JSON.parse(job.environment.json);
  assert.deepEqual([vars.plain, vars.a_var], ["{{ a }}", { __ansible_unsafe: secret }]);
  assert.equal(vars.callboard_vars.task_details.id, id);
  assert.deepEqual(JSON.parse(job.environment.env), { PLAIN: "1", A_ENV: "swordfish" });
  const stored = await world.kv.get(rowKeys.remoteRun(id));
  assert.ok(!Deno.inspect(stored.value, { iterableLimit: Infinity }).includes("swordfish"));
  await put(progress(id, "running", [record("it is swordfish"), record("one two")]));
  // This server has forgotten everything, and the secret is another one by now.
  world.deps.remote.semaphoreRuns.clear();
  await world.api("alice", "PUT", `/api/project/${world.web.id}/environment/${made.body.id}`, {
    ...made.body,
    secrets: made.body.secrets.map((its: object) => ({
      ...its,
      secret: "changed",
      operation: "update",
    })),
  });
  await put(progress(id, "running", [record("one two"), record("three")]));
  await put(progress(id, "running", [record("four! " + "x".repeat(40_000) + "swordfish")]));
  await put(progress(id, "success", [record(btoa("swordfish"))]));
  const lines = await linesOf(queue, id);
  const text = lines.join("\n");
  assert.doesNotMatch(text, /swordfish|three|four!|c3dvcmRmaXNo/);
  assert.match(text, /it is \*\*\*\n/);
  assert.ok(lines.length > 4, "long lines continue in further ones");
});

Deno.test("the task's page says what such a runner cannot provide", async () => {
  await using stage = await newStage();
  const { queue, template, world, put } = stage;
  const id = await queue.start(template);
  await claim(stage);
  await put(progress(id, "success"));
  const { web } = world;
  const page = await world.get("carol", `/project/${web.id}/tasks/${id}`);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /On a Semaphore runner there are no results per host/);
});
