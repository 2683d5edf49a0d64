import assert from "node:assert/strict";
import { paths } from "@/lib/base/paths.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { PROTOCOL_HEADER, RUNNER_ABILITIES } from "@/lib/runner/protocol.ts";
import { createRemote } from "@/lib/queue/remote/remote.ts";
import { listRunResults } from "@/lib/results/service.ts";
import { seenRunners } from "@/lib/runners/presence.ts";
import { openProject } from "@/lib/access/scope.ts";
import { linesOf, newRemoteStage, statusOf } from "@/tests/support/server/remote_stage.ts";
import { FACTS, runnerApi } from "@/tests/support/world/runners.ts";
import { newTestRunner, NOTHING_YET } from "@/tests/support/world/test_runner.ts";
import { play, result, task as playTask } from "@/tests/support/world/reported_task.ts";
import type { World } from "@/tests/support/world/world.ts";
import type { Queue } from "@/tests/support/server/queue.ts";
import { until } from "@/tests/support/basics/until.ts";

const OUTCOME = { end: "success", reason: null } as const;
const STARTED = { ...NOTHING_YET, started: true };

const resultsOf = async ({ world }: Queue, id: number) => {
  const { deps, people, web } = world;
  const scope = await openProject({ deps, actor: people.carol.actor }, web.id);
  return (await listRunResults(scope, id, { limit: 100 })).results;
};

Deno.test("a task with a label runs on a runner that has it, with output and results", async () => {
  const { queue, template, runner } = await newRemoteStage();
  await using _ = queue;
  const polling = runner.claim();
  const id = await queue.start(template);
  const run = await polling;
  assert.equal(run.task_id, id);
  const { plan } = await runner.open(run);
  assert.deepEqual([plan.taskId, plan.playbook], [id, "site.yml"]);
  const events = [play("Web"), playTask("a"), result("a", "web")];
  const state = { ...STARTED, checkout: { hash: "abc", message: "First" } };
  const first = await runner.report(run, { lines: ["one", "two"], events, state });
  assert.deepEqual([first.lines, first.events, first.ended], [2, 3, false]);
  assert.equal(await statusOf(queue, id), "running");
  const outcome = { ...OUTCOME, lines: 3, events: 3 };
  const last = await runner.report(run, {
    lines_from: 2,
    lines: ["three"],
    events_from: 3,
    state: { ...state, outcome },
  });
  assert.deepEqual([last.stored_lines, last.ended], [3, true]);
  const row = await queue.row(id);
  assert.deepEqual(
    [row.status, row.runner_id, row.commit_hash, row.runner_labels],
    ["success", runner.id, "abc", ["dmz"]],
  );
  assert.deepEqual(await linesOf(queue, id), ["one", "two", "three"]);
  assert.deepEqual((await resultsOf(queue, id)).map(({ status }) => status), ["ok"]);
  assert.deepEqual(await runner.report(run, { state: { ...state, outcome } }), {
    lines: 0,
    events: 0,
    stored_lines: 0,
    stop: "gone",
    ended: true,
  });
});

Deno.test("a check of a template runs on the runner that the template requires", async () => {
  const { queue, template, runner, world } = await newRemoteStage();
  await using _ = queue;
  const polling = runner.claim();
  const path = `/api/project/${world.web.id}/templates/${template}/check`;
  const { status, body } = await world.api("bob", "POST", path);
  assert.equal(status, 201);
  const run = await polling;
  assert.equal(run.task_id, body.id);
  const { check, runner_id, runner_labels } = await queue.row(body.id);
  assert.deepEqual([check, runner_id, runner_labels], [true, runner.id, ["dmz"]]);
});

Deno.test("a runner whose task could not begin takes the next one with the same poll", async () => {
  const { queue, template, runner } = await newRemoteStage();
  await using _ = queue;
  const { world } = queue;
  const { body: folder } = await world.api(
    "alice",
    "POST",
    `/api/project/${world.web.id}/repositories`,
    { name: "Folder", git_url: "/srv/playbooks", git_branch: "", ssh_key_id: world.web.keyId },
  );
  const local = await queue.makeTemplate({ runner_tag: "dmz", repository_id: folder.id });
  const polling = runner.claim();
  const failing = await queue.start(local);
  await until(async () => await statusOf(queue, failing) === "error");
  const id = await queue.start(template);
  assert.equal((await polling).task_id, id);
});

Deno.test("a runner of the previous version gets no plan with a secret that it cannot read", async () => {
  const { queue, runner, world } = await newRemoteStage();
  await using _ = queue;
  const source = { type: "env", path: "CALLBOARD_VALUE_WEB" };
  const secret = { operation: "create", type: "var", name: "token", source };
  const path = `/api/project/${world.web.id}/environment`;
  const { body } = await world.api("alice", "POST", path, { name: "Refers", secrets: [secret] });
  const template = await queue.makeTemplate({ runner_tag: "dmz", environment_id: body.id });
  const id = await queue.start(template);
  await until(async () => {
    assert.equal((await runner.poll({ facts: { ...FACTS, abilities: [] } })).run, null);
    return await statusOf(queue, id) === "error";
  });
  assert.equal((await queue.row(id)).end_reason?.key, "errors.run.runner_too_old");
});

Deno.test("a run whose answer was lost is answered again, until the runner lists it", async () => {
  const { queue, template, runner } = await newRemoteStage();
  await using _ = queue;
  const id = await queue.start(template);
  const { run } = await runner.claim();
  const again = await runner.claim();
  assert.equal(again.run, run);
  const listed = { free: 0, runs: [{ task_id: id, run, stop: null }] };
  assert.deepEqual((await runner.poll(listed)).run, null);
  assert.deepEqual((await runner.poll(listed)).stops, []);
});

Deno.test("a repeated report is stored once, and a gap is not stored", async () => {
  const { queue, template, runner } = await newRemoteStage();
  await using _ = queue;
  const id = await queue.start(template);
  const run = await runner.claim();
  const events = [play("Web"), playTask("a"), result("a", "web")];
  const report = { lines: ["one", "two"], events, state: STARTED };
  await runner.report(run, report);
  await Promise.all([runner.report(run, report), runner.report(run, report)]);
  const gap = await runner.report(run, { lines_from: 5, lines: ["six"], events_from: 9, events });
  assert.deepEqual([gap.lines, gap.events], [2, 3]);
  const outcome = { ...OUTCOME, lines: 3, events: 3 };
  const state = { ...STARTED, outcome };
  const early = await runner.report(run, { lines_from: 2, events_from: 3, state });
  assert.equal(early.ended, false);
  await runner.report(run, { lines: ["one", "two", "three"], events, state });
  assert.deepEqual(await linesOf(queue, id), ["one", "two", "three"]);
  assert.equal((await resultsOf(queue, id)).length, 1);
});

Deno.test("a stop and then a force stop reach the runner with its poll", async () => {
  const { queue, template, runner, world } = await newRemoteStage();
  await using _ = queue;
  const id = await queue.start(template);
  const { run } = await runner.claim();
  const polling = runner.poll({
    free: 0,
    runs: [{ task_id: id, run, stop: null }],
    wait_ms: 20_000,
  });
  const path = `/api/project/${world.web.id}/tasks/${id}/stop`;
  await world.api("bob", "POST", path, {});
  assert.deepEqual((await polling).stops, [{ run, stop: "stop" }]);
  const stopped = { free: 0, runs: [{ task_id: id, run, stop: "stop" as const }] };
  const second = runner.poll({ ...stopped, wait_ms: 20_000 });
  await world.api("bob", "POST", path, { force: true });
  assert.deepEqual((await second).stops, [{ run, stop: "force" }]);
  const outcome = { end: "stopped" as const, reason: null, lines: 0, events: 0 };
  await runner.report({ task_id: id, run }, { state: { ...STARTED, outcome } });
  assert.equal(await statusOf(queue, id), "stopped");
  const { stops } = await runner.poll(stopped);
  assert.deepEqual(stops, [{ run, stop: "gone" }]);
});

Deno.test("a server that was killed continues a run where its store ends", async () => {
  const { queue, template, runner, world } = await newRemoteStage();
  await using _ = queue;
  const id = await queue.start(template);
  const run = await runner.claim();
  const events = [play("Web"), playTask("a"), result("a", "web"), result("a", "db")];
  const first = { lines: ["one"], events: events.slice(0, 3), state: STARTED };
  assert.equal((await runner.report(run, first)).stored_lines, 1);
  // All that this process knew is gone. What it has not stored comes again.
  world.deps.remote.runs.clear();
  const known = await runner.report(run, { lines_from: 7, events_from: 7, state: STARTED });
  assert.deepEqual([known.lines, known.events], [1, 0]);
  const outcome = { ...OUTCOME, lines: 2, events: 4 };
  const state = { ...STARTED, outcome };
  await runner.report(run, { lines_from: 1, lines: ["two"], events, state });
  assert.deepEqual(await linesOf(queue, id), ["one", "two"]);
  const found = await resultsOf(queue, id);
  assert.deepEqual(found.map(({ host }) => host).toSorted(), ["db", "web"]);
});

Deno.test("of several servers, one takes the reports of a run, until another takes over", async () => {
  const { queue, template, runner, world } = await newRemoteStage();
  await using _ = queue;
  const id = await queue.start(template);
  const run = await runner.claim();
  await runner.report(run, { lines: ["one"], state: STARTED });
  await until(async () => (await linesOf(queue, id)).length === 1);
  const first = world.deps.remote;
  const body = {
    session: runner.session,
    run: run.run,
    lines_from: 1,
    lines: [[world.clock.now().getTime(), "two"]],
    events_from: 0,
    events: [],
    state: STARTED,
  };
  world.deps.remote = createRemote({ shared: true });
  assert.equal((await runner.send(`tasks/${id}/report`, body)).status, 421);
  const taken = await runner.send(`tasks/${id}/report`, { ...body, take_over: true });
  assert.equal(taken.status, 200);
  world.deps.remote = Object.assign(first, { shared: true });
  assert.equal((await runner.send(`tasks/${id}/report`, body)).status, 421);
  await until(async () => (await linesOf(queue, id)).length === 2);
  assert.deepEqual(await linesOf(queue, id), ["one", "two"]);
});

Deno.test("a task of a silent runner ends once, and its report is gone", async () => {
  const { queue, template, runner, world } = await newRemoteStage();
  await using _ = queue;
  const id = await queue.start(template);
  const run = await runner.claim();
  await runner.report(run, { state: STARTED });
  world.clock.advance(590_000);
  world.deps.wakeDispatcher();
  await until(async () => {
    world.clock.advance(9_000);
    world.deps.wakeDispatcher();
    return await statusOf(queue, id) === "error";
  });
  const row = await queue.row(id);
  assert.deepEqual([row.status, row.end_reason?.key], ["error", "errors.run.runner_lost"]);
  assert.equal((await runner.report(run, { lines: ["late"], state: STARTED })).stop, "gone");
});

Deno.test("a restarted runner ends the run that it does not know", async () => {
  const { queue, template, runner } = await newRemoteStage();
  await using _ = queue;
  const id = await queue.start(template);
  const run = await runner.claim();
  await runner.report(run, { lines: ["one"], state: STARTED });
  await runner.restarted().poll();
  const row = await queue.row(id);
  assert.deepEqual([row.status, row.end_reason?.key], ["error", "errors.run.runner_restarted"]);
  await assert.rejects(runner.poll(), { actual: 409 });
  assert.equal((await runner.report(run)).stop, "gone");
});

Deno.test("a runner that loses its token loses its tasks", async () => {
  const { queue, template, runner, world } = await newRemoteStage();
  await using _ = queue;
  const id = await queue.start(template);
  await runner.claim();
  await world.kv.atomic().delete(rowKeys.runner(runner.id))
    .set(rowKeys.runnersStamp(), runner.id).commit();
  world.deps.wakeDispatcher();
  await until(async () => await statusOf(queue, id) === "error");
  assert.equal((await queue.row(id)).end_reason?.key, "errors.run.runner_revoked");
});

Deno.test("a confirmed task runs where its preview ran", async () => {
  const { queue, template, runner, world } = await newRemoteStage({ preview_first: true });
  await using _ = queue;
  const other = await newTestRunner(world);
  const id = await queue.start(template);
  const preview = await runner.claim();
  assert.equal((await runner.open(preview)).plan.dryRun, true);
  const events = [play("Web"), playTask("a"), result("a", "web", { changed: true })];
  const outcome = { ...OUTCOME, lines: 1, events: 3 };
  const state = { ...STARTED, checkout: { hash: "abc", message: "" }, outcome };
  await runner.report(preview, { lines: ["previewed"], events, state });
  assert.equal(await statusOf(queue, id), "waiting_confirmation");
  await world.api("bob", "POST", `/api/project/${world.web.id}/tasks/${id}/confirm`, {});
  assert.equal((await other.poll({ wait_ms: 300 })).run, null);
  const run = await runner.claim();
  assert.notEqual(run.run, preview.run);
  await runner.report(run, {
    lines: ["done"],
    state: { ...STARTED, outcome: { ...OUTCOME, lines: 1, events: 0 } },
  });
  assert.equal(await statusOf(queue, id), "success");
  assert.equal((await linesOf(queue, id)).at(-1), "done");
});

Deno.test("a runner sees neither other projects' tasks nor those of other runners", async () => {
  const { queue, template, runner, world } = await newRemoteStage();
  await using _ = queue;
  const foreign = await newTestRunner(world, { project_id: world.lab.id });
  const id = await queue.start(template);
  assert.equal((await foreign.poll({ wait_ms: 200 })).run, null);
  const run = await runner.claim();
  assert.equal((await foreign.report(run, { lines: ["forged"] })).stop, "gone");
  const stolen = { session: runner.session, run: run.run };
  assert.equal((await foreign.report(run, stolen)).stop, "gone");
  assert.deepEqual(await linesOf(queue, id), []);
  await assert.rejects(foreign.open(run));
});

Deno.test("secrets of a plan are neither in the answer nor in a row", async () => {
  const { queue, template, runner, world } = await newRemoteStage();
  await using _ = queue;
  await queue.start(template);
  const run = await runner.claim();
  const opened = await runner.open(run);
  assert.equal(opened.kind, "playbook");
  assert.ok(!JSON.stringify(run).includes("site.yml"));
  const stored = await world.kv.get(rowKeys.remoteRun(run.task_id));
  assert.deepEqual(Object.keys(stored.value as object).toSorted(), [
    "begun",
    "lines_before",
    "run",
    "runner_id",
    "server",
    "session",
  ]);
});

/** Reads the hosts of an inventory through the API. */
const testHosts = ({ api, web }: World, inventory: number) =>
  api("alice", "GET", `/api/project/${web.id}/inventory/${inventory}/hosts`);

Deno.test("a connection test runs on a runner with the inventory's labels", async () => {
  const { queue, runner, world } = await newRemoteStage();
  await using _ = queue;
  const path = `/api/project/${world.web.id}/inventory`;
  const { body: inventory } = await world.api("alice", "POST", path, {
    name: "Far away",
    type: "static",
    inventory: "web",
    runner_tag: "dmz",
  });
  const refused = await testHosts(world, inventory.id);
  assert.equal(refused.status, 422, JSON.stringify(refused.body));
  const polling = runner.poll({ free: 0, wait_ms: 20_000 });
  await until(async () => (await seenRunners(world.kv)).has(runner.id));
  const asked = testHosts(world, inventory.id);
  const { check } = await polling;
  assert.ok(check);
  const opened = await runner.openCheck(check);
  assert.equal(opened.kind === "hosts" && opened.inventory.content, "web");
  const answer = { groups: [{ name: "all", hosts: ["web"] }], hosts: 1, warnings: [] };
  const sent = await runner.send(`checks/${check.check}`, { answer, failure: null });
  assert.equal(sent.status, 200);
  const { status, body } = await asked;
  assert.deepEqual([status, body.hosts], [200, 1]);
});

Deno.test("choices of a file are read by a runner with the template's labels", async () => {
  const { queue, template, runner, world } = await newRemoteStage();
  await using _ = queue;
  const path = `/api/project/${world.web.id}/templates/${template}`;
  const { body: stored } = await world.api("alice", "GET", path);
  const choices_from = { source: "file", path: "zones.yml" };
  const survey_vars = [{ name: "zone", title: "Zone", type: "enum", choices_from }];
  const saved = await world.api("alice", "PUT", path, { ...stored, survey_vars });
  assert.equal(saved.status, 204, JSON.stringify(saved.body));
  const polling = runner.poll({ free: 0, wait_ms: 20_000 });
  await until(async () => (await seenRunners(world.kv)).has(runner.id));
  const asked = world.api("bob", "GET", `${path}/choices`);
  const { check } = await polling;
  assert.ok(check);
  const opened = await runner.openCheck(check);
  assert.deepEqual(opened.kind === "files" && opened.paths, ["zones.yml"]);
  const answer = { commit: "abc", files: [{ path: "zones.yml", text: '["a", "b"]' }] };
  await runner.send(`checks/${check.check}`, { answer, failure: null });
  const { body } = await asked;
  assert.deepEqual(body[0].choices.map(({ value }: { value: string }) => value), ["a", "b"]);
});

Deno.test("a task waits for a runner that is too old, and starts once it was updated", async () => {
  const { queue, template, runner, world } = await newRemoteStage();
  await using _ = queue;
  const { id: runnerId, token, session, claim } = runner;
  const id = await queue.start(template);
  const old = await runnerApi(world, "/api/runner/poll", {
    token,
    headers: { [PROTOCOL_HEADER]: "99" },
    body: { session, facts: FACTS, free: 1, runs: [], wait_ms: 0 },
  });
  assert.equal(old.status, 426, JSON.stringify(old.body));
  const path = `/api/project/${world.web.id}/tasks/${id}/wait`;
  const { body: { reason } } = await world.api("alice", "GET", path);
  assert.equal(reason, `dmz-${runnerId} must be updated`);
  assert.equal((await claim()).task_id, id);
});

Deno.test("a task waits for a runner with podman, says so, and starts once it needs none", async () => {
  const { queue, world, runner } = await newRemoteStage();
  await using _ = queue;
  const base = `/api/project/${world.web.id}/toolchains`;
  const boxed = { name: "Boxed", kind: "image", image: "example.com/ansible:2.19" };
  const { body: { id: toolchain_id } } = await world.api("mike", "POST", base, boxed);
  const template = await queue.makeTemplate({ runner_tag: "dmz", toolchain_id });
  const tools = { pythons: ["3.11"], uv: null, podman: null };
  const facts = { ...FACTS, abilities: [...RUNNER_ABILITIES], tools };
  const polling = runner.poll({ facts, wait_ms: 20_000 });
  await until(async () =>
    (await world.api("erin", "GET", "/api/runners")).body[0].pythons !== null
  );
  const id = await queue.start(template);
  const page = paths.task(world.web.id, template, id);
  const html = await (await world.get("bob", page)).text();
  assert.ok(html.includes("No runner with the label dmz has podman"));
  const built = { name: "Built", ansible_core: "2.16", python: "3.11" };
  assert.equal((await world.api("mike", "PUT", `${base}/${toolchain_id}`, built)).status, 204);
  const { run } = await polling;
  assert.equal(run?.task_id, id);
});
