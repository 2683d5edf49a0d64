import { openProject } from "@/lib/access/scope.ts";
import assert from "node:assert/strict";
import { listEvents } from "@/lib/events/service.ts";
import { keyForm } from "@/lib/resources/keys/schema.ts";
import { keyService } from "@/lib/resources/keys/service.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import type { Atomic } from "@/lib/store/store.ts";
import { retentionWorker, sweepPast } from "@/lib/maintenance/retention/sweep.ts";
import { startJobs } from "@/lib/jobs/engine.ts";
import type { JobRow } from "@/lib/jobs/rows.ts";
import { sleep } from "@/lib/base/time/pause.ts";
import { noteRemoval } from "@/lib/maintenance/retention/progress.ts";
import { getTasks } from "@/lib/model/tasks.ts";
import { writeHistory } from "@/tests/support/world/history.ts";
import { addTemplates } from "@/tests/support/world/many_templates.ts";
import { getLogHead } from "@/lib/output/store.ts";
import { createLogWriter } from "@/lib/output/writer.ts";
import { newApproval } from "@/lib/tasks/approval.ts";
import { packHosts, storeHosts } from "@/lib/tasks/host_store.ts";
import { storeOutputs } from "@/lib/tasks/outputs.ts";
import { advance, amendTask } from "@/lib/tasks/steps.ts";
import { startTask } from "@/lib/queue/start/start.ts";
import { parseStart } from "@/lib/tasks/start_form.ts";
import type { EventRow } from "@/lib/events/schema.ts";
import type { Status } from "@/lib/model/status.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const DAY_MS = 86_400_000;

const listOf = ({ web }: World) => `/api/project/${web.id}/templates`;

/** Creates tasks of the web project's template, a day apart, each with a line of output. */
async function runTasks(world: World, ...ends: (Status | "open")[]): Promise<number[]> {
  const ids: number[] = [];
  for (const end of ends) {
    const { id } = await startTask(
      await openProject(
        { deps: world.deps, actor: world.people.bob.actor },
        world.web.id,
        "run_tasks",
      ),
      parseStart({
        template_id: world.deploy.id,
      }),
    );
    ids.push(id);
    const task = { id, project_id: world.web.id };
    const { kv, hub, clock } = world.deps;
    const writer = createLogWriter({ kv, hub, clock, projectId: world.web.id, taskId: id });
    writer.write("a line");
    await writer.flush();
    const step = (to: Status, action: string) => {
      world.clock.advance(60_000);
      return advance(kv, task, to, {}, { records: { clock, action } });
    };
    await step("starting", "starting");
    await step("running", "running");
    if (end !== "open") await step(end, `finished_${end}`);
    world.clock.advance(DAY_MS);
  }
  return ids;
}

/** Gives a task an output, a vote, and the hosts of a retry of another task. */
async function addToHistory({ kv, web, people }: World, id: number) {
  const retry_of = { task_id: 999, hosts: 1, of: 2 };
  const task = { id, project_id: web.id, retry_of };
  await amendTask(kv, task, { retry_of, approval: newApproval() });
  const op = kv.atomic().set(rowKeys.taskVote(web.id, id, people.bob.id), {});
  storeOutputs(op, task, new Map([["version", "1"]]));
  storeHosts(op, task, packHosts(["web1"]));
  await op.commit();
}

async function idsOf(world: World): Promise<number[]> {
  const rows = await Array.fromAsync(world.kv.list({ prefix: rowKeys.tasks(world.web.id) }));
  return rows.map(({ key }) => key[2] as number);
}

async function limit(world: World, max_tasks_per_template: number, max_age_days: number) {
  const form = { name: "Web shop", retention: { max_tasks_per_template, max_age_days } };
  const { status } = await world.api("alice", "PUT", `/api/project/${world.web.id}`, form);
  assert.equal(status, 204);
}

const serverLimits = (tasksPerTemplate: number, taskDays = 0, eventDays = 0) => ({
  config: { retention: { tasksPerTemplate, taskDays, eventDays } },
});

Deno.test("without limits everything is kept", async () => {
  await using world = await newWorld();
  const ids = await runTasks(world, "success", "error", "success");
  world.clock.advance(5000 * DAY_MS);
  assert.deepEqual(await sweepPast(world.deps), { tasks: 0, runs: 0, events: 0 });
  assert.deepEqual(await idsOf(world), ids);
});

Deno.test("the latest tasks of each template are kept; others go with their output", async () => {
  await using world = await newWorld(serverLimits(2));
  const ids = await runTasks(world, "success", "error", "success", "success");
  assert.equal((await sweepPast(world.deps)).tasks, 2);
  assert.deepEqual(await idsOf(world), ids.slice(2));
  assert.equal((await getLogHead(world.kv, ids[0])).lines, 0);
  assert.equal((await getLogHead(world.kv, ids[3])).lines, 1);
  assert.equal((await sweepPast(world.deps)).tasks, 0);
});

Deno.test("a project whose history cannot be removed does not keep that of others", async () => {
  await using world = await newWorld(serverLimits(0, 0, 1));
  const { kv, web, lab, clock, deps } = world;
  clock.advance(2 * DAY_MS);
  const events = rowKeys.events(lab.id);
  assert.notEqual((await Array.fromAsync(kv.list({ prefix: events }))).length, 0);
  const list = kv.list.bind(kv);
  const ofWeb = String(rowKeys.events(web.id));
  kv.list = ((selector, options) => {
    if ("prefix" in selector && String(selector.prefix) === ofWeb) throw new Error("unreadable");
    return list(selector, options);
  }) as typeof kv.list;
  await assert.rejects(sweepPast(deps), /unreadable/);
  assert.deepEqual(await Array.fromAsync(kv.list({ prefix: events })), []);
});

Deno.test("a task without an end is never touched, nor the latest one, however old", async () => {
  await using world = await newWorld(serverLimits(1, 1));
  const [open, , newest] = await runTasks(world, "open", "success", "success");
  world.clock.advance(400 * DAY_MS);
  assert.equal((await sweepPast(world.deps)).tasks, 1);
  assert.deepEqual(await idsOf(world), [open, newest]);
});

Deno.test("the latest successful build stays: a deploy may still want it", async () => {
  await using world = await newWorld(serverLimits(1));
  const entry = await world.kv.get<object>(
    rowKeys.resource("templates", world.web.id, world.deploy.id),
  );
  await world.kv.set(entry.key, { ...entry.value, type: "build", start_version: "1" });
  const ids = await runTasks(world, "success", "success", "error", "error");
  await sweepPast(world.deps);
  assert.deepEqual(await idsOf(world), [ids[1], ids[3]]);
});

Deno.test("a project may keep less than the server, not more", async () => {
  await using world = await newWorld(serverLimits(3));
  const ids = await runTasks(world, "success", "success", "success", "success", "success");
  await limit(world, 100, 0);
  await sweepPast(world.deps);
  assert.deepEqual(await idsOf(world), ids.slice(2));
  await limit(world, 2, 0);
  await sweepPast(world.deps);
  assert.deepEqual(await idsOf(world), ids.slice(3));
  await limit(world, 0, 1);
  world.clock.advance(DAY_MS);
  await sweepPast(world.deps);
  assert.deepEqual(await idsOf(world), ids.slice(4));
});

Deno.test("a client that does not know the limits keeps them", async () => {
  await using world = await newWorld();
  await limit(world, 5, 6);
  const path = `/api/project/${world.web.id}`;
  await world.api("alice", "PUT", path, { name: "Web shop", alert: true });
  const { body } = await world.api("alice", "GET", path);
  assert.deepEqual(body.retention, { max_tasks_per_template: 5, max_age_days: 6 });
  const bad = { name: "Web shop", retention: { max_tasks_per_template: -1 } };
  assert.equal((await world.api("alice", "PUT", path, bad)).status, 400);
});

Deno.test("events about a task go with it, unless events have a limit of their own", async () => {
  for (const [eventDays, left] of [[0, 4], [300, 12]]) {
    await using world = await newWorld(serverLimits(1, 0, eventDays));
    const { kv, web } = world;
    const ids = await runTasks(world, "success", "error", "success");
    assert.equal((await sweepPast(world.deps)).tasks, 2);
    const listed = async (prefix: Deno.KvKey) =>
      (await Array.fromAsync(kv.list<EventRow>({ prefix }))).filter(({ value, key }) =>
        value.object_type === "task" || key[2] === "task"
      );
    const events = await listed(rowKeys.events(web.id));
    assert.equal(events.length, left);
    const indexed = await listed(["object_events", web.id]);
    const about = new Set([
      ...events.map(({ value }) => value.object_id),
      ...indexed.map(({ key }) => key[3]),
    ]);
    assert.deepEqual([...about].toSorted(), eventDays ? ids : ids.slice(-1));
    assert.equal((await listed(rowKeys.activity(web.id, "task", 0))).length, left / 4);
  }
});

Deno.test("old events go, of projects and of the server", async () => {
  await using world = await newWorld(serverLimits(0, 0, 30));
  world.clock.advance(20 * DAY_MS);
  const form = keyForm.parse({ name: "Git", type: "none" });
  await keyService.create(
    await openProject(
      { deps: world.deps, actor: world.people.alice.actor },
      world.web.id,
      "manage_keys",
    ),
    form,
  );
  world.clock.advance(20 * DAY_MS);
  const { events } = await sweepPast(world.deps);
  assert.ok(events >= 1);
  const left = await listEvents(
    await openProject({ deps: world.deps, actor: world.people.alice.actor }, world.web.id),
  );
  assert.deepEqual(left.events.map(({ object_name }) => object_name), ["Git"]);
});

Deno.test("tasks go together: a commit removes many, and nothing of them is left", async () => {
  await using world = await newWorld(serverLimits(1));
  const ids = await runTasks(world, ...Array<Status>(31).fill("success"));
  for (const id of ids) await addToHistory(world, id);
  let commits = 0;
  const atomic = world.kv.atomic.bind(world.kv);
  world.kv.atomic = () => {
    commits++;
    return atomic();
  };
  assert.equal((await sweepPast(world.deps)).tasks, 30);
  assert.ok(commits < 30, `${commits} commits for 30 tasks`);
  assert.deepEqual(await idsOf(world), ids.slice(-1));
  const gone = new Set(ids.slice(0, -1));
  for await (const { key } of world.kv.list({ prefix: [] })) {
    const [rows, first] = key;
    const task = /^task_(log|res)/.test(String(rows)) ? first : key.at(-1);
    const isOfTask = /^(tasks|task_[ahlr]|builds|host_runs|run_hosts)/.test(String(rows));
    assert.ok(!isOfTask || !gone.has(Math.abs(Number(task))), key.join());
  }
  for (const kind of ["task_outputs", "task_votes", "task_hosts", "task_retries"]) {
    const left = await Array.fromAsync(world.kv.list({ prefix: [kind] }), ({ key }) => key);
    assert.equal(left.length, 1, `${kind}: ${left.join(" ")}`);
    assert.ok(left[0].includes(ids.at(-1)!), kind);
  }
});

Deno.test("the past is swept at the start of a server, and then every hour", async () => {
  await using world = await newWorld(serverLimits(1));
  await runTasks(world, "success", "success");
  const jobs = startJobs(world.deps, [retentionWorker], { shared: false });
  const job = rowKeys.job("retention", "retention");
  const next = world.clock.now().getTime() + 3_600_000;
  await until(async () => (await world.kv.get<JobRow>(job)).value?.at === next);
  assert.equal((await idsOf(world)).length, 1);
  await runTasks(world, "success");
  world.clock.set(new Date(next - 1));
  jobs.wake();
  await sleep(50);
  assert.equal((await idsOf(world)).length, 2);
  world.clock.set(new Date(next));
  jobs.wake();
  await until(async () => (await idsOf(world)).length === 1);
  await jobs.stop();
});

Deno.test("removed output leaves its space to new output", async () => {
  const kvPath = await Deno.makeTempFile({ suffix: ".kv" });
  try {
    await using world = await newWorld({ ...serverLimits(1), kvPath });
    // Output that repeats itself would be compressed.
    const line = () => crypto.getRandomValues(new Uint8Array(7_500)).toBase64();
    const writeLogs = async () => {
      for (let n = 0; n < 5; n++) {
        const { id } = await startTask(
          await openProject(
            { deps: world.deps, actor: world.people.bob.actor },
            world.web.id,
            "run_tasks",
          ),
          parseStart({
            template_id: world.deploy.id,
          }),
        );
        const { kv, hub, clock } = world.deps;
        const writer = createLogWriter({ kv, hub, clock, projectId: world.web.id, taskId: id });
        for (let lines = 0; lines < 140; lines++) await writer.write(line());
        await writer.flush();
        await advance(kv, { id, project_id: world.web.id }, "starting");
        await advance(kv, { id, project_id: world.web.id }, "error");
      }
      await sweepPast(world.deps);
    };
    await writeLogs();
    const once = (await Deno.stat(kvPath)).size;
    for (let round = 0; round < 3; round++) await writeLogs();
    const grown = (await Deno.stat(kvPath)).size / once;
    assert.ok(grown < 2, `four times the output, ${grown.toFixed(2)} times the file`);
  } finally {
    await Deno.remove(kvPath);
  }
});

Deno.test("the settings show what the next sweep would delete, before they are stored, and store nothing", async () => {
  await using world = await newWorld(serverLimits(4));
  const ids = await runTasks(world, "success", "error", "success", "error", "error", "open");
  const path = `/project/${world.web.id}/settings`;
  const told = async (fields: Record<string, string>) => {
    const sent = { name: "Web shop", ...fields, preview: "true" };
    const html = await (await world.post("alice", path, sent)).text();
    return /(\w+) finished tasks? would be deleted/.exec(html)?.[1];
  };
  assert.equal(await told({}), "2", "by the server's own limit");
  assert.equal(await told({ "retention.max_tasks_per_template": "2" }), "4");
  assert.equal(await told({ "retention.max_tasks_per_template": "9" }), "2", "the stricter counts");
  // A task that exceeds both limits is counted once.
  const both = { "retention.max_tasks_per_template": "4", "retention.max_age_days": "5" };
  assert.equal(await told(both), "2");
  assert.equal(await told({ "retention.max_age_days": "5" }), "2");
  assert.equal(await told({ "retention.max_age_days": "1" }), "5");
  assert.equal(await told({ "retention.max_age_days": "many" }), undefined);
  assert.deepEqual(await idsOf(world), ids);
  await limit(world, 2, 0);
  assert.equal((await sweepPast(world.deps)).tasks, 4, "and so it is");
  for (const person of ["mike", "bob"] as const) {
    assert.equal((await world.post(person, path, { preview: "true" })).status, 403);
  }
});

Deno.test("Health says what retention does, and for which project", async () => {
  await using world = await newWorld(serverLimits(1));
  const health = async () => await (await world.get("erin", "/admin/health")).text();
  assert.doesNotMatch(await health(), /ld tasks/);
  await runTasks(world, "success", "success", "success");
  noteRemoval(world.deps, { project: "Web shop", tasks: 1_200 });
  assert.match(
    await health(),
    /Retention<\/dt><dd><span>Deleting old tasks of &quot;Web shop&quot;: 1,200 so far/,
  );
  await sweepPast(world.deps);
  assert.match(await health(), /Retention<\/dt><dd><span>Old tasks deleted: 2/);
});

Deno.test("tasks of many templates are removed in common commits", async () => {
  await using world = await newWorld(serverLimits(1));
  const templates = await addTemplates(world, 30);
  for (const { id } of templates) {
    const { body } = await world.api("bob", "GET", `${listOf(world)}/${id}/tasks`);
    const [row] = await getTasks(world.kv, [[world.web.id, body[0].id]]);
    await writeHistory(world.kv, row, [{}]);
  }
  const commits = new Set<Atomic>();
  const atomic = world.kv.atomic.bind(world.kv);
  world.kv.atomic = () => {
    const op = atomic();
    const remove = op.delete.bind(op);
    op.delete = (key) => {
      if (key[0] === "tasks") commits.add(op);
      return remove(key);
    };
    return op;
  };
  assert.equal((await sweepPast(world.deps)).tasks, 30);
  assert.equal(commits.size, 3);
  for (const { id } of templates) {
    const { body } = await world.api("bob", "GET", `${listOf(world)}/${id}/tasks`);
    assert.equal(body.length, 1);
  }
});
