import assert from "node:assert/strict";
import { SHOWN_STATES } from "@/lib/drift/state.ts";
import { storeDueDrift } from "@/lib/drift/store_checks.ts";
import { rememberDue } from "@/lib/hosts/remember.ts";
import { STATUSES } from "@/lib/model/status.ts";
import { touchRunner } from "@/lib/runners/presence.ts";
import { findRunner } from "@/lib/runners/repository.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { transact } from "@/lib/store/transact.ts";
import { advance, amendTask } from "@/lib/tasks/steps.ts";
import { updateScheduleRow } from "@/lib/triggers/schedules/repository.ts";
import { RUN_STATUSES, STEP_STATES } from "@/lib/workflows/step_state.ts";
import { textOf } from "@/tests/support/basics/html.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { EPOCH, play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { FACTS, newRunner, registeredRunner } from "@/tests/support/world/runners.ts";
import { newWorkflowStage, type WorkflowStage } from "@/tests/support/world/workflows.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Statuses and states without a reason, with what pages say beside them instead. */
const NONE_NEEDED: Record<string, string> = {
  starting: "when it started, and that it goes on",
  running: "when it started, and that it goes on",
  success: "nothing: it is as it should be",
  // Steps of a run.
  pending: "the steps that it starts after",
  // Hosts of a checked template.
  as_described: "nothing: it is as it should be",
  // Targets of alerts, and alerts without rules.
  active: "nothing: it is as it should be",
  inactive: "the setting that turned it off, with its form",
};

/** The reason that stands with each status of the task that was made for it. */
const OF_TASKS: Record<string, RegExp> = {
  waiting: /One task at a time: waiting for #\d+/,
  waiting_confirmation: /Waits for 1 more approval: Everyone who may run tasks/,
  confirmed: /Starts now/,
  stopping: /Stopped by Bob\./,
  stopped: /Stopped by Mike\./,
  error: /web1: Copy: No space left/,
};

/** The same for runs of workflows and their steps. */
const OF_RUNS: Record<string, RegExp> = {
  approval: /Ready\?: Waits for 2 more approvals: Owner/,
  waiting: /0 of 2 approvals/,
  failed: /web1: Copy: No space left/,
  skipped: /Build failed/,
  stopped: /Stopped by Mike\./,
};

/** The reasons as the head and the cards of a page of its own say them, or lists around it. */
const ON_PAGE: Record<string, RegExp> = {
  ...OF_TASKS,
  waiting_confirmation: /Waits for 1 more approval|0 of 1 approvals.* Who can approve Everyone/,
  error: /web1:? Copy:? No space left/,
};

const FAILURE = {
  reason: {
    key: "errors.run.only_failure",
    params: { host: "web1", task: "Copy", message: "No space left" },
  },
  failure_line: 3,
};

/** Returns a page as a browser with a script gets it, because others wait for the end of a task. */
async function read({ people, request }: World, path: string, person: Person): Promise<string> {
  const headers = { Cookie: `callboard=${people[person].token}; zone=UTC` };
  const response = await request(path, { headers });
  assert.equal(response.status, 200, path);
  return await response.text();
}

/** A row of a table, or an item of a list. */
const ROW = /<(tr|li)\b.*?<\/\1>/gs;

/**
 * Asserts that each status that a page shows has its reason in the same row or item, or on the page
 * if it is about the whole page. Returns the statuses.
 */
async function look(
  world: World,
  path: string,
  reasons: Record<string, RegExp>,
  person: Person = "carol",
): Promise<string[]> {
  const html = await read(world, path, person);
  const rest = html.replaceAll(ROW, "");
  const seen: string[] = [];
  for (const part of [rest, ...html.match(ROW) ?? []]) {
    const said = textOf(part === rest ? html : part);
    for (const [, status] of part.matchAll(/data-status="(\w+)"/g)) {
      seen.push(status);
      if (status in NONE_NEEDED || status === "check") continue;
      assert.ok(status in reasons, `${path} shows "${status}": which reason does it have?`);
      assert.match(said, reasons[status], `${path}: ${status}: ${said.slice(0, 300)}`);
    }
  }
  return seen;
}

/** Creates a task in each status, each the latest one of its template. Returns their ids. */
async function taskInEachStatus(stage: WorkflowStage): Promise<Record<string, number>> {
  const { world, call, template } = stage;
  const start = async (template_id: number): Promise<number> =>
    (await call("POST", "/tasks", { template_id }, "bob")).id;
  const begin = async (template_id: number, to: "starting" | "running") => {
    const row = { id: await start(template_id), project_id: world.web.id };
    await advance(world.kv, row, "starting", { start: world.clock.now().toISOString() });
    if (to === "running") await advance(world.kv, row, to);
    return row.id;
  };
  const end = async (how: "success" | "error") => {
    const id = await start(await template());
    await stage.end({ id }, how, how === "error" ? FAILURE : undefined);
    return id;
  };
  const busy = await template();
  const asked = () => template({ require_confirmation: true });
  const ids: Record<string, number> = {
    running: await begin(busy, "running"),
    waiting: await start(busy),
    starting: await begin(await template(), "starting"),
    waiting_confirmation: await start(await asked()),
    confirmed: await start(await asked()),
    stopping: await begin(await template(), "running"),
    stopped: await start(await template()),
    success: await end("success"),
    error: await end("error"),
  };
  await call("POST", `/tasks/${ids.confirmed}/confirm`);
  await call("POST", `/tasks/${ids.stopping}/stop`, { force: false }, "bob");
  await call("POST", `/tasks/${ids.stopped}/stop`, { force: false }, "mike");
  return ids;
}

Deno.test("no page shows the status of a task without its reason", async () => {
  await using stage = await newWorkflowStage();
  const { world, call } = stage;
  const ids = await taskInEachStatus(stage);
  assert.deepEqual(Object.keys(ids).toSorted(), STATUSES.toSorted());
  const project = `/project/${world.web.id}`;
  const lists = ["history", "templates"].map((section) => `${project}/${section}`);
  for (const list of lists) {
    const seen = await look(world, list, OF_TASKS);
    const shown = list.endsWith("templates")
      ? STATUSES.filter((status) => status !== "running") // It is not the latest of its template.
      : STATUSES;
    for (const status of shown) assert.ok(seen.includes(status), `${list} shows no "${status}"`);
  }
  const activity = await look(world, `${project}/activity`, OF_TASKS);
  for (const status of STATUSES) assert.ok(activity.includes(status), `no activity "${status}"`);
  await look(world, "/queue", OF_TASKS, "erin");
  for (const [status, id] of Object.entries(ids)) {
    const { template_id } = await call("GET", `/tasks/${id}`);
    const over = `${project}/templates/${template_id}?t=${id}`;
    for (const page of [`${project}/tasks/${id}`, over]) {
      assert.ok((await look(world, page, ON_PAGE)).includes(status), `${page}: ${status}`);
    }
    await look(world, `${project}/templates/${template_id}`, OF_TASKS);
  }
});

Deno.test("the latest task of a schedule has its reason, and so has a failing schedule", async () => {
  await using stage = await newWorkflowStage();
  const { world, call } = stage;
  const { kv, web } = world;
  const ids = await taskInEachStatus(stage);
  for (const [status, id] of Object.entries(ids)) {
    const { template_id } = await call("GET", `/tasks/${id}`);
    const schedule = (await call("POST", "/schedules", {
      ...{ name: status, template_id, cron_format: "0 3 * * *", active: true },
    })).id;
    await amendTask(kv, { id, project_id: web.id }, { schedule_id: schedule });
    await transact(
      kv,
      (op) => updateScheduleRow(kv, op, web.id, schedule, (row) => ({ ...row, last_task_id: id })),
    );
  }
  const project = `/project/${web.id}`;
  const seen = await look(world, `${project}/schedules`, OF_TASKS);
  for (const status of STATUSES) assert.ok(seen.includes(status), `no schedule "${status}"`);
  const [, failing] = /<li id="failing-\d+"(.*?)<\/li>/s.exec(
    await read(world, `${project}/history`, "carol"),
  )!;
  assert.match(textOf(failing), OF_TASKS.error);
});

Deno.test("no page shows the status of a run or of its steps without its reason", async () => {
  await using stage = await newWorkflowStage();
  const { world, call } = stage;
  const template = await stage.template({ allow_parallel_tasks: true });
  const build = { kind: "template", template_id: template, name: "Build" };
  const ready = { kind: "approval", name: "Ready?", approval: { roles: ["owner"], needed: 2 } };
  const runs: Record<string, [workflow: number, run: number]> = {};
  for (const status of RUN_STATUSES) {
    const steps = status === "approval" ? [ready, build] : [build, ready];
    const workflow = await stage.workflow(status === "success" ? [build] : steps, {
      name: `Release ${status}`,
    });
    runs[status] = [workflow, await stage.start(workflow)];
    const [, run] = runs[status];
    const own = (await stage.openTasks()).find(({ workflow }) => workflow?.run_id === run);
    if (status === "failed") await stage.end(own!, "error", FAILURE);
    if (status === "success") await stage.end(own!, "success");
    if (status === "stopped") {
      await call("POST", `/workflows/${workflow}/runs/${run}/stop`, {}, "mike");
    }
    await stage.goOn();
  }
  const project = `/project/${world.web.id}`;
  for (const list of ["workflows", "runs"]) {
    const seen = await look(world, `${project}/${list}`, OF_RUNS);
    for (const status of RUN_STATUSES) assert.ok(seen.includes(status), `${list}: ${status}`);
  }
  const steps = new Set<string>();
  for (const [status, [workflow, run]] of Object.entries(runs)) {
    const page = `${project}/workflows/${workflow}`;
    assert.ok((await look(world, page, OF_RUNS)).includes(status), `${page}: ${status}`);
    const approval = /0 of 2 approvals.* Who can approve Owner/;
    const seen = await look(world, `${page}/runs/${run}`, { ...OF_RUNS, approval });
    assert.ok(seen.includes(status), `${page}/runs/${run}: ${status}`);
    for (const state of seen) steps.add(state);
  }
  for (const state of STEP_STATES) assert.ok(steps.has(state), `no step is "${state}"`);
});

Deno.test("a state of a host for a template says what differs, or what kept it from a check", async () => {
  await using world = await newWorld();
  const { web, deploy } = world;
  const run = await reportedTask(world, { check: true });
  const at = EPOCH;
  const unchecked = { status: "skipped", unchecked: true } as const;
  await run.report(
    play("Web"),
    task("motd", at),
    result("motd", "web1"),
    result("motd", "web2", { status: "changed", diff: "-by hand\n+by the book\n" }),
    result("motd", "web3", { status: "unreachable", message: "No route to host" }),
    result("motd", "web4", unchecked),
    result("motd", "web5", { status: "changed", diff: "-by hand\n+by the book\n" }),
    { type: "end", at, lost: 0, checkMode: [] },
  );
  await run.end("success", { end: new Date(at + 2).toISOString() });
  await storeDueDrift(world.deps);
  const page = `/project/${web.id}/templates/${deploy.id}/drift`;
  const accepted = await world.api("bob", "POST", `/api${page}/accept`, {
    ...{ hosts: ["web5"], until: "2024-06-01T00:00:00Z", note: "Until the move" },
  });
  assert.equal(accepted.status, 204, JSON.stringify(accepted.body));
  const reasons = {
    // The totals of the page have the number of hosts.
    would_change: /Differs 1\b/,
    not_reached: /No route to host|^Not reached 1$/,
    unknown: /Ansible tasks not checked: 1|^Not checked 1$/,
    accepted: /Until the move|^Accepted 1$/,
  };
  const seen = await look(world, page, reasons);
  for (const state of SHOWN_STATES) assert.ok(seen.includes(state), `no host is "${state}"`);
});

Deno.test("a host on which a task failed says why, in the list and on its page", async () => {
  await using world = await newWorld();
  const run = await reportedTask(world);
  await run.report(
    play("Web"),
    task("a"),
    result("a", "web1", { status: "failed", message: "No space left" }),
    result("a", "web2"),
    { type: "end", at: 0, lost: 0 },
  );
  await run.end("error");
  await rememberDue(world.deps);
  const list = `/project/${world.web.id}/hosts`;
  const [, row] = /<tr id="host-web1"(.*?)<\/tr>/s.exec(await read(world, list, "carol"))!;
  assert.match(textOf(row), /failed.* Task a: No space left/);
  assert.match(textOf(await read(world, `${list}/web1`, "carol")), /No space left/);
});

Deno.test("a runner that takes no task says why, in the list and on its page", async () => {
  await using world = await newWorld();
  const { kv, deps } = world;
  const touch = async (id: number) =>
    await touchRunner(deps, (await findRunner(kv, id))!, crypto.randomUUID(), FACTS);
  const make = async (name: string) => (await registeredRunner(world, { name })).id;
  const list = `/project/${world.web.id}/runners`;
  const { id: fresh } = await newRunner(world, { name: "fresh" });
  const [unseen, silent, paused, ready] = [
    ...[await make("unseen"), await make("silent"), await make("paused"), await make("ready")],
  ];
  await touch(silent);
  world.clock.advance(2 * 60_000);
  await touch(paused);
  await touch(ready);
  await world.post("mike", `${list}/${paused}/state`, { state: "paused" });
  const whys: [id: number, why: RegExp][] = [
    [fresh, /Not registered.*Create a registration token/],
    [unseen, /Never connected.*Start it on its machine: callboard runner start/],
    [silent, /Last seen.*finds the cause on its machine: callboard runner doctor/],
    [paused, /Paused.*Takes no new tasks/],
  ];
  const rows = await read(world, list, "mike");
  for (const [id, why] of whys) {
    const [, row] = new RegExp(`<tr id="runner-${id}"(.*?)</tr>`, "s").exec(rows)!;
    assert.match(textOf(row), why);
    assert.match(textOf(await read(world, `${list}/${id}`, "mike")), why);
    const { body } = await world.api("mike", "GET", `/api${list}/${id}`);
    assert.match(textOf(row), new RegExp(RegExp.escape(body.reason.message)));
  }
  assert.equal((await world.api("mike", "GET", `/api${list}/${ready}`)).body.reason, null);
});

Deno.test("a target that receives nothing says why in the list and on its page", async () => {
  await using world = await newWorld();
  const { kv, clock, web } = world;
  const list = `/project/${web.id}/alerts`;
  const make = async (name: string) => {
    const made = await world.post("mike", `${list}/targets/new`, {
      ...{ kind: "slack", name, "settings.url": "http://127.0.0.1:9/secret" },
      ...{ language: "en", active: "true" },
    });
    return Number(/target=(\d+)$/.exec(made.headers.get("location")!)![1]);
  };
  const [idle, paused] = [await make("Idle"), await make("Paused")];
  const key = rowKeys.alertTarget(web.id, paused);
  const { value } = await kv.get<object>(key);
  const since = { at: clock.now().toISOString(), reason: "410 Gone" };
  await kv.set(key, { ...value, failures: 20, paused: since });
  const seen = await look(world, list, { idle: /No rule New rule/, paused: /410 Gone/ }, "mike");
  assert.deepEqual(seen.filter((state) => !(state in NONE_NEEDED)).toSorted(), ["idle", "paused"]);
  const reasons = { idle: /No active rule sends alerts to this target/, paused: /410 Gone/ };
  for (const id of [idle, paused]) await look(world, `${list}/targets/${id}`, reasons, "mike");
});
