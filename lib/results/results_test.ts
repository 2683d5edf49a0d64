import assert from "node:assert/strict";
import { EPOCH, play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { countingReads } from "@/tests/support/basics/counting_reads.ts";
import { HOSTS, largeRun, TASKS } from "@/tests/support/world/large_run.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import { createRelay } from "../live/relay.ts";
import type { LiveMessage } from "../base/hub.ts";
import { until } from "@/tests/support/basics/until.ts";
import { rowKeys } from "../store/keys.ts";
import { createLogWriter, openLog } from "../output/writer.ts";
import { worstFirst } from "./statuses.ts";
import {
  findRunLine,
  findRunResult,
  getRunResults,
  listRunHosts,
  listRunPlays,
  listRunResults,
  readRunMatrix,
} from "./service.ts";
import { listRunChanges } from "./changes.ts";
import { createResultWriter } from "./writer.ts";

/** Returns the bytes and rows of the task's results, with values as the store holds them. */
async function sizeOf(world: World, taskId: number) {
  let [rows, bytes] = [0, 0];
  const { serialize } = await import("node:v8");
  for await (const { value } of world.kv.list({ prefix: rowKeys.taskResults(taskId) })) {
    const size = serialize(value).length;
    assert.ok(size < 64 * 1024, `${size} bytes`);
    [rows, bytes] = [rows + 1, bytes + size];
  }
  return { rows, bytes };
}

Deno.test("500 hosts x 200 tasks take less than 10 MB, and a page reads little of them", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  for (const event of largeRun()) await run.report(event);
  await run.end();
  const { rows, bytes } = await sizeOf(world, run.id);
  assert.ok(bytes < 3_000_000, `${bytes} bytes in ${rows} rows`);
  const { kv, read } = countingReads(world.kv);
  const scope = { ...await run.scope(), deps: { ...world.deps, kv } };
  const cost = async <T>(rowsMax: number, ask: () => Promise<T>): Promise<T> => {
    read.rows = 0;
    const answer = await ask();
    assert.ok(read.rows <= rowsMax, `${read.rows} of ${rows} rows, not ${rowsMax}`);
    return answer;
  };
  const { hosts } = await cost(16, () => listRunHosts(scope, run.id));
  assert.equal(hosts.length, HOSTS);
  assert.equal(worstFirst(hosts)[0].name, "host-77.example.com");
  const [{ tasks }] = await cost(24, () => listRunPlays(scope, run.id));
  assert.equal(tasks.length, TASKS);
  const ofHost = await cost(
    60,
    () => listRunResults(scope, run.id, { host: "host-77.example.com", limit: 500 }),
  );
  assert.equal(ofHost.results.length, TASKS);
  const ofTask = await cost(
    70,
    () => listRunResults(scope, run.id, { playTask: 3, limit: 100 }),
  );
  assert.equal(ofTask.results.length, 100);
  assert.equal(ofTask.hasNext, true);
  const failed = await cost(
    80,
    () => listRunResults(scope, run.id, { statuses: ["failed"], limit: 20 }),
  );
  assert.deepEqual(failed.results.map(({ host_id }) => host_id), Array(20).fill(77));
  assert.match(failed.results[0].message, /^It failed on host 77 at 151/);
  const window = { playTasks: [1, 2, 3, 150, 151], hosts: [77, 78, 400] };
  const matrix = await cost(3, () => readRunMatrix(scope, run.id, window));
  assert.deepEqual(matrix, ["oooof", "ooooo", "oooco"]);
  const { changes, next } = await cost(60, () => listRunChanges(scope, run.id, { limit: 50 }));
  assert.equal(changes.length, 50);
  assert.equal(changes[0].host_ids.length, HOSTS / 10);
  assert.match(changes[0].diff, /^--- a/);
  const more = await listRunChanges(scope, run.id, { after: next!, limit: 200 });
  assert.equal(more.changes.length, TASKS - 50);
});

Deno.test("a result has its lines, and a line has its Ansible task and host", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  await run.report(
    play("First"),
    task("a", EPOCH, 3),
    result("a", "web", { lines: { from: 4, to: 4 } }),
    result("a", "db", { lines: { from: 5, to: 8 } }),
    task("b", EPOCH, 10),
    { type: "line", uuid: "b", host: "web", lines: { from: 11, to: 11 } },
    { type: "line", uuid: "b", host: "db", lines: { from: 12, to: 12 } },
    { type: "line", uuid: "b", host: "web", lines: { from: 13, to: 14 } },
    result("b", "web", { lines: null, items: [3, 0, 0, 0] }),
  );
  await run.flush();
  const scope = await run.scope();
  const { results } = await listRunResults(scope, run.id, { limit: 10 });
  assert.deepEqual(
    results.map(({ host, line, last_line }) => [host, line, last_line]),
    [["web", 4, 4], ["db", 5, 8], ["web", 11, 14]],
  );
  assert.deepEqual(results[2].items, { ok: 3, changed: 0, failed: 0, skipped: 0 });
  const placeOf = async (line: number) => {
    const place = await findRunLine(scope, run.id, line);
    return place && [place.play_id, place.play_task_id, place.host_id];
  };
  assert.deepEqual(await placeOf(3), [1, 1, null]);
  assert.deepEqual(await placeOf(7), [1, 1, 2]);
  assert.deepEqual(await placeOf(11), [1, 2, 1]);
  assert.equal(await placeOf(1), null);
  assert.equal((await findRunResult(scope, run.id, results[1].id))?.host, "db");
  assert.equal(await findRunResult(scope, run.id, 999_999), null);
});

Deno.test("an Ansible task has one row if hosts do not wait for each other, and another one if it runs again", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  await run.report(
    play("Free", true),
    task("a"),
    result("a", "web"),
    task("b"),
    task("a"),
    result("a", "db"),
    result("a", "web"),
    play("Next"),
    task("a"),
    result("a", "web"),
    result("unknown", "web"),
  );
  await run.end();
  const plays = await listRunPlays(await run.scope(), run.id);
  assert.deepEqual(
    plays.map(({ name, tasks }) => [name, ...tasks.map(({ uuid, counts }) => [uuid, counts.ok])]),
    [["Free", ["a", 2], ["b", undefined], ["a", 1]], ["Next", ["a", 1], ["unknown", 1]]],
  );
});

Deno.test("results are stored while the task runs, and pages are notified", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  await run.report(play("Live"), task("a"), result("a", "web", { status: "changed" }));
  await run.flush();
  const told = world.messages.filter(({ type }) => type === "results");
  assert.deepEqual(told, [{ type: "results", project_id: world.web.id, task_id: run.id }]);
  const scope = await run.scope();
  const before = await getRunResults(scope, run.id);
  assert.deepEqual([before!.results, before!.complete, before!.counts], [1, false, { changed: 1 }]);
  await run.report(result("a", "db"), { type: "end", at: EPOCH + 5_000, lost: 2 });
  await run.end();
  const after = await getRunResults(scope, run.id);
  assert.deepEqual([after!.results, after!.complete, after!.lost], [2, true, 2]);
  assert.equal(after!.end, new Date(EPOCH + 5_000).toISOString());
});

Deno.test("other servers that share the store are notified of results, too", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  const messages: LiveMessage[] = [];
  const unsubscribe = createRelay(world.deps).subscribe((message) => messages.push(message));
  const told = () => messages.filter(({ type }) => type === "results").length;
  await run.report(play("Shared"));
  await until(async () => {
    await run.report(task("a"));
    await run.flush();
    return told() > 0;
  });
  await run.end();
  unsubscribe();
});

Deno.test("a server that lost the task stores no more results, and stored ones stay", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  await run.report(play("Lost"), task("a"), result("a", "web"));
  await run.flush();
  const target = { ...world.deps, projectId: world.web.id, taskId: run.id };
  const other = await openLog(target);
  await other.write("taken over");
  await other.flush();
  await run.report(result("a", "db"));
  await assert.rejects(run.flush(), /lease_lost/);
  const { hosts } = await listRunHosts(await run.scope(), run.id);
  assert.deepEqual(hosts.map(({ name }) => name), ["web"]);
});

Deno.test("results and the lines of the same moment are stored in one commit", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  await run.output.write("ok: [web]");
  await run.report(play("Together"), task("a"), result("a", "web"));
  await run.flush();
  const [log, chunk, results] = await world.kv.getMany([
    rowKeys.taskLogHead(run.id),
    rowKeys.taskLogChunk(run.id, 1),
    rowKeys.taskResultHead(run.id),
  ]);
  assert.ok(log.versionstamp);
  assert.deepEqual(
    [chunk.versionstamp, results.versionstamp],
    [log.versionstamp, log.versionstamp],
  );
});

Deno.test("a result that the store refuses affects neither the output nor the play", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  const broken = createResultWriter({
    ...world.deps,
    projectId: world.web.id,
    taskId: run.id,
    output: {
      ...run.output,
      storeWith: (add) =>
        run.output.storeWith((op) => {
          add(op);
          op.set(["task_results", run.id, "texts", 1], new Uint8Array(70_000));
        }),
    },
  });
  await broken.take(play("Broken"));
  await broken.take(result("a", "web"));
  await run.output.write("beside it");
  await broken.flush();
  assert.ok(world.log.some(({ event }) => event === "results_lost"));
  await run.output.write("still here");
  await run.output.flush();
  const { body } = await world.api("bob", "GET", `${run.path}/raw_output`);
  assert.equal(body, "beside it\nstill here\n");
});

Deno.test("deleting a task deletes all its results", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  await run.report(play("Gone"), task("a"), result("a", "web", { message: "said", diff: "-a" }));
  await run.end();
  assert.ok((await sizeOf(world, run.id)).rows > 5);
  assert.equal((await world.api("erin", "DELETE", run.path)).status, 204);
  assert.equal((await sizeOf(world, run.id)).rows, 0);
  assert.equal((await world.kv.get(rowKeys.taskResultHead(run.id))).value, null);
});

Deno.test("no number of hosts, tasks or texts makes a row too large", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  const noise = (n: number) =>
    Array.from(crypto.getRandomValues(new Uint8Array(n)), (byte) => `${byte}é`).join("");
  await run.report(play("Wide"), task("a"));
  for (let h = 0; h < 10_050; h++) {
    const message = h < 200 ? noise(900) : "";
    await run.report(result("a", `${"h".repeat(200)}${h}`, { status: "changed", message }));
  }
  const items = Array.from(
    { length: 50 },
    () => ({ status: "failed", label: "\x01".repeat(200), message: "\x01".repeat(500) }) as const,
  );
  await run.report(
    task("b"),
    result("b", `${"h".repeat(200)}1`, { message: "m", itemResults: items }),
  );
  await run.end();
  await sizeOf(world, run.id);
  const scope = await run.scope();
  const about = await getRunResults(scope, run.id);
  assert.deepEqual([about!.hosts, about!.lost], [10_000, 50]);
  const [change] = (await listRunChanges(scope, run.id, { limit: 1 })).changes;
  assert.deepEqual([change.host_ids.length, change.more], [5_000, 5_000]);
  const { results } = await listRunResults(scope, run.id, { playTask: 2, limit: 10 });
  assert.deepEqual(results.map(({ message, item_results }) => [message, item_results.length]), [
    ["m", 0],
  ]);
});

Deno.test("lines count from the beginning of the output of ansible-playbook", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  const output = createLogWriter({ ...world.deps, projectId: world.web.id, taskId: run.id });
  for (let n = 0; n < 10; n++) await output.write("cloning");
  await output.flush();
  const results = createResultWriter({
    ...world.deps,
    projectId: world.web.id,
    taskId: run.id,
    output,
    linesBefore: output.head.lines,
  });
  await results.take(play("Again"));
  await results.take(result("a", "web", { lines: { from: 2, to: 3 } }));
  await results.flush();
  const { results: [found] } = await listRunResults(await run.scope(), run.id, { limit: 1 });
  assert.deepEqual([found.line, found.last_line], [12, 13]);
});

Deno.test("a page reads only what it shows of widely spread results, and does not block others", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  const [tasks, hosts] = [3_000, 3_000];
  await run.report(play("Sparse"));
  for (let n = 0; n < tasks; n++) {
    await run.report(task(`t${n}`), result(`t${n}`, `host-${n % hosts}`, { status: "changed" }));
  }
  await run.end();
  const { kv, read } = countingReads(world.kv);
  const scope = { ...await run.scope(), deps: { ...world.deps, kv } };
  const { results } = await listRunResults(scope, run.id, { limit: 10 });
  assert.deepEqual(
    results.map(({ host }) => host),
    Array.from({ length: 10 }, (_, n) => `host-${n}`),
  );
  const [ofTasks, ofHosts] = [tasks / 32 + 1, hosts / 32 + 1];
  assert.ok(read.rows < 2 * ofTasks + 2 * ofHosts, `${read.rows} rows`);
  let [longest, last] = [0, performance.now()];
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  const { results: late } = await listRunResults(scope, run.id, {
    after: results[9].id + 2_900 * 100_000,
    limit: 10,
  });
  assert.equal(late.length, 10);
  await findRunLine(scope, run.id, 5);
  clearInterval(timer);
  assert.ok(longest < 150, `nothing else ran for ${longest} ms`);
});
