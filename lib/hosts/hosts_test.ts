import assert from "node:assert/strict";
import { openProject } from "../access/scope.ts";
import type { HostResult } from "../execution/run/events.ts";
import { rowKeys } from "../store/keys.ts";
import { deleteTemplate } from "../maintenance/templates.ts";
import { sweepPast } from "../maintenance/retention/sweep.ts";
import { removeProject } from "../maintenance/projects/sweep.ts";
import type { HostOrder } from "./rows.ts";
import { getTasks } from "../model/tasks.ts";
import { removeTask } from "../maintenance/tasks.ts";
import { play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import { storeDueDrift } from "../drift/store_checks.ts";
import { doDue } from "../jobs/engine.ts";
import { hostsWorker, rememberDue } from "./remember.ts";
import { getProjectHost, listHostRuns, listProjectHosts } from "./service.ts";
import { hostsJobs, queueHosts } from "./outbox.ts";
import { forgetRuns } from "./store.ts";

type Said = Record<string, HostResult["status"]>;

/** Creates a task that has ended, but whose hosts are not stored yet. */
async function ended(world: World, said: Said, complete = true): Promise<number> {
  const run = await reportedTask(world);
  await run.report(play("Web"), task("a"));
  for (const [host, status] of Object.entries(said)) {
    await run.report(result("a", host, { status }));
  }
  if (complete) await run.report({ type: "end", at: 0, lost: 0 });
  await run.end();
  return run.id;
}

async function ran(world: World, said: Said, complete = true): Promise<number> {
  const id = await ended(world, said, complete);
  await rememberDue(world.deps);
  return id;
}

const scopeOf = ({ deps, people, web }: World) =>
  openProject({ deps, actor: people.carol.actor }, web.id);

const FIRST = { q: "", order: "name" as HostOrder, isReverse: false, after: null, limit: 20 };

async function namesBy(world: World, order: HostOrder, isReverse = false) {
  const page = { ...FIRST, order, isReverse };
  const { hosts } = await listProjectHosts(await scopeOf(world), page);
  return hosts.map(({ name }) => name);
}

/** Returns all stored rows of hosts, without the guard. */
async function stored({ kv }: World): Promise<Map<string, unknown>> {
  const rows = new Map<string, unknown>();
  const lists = ["project_hosts", "hosts_by", "host_runs", "run_hosts"].map((first) => [first]);
  for (const prefix of [...lists, rowKeys.jobsOfKind(hostsJobs.name)]) {
    for await (const { key, value } of kv.list({ prefix })) {
      rows.set(key.join("/"), value);
    }
  }
  return rows;
}

Deno.test("a host has its last run, its last successful one, and the changes of its tasks", async () => {
  await using world = await newWorld();
  const good = await ran(world, { web10: "changed", web2: "ok", db: "ok" });
  const bad = await ran(world, { web10: "failed", db: "changed" });
  const scope = await scopeOf(world);
  const web = await getProjectHost(scope, "web10");
  assert.deepEqual([web.status, web.last_task_id, web.last_success_task_id], ["failed", bad, good]);
  assert.deepEqual(web.runs.map(({ status, changed }) => [status, changed]), [
    ["failed", 0],
    ["changed", 1],
  ]);
  const { runs } = await listHostRuns(scope, "web10", { limit: 10 });
  assert.deepEqual(
    runs.map(({ task_id, host_id, failed, ok, template_name, task_status }) => [
      task_id,
      host_id,
      failed,
      ok,
      template_name,
      task_status,
    ]),
    [[bad, 1, 1, 0, "Deploy shop", "success"], [good, 1, 0, 1, "Deploy shop", "success"]],
  );
  assert.deepEqual(await namesBy(world, "name"), ["db", "web2", "web10"]);
  assert.deepEqual(await namesBy(world, "status"), ["web10", "db", "web2"]);
  assert.deepEqual(await namesBy(world, "run", true), ["web10", "db", "web2"]);
});

Deno.test("an interrupted task is not a success, and one that ends late is sorted by its start", async () => {
  await using world = await newWorld();
  const early = await ended(world, { web: "ok" });
  await world.kv.delete(rowKeys.job(hostsJobs.name, early));
  const late = await ran(world, { web: "ok" }, false);
  const op = world.kv.atomic();
  queueHosts(op, world, { id: early, project_id: world.web.id });
  await op.commit();
  await rememberDue(world.deps);
  const web = await getProjectHost(await scopeOf(world), "web");
  assert.deepEqual(web.runs.map(({ task_id }) => task_id), [late, early]);
  assert.deepEqual([web.last_task_id, web.last_success_task_id], [late, early]);
});

Deno.test("names that do not fit an address or key are left out, and do not affect the others", async () => {
  await using world = await newWorld();
  await ran(world, {
    "..": "ok",
    ["x".repeat(600)]: "ok",
    "\ud800": "ok",
    ["1a".repeat(250)]: "ok",
  });
  assert.deepEqual(await namesBy(world, "name"), ["1a".repeat(250)]);
});

const manyHosts = (count: number, status: HostResult["status"] = "ok"): Said =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`web${n}.example.com`, status]));

Deno.test("servers that die, or store the same task in parallel, count each host once", async () => {
  await using world = await newWorld();
  await ended(world, manyHosts(230));
  // The store becomes unavailable in the middle, after the claim and two commits.
  const { atomic } = world.kv;
  let commits = 0;
  world.kv.atomic = () => {
    if (++commits > 3) throw new Error("away");
    return atomic.call(world.kv);
  };
  await rememberDue(world.deps);
  world.kv.atomic = atomic;
  assert.equal((await namesBy(world, "name")).length, 20);
  const { position } = await listProjectHosts(await scopeOf(world), FIRST);
  assert.equal(position.of.count, 100);
  await rememberDue(world.deps);
  await Promise.all([1, 2, 3].map(() => doDue(world.deps, hostsWorker, { shared: true })));
  const all = await listProjectHosts(await scopeOf(world), { ...FIRST, limit: 1_000 });
  assert.deepEqual([all.hosts.length, all.position.of.count], [230, 230]);
  assert.ok(all.hosts.every(({ runs }) => runs.length === 1));
  assert.ok(![...(await stored(world)).keys()].some((key) => key.startsWith("jobs")));
});

Deno.test("5,000 hosts are stored in commits that the store takes, and a list reads only one page", async () => {
  await using world = await newWorld();
  await ran(world, manyHosts(5_000));
  const read = { rows: 0 };
  const { kv } = world;
  const { list, getMany } = kv;
  kv.list = ((...args: Parameters<typeof list>) => {
    const iterator = list.apply(kv, args);
    const next = iterator.next.bind(iterator);
    iterator.next = (async () => {
      const step = await next();
      if (!step.done) read.rows++;
      return step;
    }) as typeof iterator.next;
    return iterator;
  }) as typeof list;
  kv.getMany = ((...args: Parameters<typeof getMany>) => {
    read.rows += args[0].length;
    return getMany.apply(kv, args);
  }) as typeof getMany;
  const scope = await scopeOf(world);
  for (const order of ["name", "status", "run"] as const) {
    read.rows = 0;
    const first = await listProjectHosts(scope, { ...FIRST, order });
    assert.ok(read.rows < 50, `${order}: ${read.rows}`);
    assert.deepEqual(first.position, { skipped: 0, of: { count: 5_000 } });
    const second = await listProjectHosts(scope, { ...FIRST, order, after: first.next });
    assert.equal(second.position.skipped, 20);
    const names = [...first.hosts, ...second.hosts].map(({ name }) => name);
    assert.equal(new Set(names).size, 40);
  }
  const found = await listProjectHosts(scope, { ...FIRST, q: "WEB49" });
  assert.deepEqual(found.position, { skipped: 0, of: { count: 111, isMore: false } });
  const more = await listProjectHosts(scope, { ...FIRST, q: "WEB49", after: found.next });
  assert.deepEqual([more.position.skipped, more.hosts[0].name], [20, "web4909.example.com"]);
});

Deno.test("a host has its stored tasks, and is deleted with the last of them", async () => {
  await using world = await newWorld();
  const [old, bad, last] = [
    await ran(world, { web: "changed", db: "ok" }),
    await ran(world, { web: "failed" }),
    await ran(world, { web: "ok" }),
  ];
  const remove = async (id: number) => {
    const path = `/api/project/${world.web.id}/tasks/${id}`;
    assert.equal((await world.api("erin", "DELETE", path)).status, 204);
  };
  await remove(last);
  const web = await getProjectHost(await scopeOf(world), "web");
  assert.deepEqual([web.status, web.last_task_id, web.last_success_task_id], ["failed", bad, old]);
  await remove(old);
  assert.deepEqual(await namesBy(world, "status"), ["web"]);
  const left = await getProjectHost(await scopeOf(world), "web");
  assert.deepEqual([left.runs.length, left.last_success_task_id], [1, null]);
  await remove(bad);
  assert.deepEqual((await stored(world)).size, 0);
});

Deno.test("a task that is deleted before its hosts were stored leaves none of them", async () => {
  await using world = await newWorld();
  const id = await ended(world, { web: "ok" });
  const path = `/api/project/${world.web.id}/tasks/${id}`;
  assert.equal((await world.api("erin", "DELETE", path)).status, 204);
  await rememberDue(world.deps);
  assert.equal((await stored(world)).size, 0);
});

Deno.test("a task that is deleted while its hosts are stored leaves none of them", async () => {
  for (const turns of [0, 1, 3, 8]) {
    await using world = await newWorld();
    const id = await ended(world, manyHosts(220));
    const [row] = await getTasks(world.kv, [[world.web.id, id]]);
    const remembering = rememberDue(world.deps);
    for (let n = 0; n < turns; n++) await world.kv.get(["probe"]);
    await Promise.all([remembering, removeTask(world.kv, row)]);
    assert.equal((await stored(world)).size, 0, String(turns));
  }
});

Deno.test("retention deletes tasks of hosts, and hosts that no stored task has reached", async () => {
  const retention = { tasksPerTemplate: 1, taskDays: 0, eventDays: 0 };
  await using world = await newWorld({ config: { retention } });
  await ran(world, { web: "changed", db: "ok" });
  const kept = await ran(world, { web: "ok" });
  await storeDueDrift(world.deps);
  await sweepPast(world.deps);
  assert.deepEqual(await namesBy(world, "name"), ["web"]);
  const web = await getProjectHost(await scopeOf(world), "web");
  assert.deepEqual(web.runs.map(({ task_id }) => task_id), [kept]);
});

Deno.test("tasks that are deleted together leave their hosts in one commit", async () => {
  await using world = await newWorld();
  const { kv, web } = world;
  const first = await ran(world, { web: "ok", db: "changed" });
  const last = await ran(world, { web: "ok" });
  const gone = [await ran(world, { web: "changed", db: "ok" }), await ran(world, { web: "ok" })];
  let commits = 0;
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => (commits++, atomic());
  await forgetRuns(kv, web.id, [first, ...gone]);
  assert.ok(commits <= 2, `${commits} commits, with one for hosts that are still to be stored`);
  assert.deepEqual(await namesBy(world, "name"), ["web"]);
  const { runs, last_success_task_id } = await getProjectHost(await scopeOf(world), "web");
  assert.deepEqual([runs.map(({ task_id }) => task_id), last_success_task_id], [[last], last]);
  await forgetRuns(kv, web.id, [last]);
  assert.equal((await stored(world)).size, 0);
});

Deno.test("all rows of hosts are deleted with their template or their project", async () => {
  await using world = await newWorld();
  const { deps, people, web, kv } = world;
  await ran(world, manyHosts(60));
  await ended(world, { web: "ok" });
  const scope = await openProject({ deps, actor: people.mike.actor }, web.id, "manage_resources");
  await deleteTemplate(scope, world.deploy.id);
  assert.equal((await stored(world)).size, 0);

  await using other = await newWorld();
  await ran(other, { web: "ok" });
  await ended(other, { web: "ok" });
  assert.ok((await stored(other)).size > 5);
  await removeProject(other.kv, other.web.id);
  assert.equal((await stored(other)).size, 0);
  assert.equal((await other.kv.get(rowKeys.hostsGuard(other.web.id))).value, null);
  assert.equal((await kv.get(rowKeys.rowCount(web.id, "project_hosts"))).value?.toString(), "0");
});

Deno.test("names of hosts may be as long as any, whatever a commit has room for", async () => {
  await using world = await newWorld();
  // Sorted by their beginnings, with numbers that make their place in lists longer.
  const name = (n: number) => `1中${n}`.padStart(8, "0") + "中1".repeat(122);
  const hosts = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [name(n), n % 2 ? "ok" : "failed"] as const),
  );
  const first = await ran(world, hosts);
  const later = await ran(world, { ...hosts, web: "ok" });
  assert.equal((await namesBy(world, "name")).length, 20);
  const web = await listHostRuns(await scopeOf(world), name(59), { limit: 10 });
  assert.deepEqual(web.runs.map(({ task_id }) => task_id), [later, first]);
  await forgetRuns(world.kv, world.web.id, [first]);
  const left = await listHostRuns(await scopeOf(world), name(0), { limit: 10 });
  assert.deepEqual(left.runs.map(({ task_id }) => task_id), [later]);
  await forgetRuns(world.kv, world.web.id, [later]);
  assert.equal((await stored(world)).size, 0);
});
