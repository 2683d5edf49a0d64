import assert from "node:assert/strict";
import { EPOCH, play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Creates a finished task with two hosts, and returns what Carol can read of it. */
async function endedRun(world: World) {
  const run = await reportedTask(world);
  await run.report(
    play("Web servers"),
    task("a", EPOCH, 3),
    result("a", "web", { status: "changed", diff: "-a\n+b", lines: { from: 4, to: 5 } }),
    result("a", "db", { status: "failed", message: "no space left" }),
    task("b", EPOCH + 1_000),
    result("b", "web", {
      began: EPOCH + 1_000,
      ended: EPOCH + 3_500,
      items: [1, 0, 1, 0],
      itemResults: [{ status: "failed", label: "two", message: "no" }],
      status: "ignored",
      delegatedTo: "db",
    }),
  );
  await run.end();
  return (path: string) => world.api("carol", "GET", `${run.path}${path}`);
}

Deno.test("clients read Ansible's recap of each host, and the plays, page by page", async () => {
  await using world = await newWorld();
  const get = await endedRun(world);
  const hosts = await get("/hosts");
  assert.equal(hosts.headers.get("x-has-next"), "false");
  assert.deepEqual(hosts.body[0], {
    id: 1,
    name: "web",
    status: "changed",
    ok: 2,
    changed: 1,
    unreachable: 0,
    failed: 0,
    skipped: 0,
    rescued: 0,
    ignored: 1,
    carried_out: 0,
    start: "2026-01-01T00:00:00.000Z",
    end: "2026-01-01T00:00:03.500Z",
    duration_ms: 2_600,
    reason: null,
  });
  const [, db] = hosts.body;
  assert.deepEqual(db.reason, {
    ...{ subject: "", step: "Task a", message: "no space left", more: 0, place: null, line: null },
  });
  const names = ({ body }: { body: { name: string }[] }) => body.map(({ name }) => name);
  assert.deepEqual(names(await get("/hosts?status=failed,unreachable")), ["db"]);
  assert.deepEqual(names(await get("/hosts?after=1")), ["db"]);
  const first = await get("/hosts?limit=1");
  assert.deepEqual([names(first), first.headers.get("x-has-next")], [["web"], "true"]);

  const [web] = (await get("/plays")).body;
  assert.deepEqual([web.name, web.tasks.length], ["Web servers", 2]);
  assert.deepEqual(web.tasks[0].counts, { changed: 1, failed: 1 });
  assert.deepEqual(web.tasks[1].slowest, { host_id: 1, host: "web", duration_ms: 2_500 });
  assert.deepEqual([web.tasks[0].line, web.tasks[0].last_line], [3, 5]);

  assert.equal((await get("/hosts?status=ignored")).status, 400);
});

Deno.test("clients read results, all of them or some, page by page", async () => {
  await using world = await newWorld();
  const get = await endedRun(world);
  const all = await get("/results?limit=2");
  assert.deepEqual([all.body.length, all.headers.get("x-has-next")], [2, "true"]);
  const rest = await get(`/results?after=${all.body[1].id}`);
  assert.deepEqual([rest.body.length, rest.headers.get("x-has-next")], [1, "false"]);
  assert.deepEqual(rest.body[0], {
    id: 200_001,
    play_task_id: 2,
    play_task: "Task b",
    host_id: 1,
    host: "web",
    status: "ignored",
    changed: false,
    unchecked: false,
    carried_out: false,
    start: "2026-01-01T00:00:01.000Z",
    duration_ms: 2_500,
    line: null,
    last_line: null,
    hidden: false,
    message: "",
    delegated_to: "db",
    items: { ok: 1, changed: 0, failed: 1, skipped: 0 },
    item_results: [{ status: "failed", label: "two", message: "no" }],
    diff: null,
    diff_size: 0,
  });
  assert.equal(all.body[0].diff, "-a\n+b");
  const ids = async (query: string) =>
    (await get(`/results${query}`)).body.map(({ id }: { id: number }) => id);
  assert.deepEqual(await ids("?host=web"), [100_001, 200_001]);
  assert.deepEqual(await ids("?host=web&play_task=2"), [200_001]);
  assert.deepEqual(await ids("?status=failed"), [100_002]);
  assert.deepEqual(await ids("?host=nobody"), []);
  assert.equal((await get("/results?status=fine")).status, 400);
});

Deno.test("clients of newer Semaphore servers read hosts and errors", async () => {
  await using world = await newWorld();
  const get = await endedRun(world);
  const [web] = (await get("/ansible/hosts")).body;
  const { task_id } = web;
  assert.deepEqual(web, {
    id: 1,
    task_id,
    project_id: world.web.id,
    host: "web",
    changed: 1,
    failed: 0,
    ignored: 1,
    ok: 2,
    rescued: 0,
    skipped: 0,
    unreachable: 0,
    created: "2026-01-01T00:00:03.500Z",
  });
  assert.deepEqual((await get("/ansible/errors")).body, [{
    id: 100_002,
    task_id,
    project_id: world.web.id,
    host: "db",
    task: "Task a",
    error: "no space left",
    created: "2026-01-01T00:00:00.100Z",
  }]);
});

Deno.test("clients read all that a module answered, of one result", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  const full = {
    value: { rc: 1, stdout: "a…" },
    shortened: [{ path: ["stdout"], length: 20_000 }],
  };
  await run.report(play("Web servers"), task("a"), result("a", "web", { status: "failed", full }));
  await run.end();
  const get = (path: string) => world.api("carol", "GET", `${run.path}${path}`);
  const [listed] = (await get("/results")).body;
  const { body } = await get(`/results/${listed.id}`);
  assert.deepEqual(body, { ...listed, result: full.value, shortened: full.shortened });
  assert.equal((await get("/results/999999")).status, 404);
});

Deno.test("a task that reported nothing has no results, and that is not an error", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  await run.end();
  for (const path of ["/hosts", "/plays", "/results"]) {
    const { status, body } = await world.api("carol", "GET", `${run.path}${path}`);
    assert.deepEqual([status, body], [200, []], path);
  }
});
