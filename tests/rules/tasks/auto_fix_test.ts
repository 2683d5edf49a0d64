import assert from "node:assert/strict";
import type { Deps } from "@/lib/access/deps.ts";
import { storeDueDrift } from "@/lib/drift/store_checks.ts";
import type { HostResult, RunEvent } from "@/lib/execution/run/events.ts";
import { doDue } from "@/lib/jobs/engine.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { endTask } from "@/lib/queue/ending/end_task.ts";
import { pinOf } from "@/lib/queue/inputs/pins.ts";
import { completePreview } from "@/lib/queue/running/preview.ts";
import { openLog } from "@/lib/output/writer.ts";
import { createResultWriter } from "@/lib/results/writer.ts";
import { readHostNames } from "@/lib/tasks/host_store.ts";
import { listTaskRows } from "@/lib/tasks/repository.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import { advance } from "@/lib/tasks/steps.ts";
import { fixWorker } from "@/lib/triggers/checks/auto_fix.ts";
import { newRule, newTarget, outbox } from "@/tests/support/services/alerting.ts";
import { beforeCommit, dieAt } from "@/tests/support/basics/die_at.ts";
import { textOf } from "@/tests/support/basics/html.ts";
import { play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

type Said = Record<string, Partial<HostResult>>;

const ok: Partial<HostResult> = { status: "ok" };
const drifted: Partial<HostResult> = { status: "changed", changed: true, diff: "-a\n+b\n" };
const other: Partial<HostResult> = { ...drifted, diff: "-a\n+another\n" };
const COMMIT = "c0ffee".repeat(6) + "c0ff";

async function allow(world: World, members: Record<string, unknown>, status = 204) {
  const path = `/api/project/${world.web.id}/templates/${world.deploy.id}`;
  const { body } = await world.api("mike", "GET", path);
  const answer = await world.api("mike", "PUT", path, { ...body, ...members });
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  return answer.body;
}

async function routeAlert(world: World, id: number, said: Said, isPreview = false) {
  const at = world.clock.now().getTime();
  const target = { ...world.deps, projectId: world.web.id, taskId: id };
  const output = await openLog(target);
  const results = createResultWriter({ ...target, isPreview, output });
  const cells = Object.entries(said).map(([host, more]) =>
    result("motd", host, { began: at, ended: at + 1, ...more })
  );
  const end: RunEvent = { type: "end", at, lost: 0, checkMode: [] };
  for (const event of [play("Web"), task("motd", at), ...cells, end]) await results.take(event);
  await results.flush();
  await output.flush();
  return output;
}

/** Checks the template, and stores the states. */
async function checked(world: World, said: Said): Promise<number> {
  world.clock.advance(60_000);
  const run = await reportedTask(world, { check: true });
  const key = rowKeys.task(world.web.id, run.id);
  const { value } = await world.kv.get<TaskRow>(key);
  await world.kv.set(key, { ...value!, commit_hash: COMMIT });
  const at = world.clock.now().getTime();
  await run.report(play("Web"), task("motd", at));
  for (const [host, more] of Object.entries(said)) {
    await run.report(result("motd", host, { began: at, ended: at + 1, ...more }));
  }
  await run.report({ type: "end", at, lost: 0, checkMode: [] });
  await run.end("success", { end: new Date(at + 2).toISOString() });
  await storeDueDrift(world.deps);
  return run.id;
}

const fix = (world: World, deps: Deps = world.deps) => doDue(deps, fixWorker);

const fixesOf = async ({ kv, web }: World): Promise<TaskRow[]> =>
  (await listTaskRows(kv, web.id, { limit: 100 })).filter(({ auto_fix }) => auto_fix).reverse();

/** Completes the preview of a fix with these results. */
async function preview(world: World, { id, project_id }: TaskRow, said: Said) {
  await pinOf(world.deps, await getTaskRow(world.kv, project_id, id));
  await advance(world.kv, { id, project_id }, "starting");
  await advance(world.kv, { id, project_id }, "running");
  const output = await routeAlert(world, id, said, true);
  await completePreview(world.deps, await getTaskRow(world.kv, project_id, id), output);
}

async function finish(
  world: World,
  { id, project_id }: TaskRow,
  said: Said,
  how: "success" | "error",
) {
  world.clock.advance(60_000);
  await advance(world.kv, { id, project_id }, "starting");
  const running = await advance(world.kv, { id, project_id }, "running");
  await endTask(world.deps, running, { how, log: await routeAlert(world, id, said) });
  await storeDueDrift(world.deps);
}

const statusOf = async (world: World, { id }: TaskRow) =>
  (await getTaskRow(world.kv, world.web.id, id)).status;

const activity = async (world: World) =>
  textOf(await (await world.get("mike", `/project/${world.web.id}/activity`)).text());

Deno.test("named hosts are fixed at the commit of the check, after a preview of nothing else", async () => {
  await using world = await newWorld();
  await allow(world, { auto_fix: { hosts: ["web1", "web2", "web9"] } });
  const check = await checked(world, { web1: drifted, web2: ok, web3: drifted });
  await fix(world);
  const [made, ...more] = await fixesOf(world);
  assert.equal(more.length, 0);
  assert.deepEqual(await readHostNames(world.kv, made), ["web1"]);
  assert.deepEqual(
    [made.commit_hash, made.tags, made.started_by, made.retry_of?.task_id, made.preview?.made],
    [COMMIT, [], { kind: "drift", name: "Deploy shop" }, check, null],
  );
  assert.match(
    await activity(world),
    /fixes hosts of template "Deploy shop" automatically because/,
  );
  await preview(world, made, { web1: drifted });
  assert.equal(await statusOf(world, made), "waiting_confirmation");
  await fix(world);
  assert.equal(await statusOf(world, made), "confirmed");
  await finish(world, made, { web1: drifted }, "success");
  const { body } = await world.api("carol", "GET", `/api/project/${world.web.id}/drift`);
  assert.deepEqual(
    body.map(({ host, state }: Record<string, string>) => [host, state]),
    [["web3", "would_change"], ["web1", "as_described"], ["web2", "as_described"]],
  );
  // It drifts again, and is fixed again.
  await checked(world, { web1: drifted, web2: ok, web3: ok });
  await fix(world);
  assert.equal((await fixesOf(world)).length, 2);
});

Deno.test("a host is tried once until it matches again", async () => {
  await using world = await newWorld();
  await allow(world, { auto_fix: { hosts: ["web1"] } });
  await checked(world, { web1: drifted });
  await fix(world);
  const [made] = await fixesOf(world);
  await preview(world, made, { web1: drifted });
  await fix(world);
  await finish(world, made, { web1: { status: "failed" } }, "error");
  for (const said of [drifted, other, { status: "unreachable" as const }, drifted]) {
    await checked(world, { web1: said });
    await fix(world);
  }
  assert.equal((await fixesOf(world)).length, 1);
  await checked(world, { web1: ok });
  await checked(world, { web1: drifted });
  await fix(world);
  assert.equal((await fixesOf(world)).length, 2);
});

Deno.test("a preview that shows anything else waits for a person", async () => {
  await using world = await newWorld();
  await allow(world, { auto_fix: { hosts: [], tags: ["motd"] } });
  await checked(world, { web1: drifted, web2: drifted });
  await fix(world);
  const [made] = await fixesOf(world);
  assert.deepEqual([made.tags, await readHostNames(world.kv, made)], [["motd"], ["web1", "web2"]]);
  await preview(world, made, { web1: drifted, web2: other });
  await fix(world);
  assert.equal(await statusOf(world, made), "waiting_confirmation");
  assert.match(
    await activity(world),
    /waiting for a person: The preview of host "web2" shows changes/,
  );
  const confirm = `/api/project/${world.web.id}/tasks/${made.id}/confirm`;
  assert.equal((await world.api("bob", "POST", confirm)).status, 204);
});

Deno.test("nothing is fixed that people accept, confirm, or know only in part", async () => {
  await using world = await newWorld();
  await allow(world, { auto_fix: { hosts: ["web1", "web2"] } });
  await checked(world, { web1: drifted, web2: { ...drifted, unchecked: true } });
  const accept = `/api/project/${world.web.id}/templates/${world.deploy.id}/drift/accept`;
  await world.api("bob", "POST", accept, {
    ...{ hosts: ["web1"], until: "2030-01-01T00:00:00Z", note: "Known" },
  });
  await fix(world);
  for (const members of [{ require_confirmation: true }, { preview_first: true }]) {
    const { fields } = await allow(world, members, 400);
    assert.match(fields["auto_fix.hosts"], /approve/);
  }
  for (const auto_fix of [{ hosts: ["all"] }, { hosts: ["web*"] }, {}, { hosts: [], tags: [] }]) {
    await allow(world, { auto_fix }, 400);
  }
  await allow(world, { auto_fix: null });
  await checked(world, { web3: drifted });
  await fix(world);
  await allow(world, { auto_fix: { hosts: ["web3"] } });
  await checked(world, { web3: drifted });
  await allow(world, { auto_fix: null, require_confirmation: true });
  await fix(world);
  assert.deepEqual(await fixesOf(world), []);
  const due = await Array.fromAsync(world.kv.list({ prefix: rowKeys.jobsOfKind("auto_fixes") }));
  assert.deepEqual(due, []);
});

Deno.test("a server that dies at any commit fixes each host once, and confirms once", async () => {
  let last = false;
  let deaths = 0;
  for (let nth = 1; !last; nth++) {
    for (const when of ["before", "after"] as const) {
      await using world = await newWorld();
      await allow(world, { auto_fix: { hosts: ["web1"] } });
      await checked(world, { web1: drifted });
      const starting = dieAt(world.deps, nth, when);
      await fix(world, starting.deps).catch(() => {});
      await Promise.all([fix(world), fix(world)]);
      const [made, ...more] = await fixesOf(world);
      assert.equal(more.length, 0, `commit ${nth}, ${when}`);
      await preview(world, made, { web1: drifted });
      const confirming = dieAt(world.deps, nth, when);
      await fix(world, confirming.deps).catch(() => {});
      await Promise.all([fix(world), fix(world)]);
      assert.equal(await statusOf(world, made), "confirmed");
      assert.equal((await activity(world)).match(/was approved/g)?.length, 1);
      last = !starting.died() && !confirming.died();
      if (!last) deaths++;
    }
    assert.ok(nth < 20);
  }
  assert.ok(deaths >= 2, `${deaths}`);
});

/** Starts a fix of these hosts, and hands out the task. */
async function started(world: World, said: Said, members: Record<string, unknown> = {}) {
  await allow(world, { auto_fix: { hosts: Object.keys(said) }, ...members });
  await checked(world, said);
  await fix(world);
  const made = (await fixesOf(world)).at(-1);
  assert.ok(made);
  return made;
}

Deno.test("a preview that is not certain waits for a person, who is notified", async () => {
  await using world = await newWorld();
  await newRule(world, await newTarget(world, "http://127.0.0.1:9/"), { events: ["waiting"] });
  const told = async (id: number) =>
    (await outbox(world)).filter(({ kind, task_id }) => kind === "task" && task_id === id);
  const waits = async (made: TaskRow, said: Said, before = () => Promise.resolve()) => {
    await preview(world, made, said);
    assert.deepEqual(await told(made.id), []);
    await before();
    await fix(world);
    assert.equal(await statusOf(world, made), "waiting_confirmation");
    assert.equal((await told(made.id)).length, 1);
  };
  const web = `/api/project/${world.web.id}`;
  const both = { web1: drifted, web2: drifted };
  await waits(await started(world, both), { web1: drifted, web2: { ...ok, unchecked: true } });
  await waits(await started(world, { web3: drifted }), {});
  await waits(await started(world, { web4: drifted }), { web4: drifted, db1: ok });
  const accepted = { hosts: ["web5"], until: "2030-01-01T00:00:00Z", note: "Known" };
  await waits(await started(world, { web5: drifted }), { web5: drifted }, async () => {
    const path = `${web}/templates/${world.deploy.id}/drift/accept`;
    assert.equal((await world.api("bob", "POST", path, accepted)).status, 204);
  });
  await waits(await started(world, { web6: drifted }), { web6: drifted }, async () => {
    await allow(world, { auto_fix: { hosts: ["web7"] } });
  });
  const last = await started(world, { web8: drifted });
  await preview(world, last, { web8: drifted });
  await fix(world);
  assert.equal(await statusOf(world, last), "confirmed");
  assert.deepEqual(await told(last.id), []);
});

Deno.test("nothing is fixed after the template or a host has changed since the check", async () => {
  await using world = await newWorld();
  await allow(world, { auto_fix: { hosts: ["web1"] } });
  await checked(world, { web1: drifted });
  await allow(world, { playbook: "other.yml" });
  await fix(world);
  assert.deepEqual(await fixesOf(world), []);
  await checked(world, { web1: drifted });
  // Someone accepts the difference between the decision and the commit.
  let accepts = 0;
  await fix(
    world,
    beforeCommit(world.deps, async () => {
      if (accepts++ > 0) return;
      const path = `/api/project/${world.web.id}/templates/${world.deploy.id}/drift/accept`;
      const form = { hosts: ["web1"], until: "2030-01-01T00:00:00Z", note: "Known" };
      assert.equal((await world.api("bob", "POST", path, form)).status, 204);
    }),
  );
  assert.ok(accepts > 0);
  assert.deepEqual(await fixesOf(world), []);
});

Deno.test("a failed fix is not repeated without a preview, and starts no deploys", async () => {
  await using world = await newWorld();
  const made = await started(world, { web1: drifted }, { retry_attempts: 2 });
  assert.equal(made.attempt, undefined);
  await preview(world, made, { web1: drifted });
  await fix(world);
  await finish(world, made, { web1: { status: "failed" } }, "error");
  assert.deepEqual(
    await Array.fromAsync(world.kv.list({ prefix: rowKeys.jobsOfKind("attempts") })),
    [],
  );
  const build = await started(world, { web2: drifted }, { type: "build", start_version: "1.0" });
  await preview(world, build, { web2: drifted });
  await fix(world);
  await finish(world, build, { web2: drifted }, "success");
  assert.equal(await statusOf(world, build), "success");
  assert.deepEqual(
    await Array.fromAsync(world.kv.list({ prefix: rowKeys.jobsOfKind("autoruns") })),
    [],
  );
});

Deno.test("a template whose tasks need a person fixes nothing automatically", async () => {
  await using world = await newWorld();
  for (const members of [{ own_key: true }, { ask_become_password: true }]) {
    const { fields } = await allow(world, { auto_fix: { hosts: ["web1"] }, ...members }, 400);
    assert.match(fields["auto_fix.hosts"], /Only people can start it/);
  }
});
