import assert from "node:assert/strict";
import { outbox } from "@/tests/support/services/alerting.ts";
import { openProject } from "../access/scope.ts";
import type { HostResult } from "../execution/run/events.ts";
import { rowKeys } from "../store/keys.ts";
import { deleteTemplate } from "../maintenance/templates.ts";
import { removeProject } from "../maintenance/projects/sweep.ts";
import { sweepPast } from "../maintenance/retention/sweep.ts";
import { EPOCH, play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import { doDue } from "../jobs/engine.ts";
import { acceptDrift, unacceptDrift } from "./accept.ts";
import { acceptedWorker } from "./end_accepted.ts";
import { driftWorker, storeDueDrift } from "./store_checks.ts";
import { countDrift, getTemplateDrift, listHostDrift } from "./service.ts";
import { deleteDrift } from "./store.ts";
import { BEGUN_MAX, type DriftSummary } from "./rows.ts";
import type { DriftRow } from "../model/drift_row.ts";

type Said = Record<string, HostResult["status"] | Partial<HostResult>>;

interface RunOptions {
  check?: boolean;
  complete?: boolean;
  input?: Record<string, unknown>;
}

/** Times of tasks, which do not run in these tests. */
let clock = 0;

/** Creates a task that has ended, but whose states are not stored yet. */
async function ended(
  world: World,
  said: Said,
  { check = true, complete = true, input = {} }: RunOptions = {},
): Promise<number> {
  const run = await reportedTask(world, { ...input, check });
  const at = EPOCH + clock++ * 60_000;
  await run.report(play("Web"), task("a", at));
  for (const [host, given] of Object.entries(said)) {
    const more = typeof given === "string" ? { status: given } : given;
    await run.report(result("a", host, { began: at, ended: at + 100, ...more }));
  }
  if (complete) await run.report({ type: "end", at, lost: 0, checkMode: [] });
  await run.end("success", { end: new Date(at + 200).toISOString() });
  return run.id;
}

async function ran(world: World, said: Said, options?: RunOptions): Promise<number> {
  const id = await ended(world, said, options);
  await storeDueDrift(world.deps);
  return id;
}

const changed = (diff: string): Partial<HostResult> => ({ status: "changed", changed: true, diff });

const scopeOf = ({ deps, people, web }: World) =>
  openProject({ deps, actor: people.bob.actor }, web.id, "run_tasks");

async function states(world: World): Promise<Record<string, string>> {
  const page = { templateId: 0, q: "", limit: 100 };
  const { rows } = await listHostDrift(await scopeOf(world), page);
  return Object.fromEntries(
    rows.map(({ host, state, accepted }) => [host, accepted ? `${state}, accepted` : state]),
  );
}

const summaryOf = async ({ kv, web, deploy }: World) =>
  (await kv.get<DriftSummary>(rowKeys.driftSummary(web.id, deploy.id))).value!;

/** Returns the alerts about drift that are still to be sent, oldest first. */
const driftAlerts = async (world: World) =>
  (await outbox(world)).filter(({ kind }) => kind === "drift")
    .map(({ job: _, at: __, ...alert }) => alert)
    .toSorted((a, b) => a.task_id - b.task_id);

async function stored({ kv }: World): Promise<Map<string, unknown>> {
  const rows = new Map<string, unknown>();
  for await (const { key, value } of kv.list({ prefix: [] })) {
    const first = String(key[0]);
    if (first.startsWith("drift") && first !== "drift_stamps" && first !== "drift_wake") {
      rows.set(key.join("/"), value);
    }
  }
  return rows;
}

Deno.test("a check sets the state of each host, worst first, with its time and its changes", async () => {
  await using world = await newWorld();
  const first = await ran(world, { web10: "ok", web2: "ok", db: "ok" });
  assert.deepEqual(await states(world), {
    db: "as_described",
    web2: "as_described",
    web10: "as_described",
  });
  const second = await ran(world, {
    web10: changed("+x"),
    web2: { unchecked: true, status: "skipped" },
    db: "unreachable",
  });
  const { rows } = await listHostDrift(await scopeOf(world), { templateId: 0, q: "", limit: 9 });
  assert.deepEqual(
    rows.map(({ host, state, changes, task_id }) => [host, state, changes, task_id]),
    [
      ["web10", "would_change", 1, second],
      ["db", "not_reached", 0, second],
      ["web2", "unknown", 0, second],
    ],
  );
  assert.ok(rows[0].last_described! < rows[0].since);
  const third = await ran(world, { web10: changed("+x"), web2: "ok", db: "ok" });
  const [web] =
    (await listHostDrift(await scopeOf(world), { templateId: 0, q: "", limit: 1 })).rows;
  assert.deepEqual([web.since, web.task_id], [rows[0].since, third]);
  const drift = await getTemplateDrift(await scopeOf(world), world.deploy.id);
  assert.deepEqual(drift!.checks.map(({ task_id, hosts }) => [task_id, hosts.would_change]), [
    [first, 0],
    [second, 1],
    [third, 1],
  ]);
  assert.deepEqual(drift!.begun.map(({ task_id, hosts }) => [task_id, hosts]), [[second, 1]]);
  const counts = { would_change: 1, not_reached: 0, unknown: 0, accepted: 0, as_described: 2 };
  assert.deepEqual(await countDrift(await scopeOf(world)), counts);
  assert.deepEqual(drift!.hosts, counts);
});

Deno.test("a check says which Ansible task it could not check, and where", async () => {
  await using world = await newWorld();
  await ran(world, { web: { unchecked: true, status: "skipped" }, db: "ok" });
  const path = `/api/project/${world.web.id}/drift`;
  const { body: [web, db] } = await world.api("carol", "GET", path);
  assert.deepEqual([web.host, web.state, web.unchecked, web.partial], ["web", "unknown", 1, true]);
  const { message, ...reason } = web.reason;
  assert.match(message, /^command has no check mode\. Add check_mode: false/);
  assert.deepEqual(reason, {
    ...{ subject: "web", step: web.reason.step, more: 0, line: null },
    place: { file: "site.yml", line: 1, column: null },
  });
  assert.deepEqual([db.state, db.unchecked, db.reason], ["as_described", 0, null]);
});

Deno.test("a check is not a run of the template or of its hosts", async () => {
  await using world = await newWorld();
  const runs = `/api/project/${world.web.id}/tasks`;
  const before = await ran(world, { web: "ok" }, { check: false });
  const check = await ran(world, { web: changed("+x") });
  const ids = async (query = "") =>
    (await world.api("bob", "GET", runs + query)).body.map(({ id }: { id: number }) => id);
  assert.deepEqual(await ids(), [before]);
  assert.deepEqual(await ids("?trigger=check"), [check]);
  assert.deepEqual(await ids("?status=success"), [before]);
  const bob = world.people.bob.id;
  assert.deepEqual(await ids(`?user_id=${bob}`), [before]);
  assert.deepEqual(await ids(`?template_id=${world.deploy.id}`), [before]);
  const last = await world.kv.get<{ id: number }>(rowKeys.lastTask(world.web.id, world.deploy.id));
  assert.equal(last.value!.id, before);
  const [history] = await Array.fromAsync(world.kv.list({ prefix: rowKeys.jobsOfKind("hosts") }));
  assert.equal(history.key[2], before);
  const { body } = await world.api("bob", "GET", `${runs}/${check}`);
  assert.deepEqual([body.check, body.dry_run, body.version], [true, true, null]);
  const stats = await world.api("bob", "GET", `/api/project/${world.web.id}/stats`);
  const total = stats.body.flatMap((day: object) => Object.values(day))
    .filter((value: unknown) => value === 2);
  assert.deepEqual(total, [], "both were counted");
});

Deno.test("one check of a template is open at a time", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}/templates/${world.deploy.id}/check`;
  const answers = await Promise.all([1, 2, 3].map(() => world.api("bob", "POST", path)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
  assert.equal((await world.api("dave", "POST", path)).status, 404);
});

Deno.test("a run makes hosts as described unless it failed there or ran something else", async () => {
  await using world = await newWorld();
  await ran(world, { web1: changed("+x"), web2: changed("+x"), web3: changed("+x") });
  await ran(world, { web1: "changed", web2: "failed" }, { check: false });
  const expected = { web1: "as_described", web2: "would_change", web3: "would_change" };
  assert.deepEqual(await states(world), expected);
  const key = rowKeys.resource("templates", world.web.id, world.deploy.id);
  const template = await world.kv.get<object>(key);
  const task_params = { allow_override_tags: true, allow_override_skip_tags: true };
  await world.kv.set(key, { ...template.value, task_params });
  for (const input of [{ dry_run: true }, { tags: ["some"] }, { skip_tags: ["some"] }]) {
    await ran(world, { web2: "ok" }, { check: false, input });
  }
  await ran(world, { web3: "ok" }, { check: false, complete: false });
  assert.deepEqual(await states(world), expected);
  await ran(world, { web4: "ok" }, { check: false });
  assert.deepEqual(await states(world), expected, "a run adds no host");
});

Deno.test("a template that was never checked gets no states from its runs", async () => {
  await using world = await newWorld();
  await ran(world, { web: "ok" }, { check: false });
  assert.deepEqual(await stored(world), new Map());
});

Deno.test("a host that a check no longer reaches is not reached, and left out after 30 days", async () => {
  await using world = await newWorld();
  await ran(world, { web: "ok", gone: changed("+x") });
  await ran(world, { web: "ok" });
  assert.deepEqual(await states(world), { gone: "not_reached", web: "as_described" });
  const entry = await world.kv.get<DriftRow>(rowKeys.drift(world.web.id, world.deploy.id, "gone"));
  const since = world.clock.now().getTime() - 31 * 86_400_000;
  await world.kv.set(entry.key, { ...entry.value!, since });
  await ran(world, { web: "ok" });
  assert.deepEqual(await states(world), { web: "as_described" });
});

Deno.test("a check without all results leaves the hosts that it has not reached", async () => {
  await using world = await newWorld();
  await ran(world, { web: "ok", db: "ok" });
  await ran(world, { web: "ok" }, { complete: false });
  assert.deepEqual(await states(world), { web: "unknown", db: "as_described" });
});

/** Ends that Ansible announces, and ones that only follow from the failure of all hosts. */
const EARLY_ENDS = { "is announced": { endedEarly: true }, "is not announced": {} } as const;

for (const [what, early] of Object.entries(EARLY_ENDS)) {
  Deno.test(`a play whose early end ${what} says nothing about the hosts that were spared`, async () => {
    await using world = await newWorld();
    await ran(world, { web: "ok", db: "ok", mail: "ok" });
    /** All hosts of the second play fail, so a third one does not begin. */
    async function endedEarly(check: boolean, web: Partial<HostResult>) {
      const run = await reportedTask(world, { check });
      const at = EPOCH + clock++ * 60_000;
      const times = { began: at, ended: at + 100 };
      await run.report(play("Web"), task("a", at), result("a", "web", { ...times, ...web }));
      await run.report(play("Db"), task("b", at));
      await run.report(result("b", "db", { ...times, status: "failed" }));
      await run.report({ type: "end", at, lost: 0, checkMode: [], ...early });
      await run.end("error", { end: new Date(at + 200).toISOString() });
      await storeDueDrift(world.deps);
    }
    await endedEarly(true, { status: "ok" });
    assert.deepEqual(await states(world), { db: "unknown", web: "unknown", mail: "as_described" });
    const { strip } = await summaryOf(world);
    assert.deepEqual(strip.map(({ complete }) => complete), [true, false]);
    await ran(world, { web: changed("+x"), db: "ok", mail: "ok" });
    await endedEarly(false, { status: "changed" });
    assert.equal((await states(world)).web, "would_change");
  });
}

Deno.test("a summary has a bound, however often hosts begin to differ and stay so", async () => {
  await using world = await newWorld();
  await ran(world, { web: changed("+x"), db: "ok" });
  const entry = await world.kv.get<DriftSummary>(
    rowKeys.driftSummary(world.web.id, world.deploy.id),
  );
  const [[first, one]] = Object.entries(entry.value!.begun);
  const old = Array.from({ length: BEGUN_MAX - 1 }, (_, n) => [Number(first) + n + 1, one]);
  const begun = { ...entry.value!.begun, ...Object.fromEntries(old) };
  await world.kv.set(entry.key, { ...entry.value!, begun });
  await world.kv.set(rowKeys.lastId("tasks"), Number(first) + BEGUN_MAX);
  await ran(world, { web: changed("+x"), db: changed("+x") });
  const later = await summaryOf(world);
  assert.equal(Object.keys(later.begun).length, BEGUN_MAX);
  assert.equal(later.begun_after, Number(first));
  await ran(world, { web: "ok", db: changed("+x") });
  assert.equal((await summaryOf(world)).counts.would_change, 1);
});

Deno.test("hosts stop and begin to match once", async () => {
  await using world = await newWorld();
  const told = async () => {
    const last = (await driftAlerts(world)).at(-1);
    return last && [last.task_id, last.event, last.hosts];
  };
  await ran(world, { web: "ok", db: "ok" });
  assert.equal(await told(), undefined);
  const first = await ran(world, { web: changed("+x"), db: "ok" });
  assert.deepEqual(await told(), [first, "drifted", ["web"]]);
  await ran(world, { web: changed("+y"), db: "ok" });
  await ran(world, { web: "unreachable", db: "ok" });
  await ran(world, { web: changed("+y"), db: "ok" });
  assert.deepEqual(await told(), [first, "drifted", ["web"]]);
  const run = await ran(world, { web: "changed" }, { check: false });
  assert.deepEqual(await told(), [run, "back_to_normal", ["web"]]);
  const about = { kind: "drift", project_id: world.web.id, template_id: world.deploy.id };
  const web = { hosts: ["web"], count: 1, unchecked: [] };
  const differing = [{ play_task: "Task a", hosts: 1 }];
  assert.deepEqual(await driftAlerts(world), [
    { ...about, event: "drifted", task_id: first, ...web, left: 1, differing },
    { ...about, event: "back_to_normal", task_id: run, ...web, left: 0, differing: [] },
  ]);
});

Deno.test("an accepted difference is counted apart until its time, or until another one comes", async () => {
  await using world = await newWorld();
  await ran(world, { web: changed("+x"), db: changed("+x") });
  const until = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
  const form = { hosts: ["web", "db"], until, note: "Known" };
  await acceptDrift(await scopeOf(world), world.deploy.id, form);
  await ran(world, { web: changed("+x"), db: changed("+y") });
  assert.deepEqual(await states(world), { db: "would_change", web: "would_change, accepted" });
  const { counts } = await summaryOf(world);
  const last = (await driftAlerts(world)).at(-1)!;
  assert.deepEqual([counts.accepted, counts.would_change, last.hosts], [1, 1, ["db"]]);
  await doDue(world.deps, acceptedWorker);
  assert.equal((await summaryOf(world)).counts.accepted, 1);
  world.clock.advance(3_600_001);
  await doDue(world.deps, acceptedWorker);
  assert.deepEqual(await states(world), { db: "would_change", web: "would_change" });
  const late = { ...form, until: new Date(0).toISOString() };
  await assert.rejects(acceptDrift(await scopeOf(world), world.deploy.id, late), { status: 400 });
});

Deno.test("a host that matches again ends its alert, whatever was accepted meanwhile", async () => {
  await using world = await newWorld();
  const told = async () =>
    (await driftAlerts(world)).map(({ event, hosts, left }) => [event, hosts, left]);
  const accept = async (hosts: string[]) => {
    const until = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
    const form = { hosts, until, note: "Known" };
    await acceptDrift(await scopeOf(world), world.deploy.id, form);
  };
  await ran(world, { web: changed("+x"), db: changed("+x") });
  const first = [["drifted", ["web", "db"], 2]];
  await accept(["web", "db"]);
  await ran(world, { web: changed("+x"), db: changed("+x") });
  assert.deepEqual(await told(), first, "accepted differences are not reported");
  await ran(world, { web: "ok", db: changed("+x") });
  const second = [...first, ["back_to_normal", ["web"], 0]];
  assert.deepEqual(await told(), second);

  world.clock.advance(3_600_001);
  await doDue(world.deps, acceptedWorker);
  await ran(world, { web: "ok", db: changed("+x") });
  await ran(world, { web: "ok", db: changed("+x") });
  const third = [...second, ["drifted", ["db"], 1]];
  assert.deepEqual(await told(), third, "the difference outlasts its acceptance");

  await accept(["db"]);
  world.clock.advance(3_600_001);
  await doDue(world.deps, acceptedWorker);
  await ran(world, { web: "ok", db: "ok" });
  await ran(world, { web: "ok", db: changed("+x") });
  const last = [["back_to_normal", ["db"], 0], ["drifted", ["db"], 1]];
  assert.deepEqual(await told(), [...third, ...last]);
});

Deno.test("the end of an acceptance is an event of the server", async () => {
  await using world = await newWorld();
  await ran(world, { web: changed("+x"), db: changed("+x"), mail: changed("+x") });
  const now = world.clock.now().getTime();
  const accept = async (hosts: string[], hours: number) =>
    await acceptDrift(await scopeOf(world), world.deploy.id, {
      ...{ hosts, until: new Date(now + hours * 3_600_000).toISOString(), note: "Known" },
    });
  await accept(["web", "db", "mail"], 1);
  await accept(["mail"], 2);
  await unacceptDrift(await scopeOf(world), world.deploy.id, ["db"]);
  world.clock.advance(3_600_001);
  await doDue(world.deps, acceptedWorker);
  const { body } = await world.api("alice", "GET", `/api/project/${world.web.id}/events`);
  assert.deepEqual([body[0].user_id, body[0].description], [
    null,
    'The acceptance of differences from template "Deploy shop" expired (hosts: 1)',
  ]);
});

Deno.test("an accepted difference of many changes does not cover any other one", async () => {
  await using world = await newWorld();
  const check = async (last: string) => {
    const run = await reportedTask(world, { check: true });
    const at = EPOCH + clock++ * 60_000;
    await run.report(play("Web"));
    for (let n = 1; n <= 22; n++) {
      const diff = n === 22 ? last : "+x";
      await run.report(task(`t${n}`, at));
      await run.report(result(`t${n}`, "web", { ...changed(diff), began: at, ended: at + 100 }));
    }
    await run.report({ type: "end", at, lost: 0, checkMode: [] });
    await run.end("success", { end: new Date(at + 200).toISOString() });
    await storeDueDrift(world.deps);
  };
  await check("+x");
  const until = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
  const form = { hosts: ["web"], until, note: "Known" };
  await acceptDrift(await scopeOf(world), world.deploy.id, form);
  await check("+x");
  assert.deepEqual(await states(world), { web: "would_change, accepted" });
  await check("+y");
  assert.deepEqual(await states(world), { web: "would_change" });
});

Deno.test("each observation counts once, however many servers store it or die", async () => {
  await using world = await newWorld();
  const hosts = Object.fromEntries(
    Array.from({ length: 170 }, (_, n) => [`web${n}`, "ok" as const]),
  );
  await ran(world, hosts);
  const drifted = Object.fromEntries(
    Array.from({ length: 17 }, (_, n) => [`web${n * 10}`, changed("+x")]),
  );
  const { web0: _web0, ...later } = { ...hosts, ...drifted };
  await ended(world, { ...later, new: "ok" });
  // A server dies after its second commit.
  let commits = 0;
  const dying = new Proxy(world.kv, {
    get(kv, name) {
      if (name === "atomic" && ++commits > 2) throw new Error("died");
      const value = Reflect.get(kv, name);
      return typeof value === "function" ? value.bind(kv) : value;
    },
  });
  await storeDueDrift({ ...world.deps, kv: dying });
  await storeDueDrift(world.deps);
  await Promise.all([1, 2].map(() => doDue(world.deps, driftWorker, { shared: true })));
  const counts = { would_change: 16, not_reached: 1, unknown: 0, accepted: 0, as_described: 154 };
  assert.deepEqual(await countDrift(await scopeOf(world)), counts);
  const { counts: own, strip } = await summaryOf(world);
  const [{ count }] = await driftAlerts(world);
  assert.deepEqual([own, count, strip.length], [counts, 16, 2]);
});

Deno.test("retention keeps the check that states refer to, and the checks of the strip", async () => {
  await using world = await newWorld();
  const ids: number[] = [];
  for (let n = 0; n < 33; n++) ids.push(await ran(world, { web: n === 32 ? changed("+x") : "ok" }));
  await sweepPast(world.deps);
  const kept = await Array.fromAsync(world.kv.list({ prefix: rowKeys.tasks(world.web.id) }));
  assert.deepEqual(kept.map(({ key }) => key[2]), ids.slice(3));
  const limited = {
    ...world.deps.config,
    retention: { tasksPerTemplate: 1, taskDays: 1, eventDays: 0 },
  };
  world.clock.advance(400 * 86_400_000);
  await sweepPast({ ...world.deps, config: limited });
  const last = await Array.fromAsync(world.kv.list({ prefix: rowKeys.tasks(world.web.id) }));
  assert.deepEqual(last.map(({ key }) => key[2]), [ids[32]]);
});

Deno.test("a deleted template leaves no states, and no checks", async () => {
  await using world = await newWorld();
  await ran(world, { web: changed("+x"), db: "ok" });
  await ended(world, { web: "ok" });
  const { deps, people, web, deploy } = world;
  const scope = await openProject({ deps, actor: people.alice.actor }, web.id, "manage_resources");
  await deleteTemplate(scope, deploy.id, undefined, 60_000);
  await storeDueDrift(world.deps);
  const rows = await stored(world);
  for (const [key, value] of rows) {
    if (key.startsWith("drift_counts") && (value as Deno.KvU64).value === 0n) rows.delete(key);
  }
  assert.deepEqual(rows, new Map());
  assert.deepEqual(await Array.fromAsync(world.kv.list({ prefix: rowKeys.tasks(web.id) })), []);
});

Deno.test("names of hosts may be as long as any when they are accepted, and deleted", async () => {
  await using world = await newWorld();
  const names = Array.from(
    { length: 60 },
    (_, n) => `1中${n}`.padStart(8, "0") + "中1".repeat(122),
  );
  await ran(world, Object.fromEntries(names.map((name) => [name, changed("+x")])));
  const until = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
  await acceptDrift(await scopeOf(world), world.deploy.id, { hosts: names, until, note: "Known" });
  assert.deepEqual(
    new Set(Object.values(await states(world))),
    new Set(["would_change, accepted"]),
  );
  world.clock.advance(4_000_000);
  await doDue(world.deps, acceptedWorker);
  assert.deepEqual(new Set(Object.values(await states(world))), new Set(["would_change"]));
  await deleteDrift(world.kv, world.web.id, world.deploy.id);
  assert.deepEqual(await states(world), {});
});

Deno.test("a deleted project leaves no states", async () => {
  await using world = await newWorld();
  await ran(world, { web: changed("+x") });
  await ended(world, { web: "ok" });
  await removeProject(world.kv, world.web.id);
  await storeDueDrift(world.deps);
  assert.deepEqual(await stored(world), new Map());
});
