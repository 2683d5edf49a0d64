import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import type { OpenTask } from "@/lib/tasks/open_tasks.ts";
import type { TaskRow } from "@/lib/model/task_row.ts";
import { advance, amendTask } from "@/lib/tasks/steps.ts";
import { transact } from "@/lib/store/transact.ts";
import { updateScheduleRow } from "@/lib/triggers/schedules/repository.ts";
import { writeHistory } from "@/tests/support/world/history.ts";
import { cookiesOf, htmlOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const historyOf = ({ web }: World) => `/project/${web.id}/history`;

const open = async (world: World, query = "", cookie?: string) =>
  await htmlOf(
    await world.get("bob", historyOf(world) + query, cookie ? { Cookie: cookie } : undefined),
  );

/** Returns the text of a state of the overview, or null if the page does not have it. */
function partOf(html: string, name: string): string | null {
  const [, , part] =
    new RegExp(`<(details|section) id="overview-${name}".*?>(.*?)</\\1>`).exec(html) ?? [];
  return part?.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ").trim() ?? null;
}

async function start(world: World, template_id = world.deploy.id): Promise<number> {
  const path = `/api/project/${world.web.id}/tasks`;
  const { status, body } = await world.api("bob", "POST", path, { template_id });
  assert.equal(status, 201, JSON.stringify(body));
  return body.id;
}

async function run(world: World, id: number): Promise<void> {
  const task = { id, project_id: world.web.id };
  const start = world.clock.now().toISOString();
  await advance(world.kv, task, "starting", { start });
  await advance(world.kv, task, "running");
}

async function newTemplate(world: World, change: object): Promise<number> {
  const path = `/api/project/${world.web.id}/templates`;
  const { body } = await world.api("alice", "GET", `${path}/${world.deploy.id}`);
  const answer = await world.api("alice", "POST", path, { ...body, id: 0, ...change });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.id;
}

const limitProject = (world: World, max_parallel_tasks: number) =>
  world.api("alice", "PUT", `/api/project/${world.web.id}`, { name: "Web", max_parallel_tasks });

Deno.test("empty parts are not shown", async () => {
  await using world = await newWorld();
  const html = await open(world);
  for (const name of ["running", "waiting", "confirming", "failed", "coming"]) {
    assert.equal(partOf(html, name), null, name);
  }
  assert.match(html, /No tasks yet/);
});

Deno.test("a waiting task says that its template runs one at a time, and behind which task", async () => {
  await using world = await newWorld();
  const first = await start(world);
  await run(world, first);
  const second = await start(world);
  assert.equal(
    partOf(await open(world), "waiting"),
    `1 waiting #${second} Deploy shop One task at a time: waiting for #${first}`,
  );
});

Deno.test("a waiting task names the project's limit, and the tasks that have its slots", async () => {
  await using world = await newWorld();
  await limitProject(world, 1);
  const first = await start(world);
  await run(world, first);
  await start(world, await newTemplate(world, { name: "Other" }));
  assert.match(
    partOf(await open(world), "waiting")!,
    new RegExp(`Project limit of 1 parallel task reached: waiting for #${first}$`),
  );
});

Deno.test("a reason that several tasks share is said once", async () => {
  await using world = await newWorld();
  await limitProject(world, 1);
  const first = await start(world);
  await run(world, first);
  const other = await newTemplate(world, { name: "Other", allow_parallel_tasks: true });
  const alike = [await start(world, other), await start(world, other)];
  const own = await start(world);
  const [a, b] = alike.map((id) => `#${id} Other`);
  assert.equal(
    partOf(await open(world), "waiting"),
    `3 waiting 2 tasks wait behind #${first} (project limit: 1) ${a} ${b} ` +
      `#${own} Deploy shop One task at a time: waiting for #${first}`,
  );
  for (let n = 0; n < 5; n++) await start(world, other);
  assert.match(partOf(await open(world), "waiting")!, /^8 waiting 7 tasks wait .* 3 more$/);
});

Deno.test("a waiting task names the server's limit, and nothing of other projects", async () => {
  await using world = await newWorld({ config: { maxParallelTasks: 1 } });
  const id = await start(world);
  const { value } = await world.kv.get<OpenTask>(rowKeys.openTask(id));
  const elsewhere = { id: 1_000, project_id: world.lab.id, status: "running" } as const;
  await world.kv.set(rowKeys.openTask(1_000), { ...value, ...elsewhere });
  const html = await open(world);
  assert.match(partOf(html, "waiting")!, /Server limit of parallel tasks reached$/);
  assert.equal(partOf(html, "running"), null);
  assert.doesNotMatch(html, /#1000/);
});

Deno.test("a run is measured by the last one that succeeded and ran the same", async () => {
  await using world = await newWorld();
  const { kv, web } = world;
  const id = await start(world);
  await run(world, id);
  const progress = async (play_tasks: number) => {
    await kv.set(rowKeys.taskLogHead(id), { lines: 9, bytes: 9, closed: false, play_tasks });
    return partOf(await open(world), "running")!;
  };
  assert.match(await progress(3), /3 Ansible tasks so far/);
  const model = await getTaskRow(kv, web.id, id);
  const before = async (change: Partial<TaskRow>) => {
    const [older] = await writeHistory(kv, model, [{ status: "success", end: null, ...change }]);
    await kv.set(rowKeys.tasksWake(), older.id);
  };
  await before({ play_tasks: 12 });
  assert.match(await progress(3), /3 of about 12 Ansible tasks/);
  assert.match(await progress(13), /13 Ansible tasks so far/);
  await before({ play_tasks: 5, tags: ["quick"] });
  assert.match(await progress(3), /3 Ansible tasks so far/);
});

Deno.test("people who may run tasks confirm and reject from the dashboard, and stay there", async () => {
  await using world = await newWorld();
  const template = await newTemplate(world, { name: "Asked", require_confirmation: true });
  const [first, second] = [await start(world, template), await start(world, template)];
  const html = await open(world);
  assert.match(partOf(html, "confirming")!, /Review #\d+ Approve #\d+ Reject #\d+/);
  const looking = await htmlOf(await world.get("carol", historyOf(world)));
  assert.doesNotMatch(partOf(looking, "confirming")!, /Reject/);
  const back = historyOf(world);
  const path = (id: number, what: string) => `/project/${world.web.id}/tasks/${id}/${what}`;
  const confirmed = await world.post("bob", path(first, "confirm"), { back });
  assert.equal(confirmed.headers.get("Location"), back);
  assert.equal((await getTaskRow(world.kv, world.web.id, first)).status, "confirmed");
  // Redirects lead only to pages of the project.
  const odd = await world.post("bob", path(second, "reject"), {
    back: "//evil.example/project/1/",
  });
  assert.match(odd.headers.get("Location")!, /\/templates\/\d+\?t=\d+$/);
});

Deno.test("failures since the last visit are news until they are seen, in this browser", async () => {
  await using world = await newWorld();
  const { clock, kv, web } = world;
  const fail = async () => {
    const id = await start(world);
    const end = clock.now().toISOString();
    await advance(kv, { id, project_id: web.id }, "error", { end });
    return id;
  };
  const cookie = (visit: string) => `callboard=${world.people.bob.token}; visit=${visit}`;
  const look = async (visit: string) => {
    const response = await world.request(historyOf(world), { headers: { Cookie: cookie(visit) } });
    const { visit: next = visit } = cookiesOf(response);
    return { html: await htmlOf(response), visit: next };
  };
  clock.advance(1000);
  const old = await fail();
  let { html, visit } = await look("");
  assert.match(partOf(html, "failed")!, new RegExp(`#${old} `));
  clock.advance(10 * 60_000);
  ({ html, visit } = await look(visit));
  assert.match(partOf(html, "failed")!, /#/, "still the same visit");

  clock.advance(60 * 60_000);
  const missed = await fail();
  ({ html, visit } = await look(visit));
  assert.match(partOf(html, "failed")!, new RegExp(`1 failed .*#${missed} `));

  const seen = await world.request(`${historyOf(world)}/seen`, {
    method: "POST",
    headers: { Cookie: cookie(visit), Origin: "http://callboard.test" },
  });
  assert.equal(seen.headers.get("Location"), historyOf(world));
  ({ html, visit } = await look(cookiesOf(seen).visit));
  assert.equal(partOf(html, "failed"), null);
  clock.advance(1000);
  await fail();
  ({ html } = await look(visit));
  assert.match(partOf(html, "failed")!, /1 failed /);
  // A manipulated cookie does no harm.
  for (const odd of ["x", "1.2.3", "999999999999999.1", "-1.-1"]) {
    assert.match((await look(odd)).html, /id="overview"/);
  }
});

Deno.test("the next schedules are listed, the first one first", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}/schedules`;
  for (const [name, cron_format] of [["Late", "0 20 * * *"], ["Early", "0 11 * * *"]]) {
    const schedule = { name, template_id: world.deploy.id, cron_format, active: true };
    assert.equal((await world.api("alice", "POST", path, schedule)).status, 201);
  }
  assert.match(partOf(await open(world), "coming")!, /Deploy shop Early .* Deploy shop Late/);
});

Deno.test("failing schedules are among the failures and next runs, and marked in the drawer", async () => {
  await using world = await newWorld();
  const { clock, kv, web } = world;
  const api = `/api/project/${web.id}`;
  const create = async (name: string, template_id = world.deploy.id) => {
    const schedule = { name, template_id, cron_format: "0 3 * * *", active: true };
    const { status, body } = await world.api("alice", "POST", `${api}/schedules`, schedule);
    assert.equal(status, 201, JSON.stringify(body));
    return body.id as number;
  };
  const drawerMark = async () => {
    const html = await htmlOf(await world.get("bob", `/project/${web.id}/team`));
    return /<span id="failing-schedules".*?<\/li>/.exec(html)![0].replaceAll(/<[^>]*>/g, "");
  };
  /** Starts and ends the task of a schedule. */
  const runs = async (
    id: number,
    status: "error" | "success",
    more: Partial<TaskRow> = { end_reason: { key: "errors.run.interrupted" } },
  ) => {
    const task = { id: await start(world), project_id: web.id };
    await amendTask(kv, task, { schedule_id: id });
    await transact(
      kv,
      (op) => updateScheduleRow(kv, op, web.id, id, (row) => ({ ...row, last_task_id: task.id })),
    );
    await run(world, task.id);
    const end = clock.now().toISOString();
    await advance(kv, task, status, { end, ...more });
    return task.id;
  };
  const nightly = await create("Nightly");
  const fine = await create("Fine");
  assert.equal(await drawerMark(), "");
  await runs(fine, "success");
  assert.equal(await drawerMark(), "");

  // The hosts that a check could not reach have states of their own.
  const end_reason = { key: "errors.run.only_unreachable", params: { unreachable: 1, hosts: 3 } };
  await runs(nightly, "error", { check: true, end_reason });
  assert.equal(await drawerMark(), "");

  const failed = await runs(nightly, "error");
  assert.equal(await drawerMark(), "1 (1 failing schedule)");
  let html = await open(world);
  // Once, as the schedule, and not again as a task.
  assert.match(partOf(html, "failed")!, new RegExp(`^1 failed Nightly #${failed} Deploy shop `));
  assert.match(
    html,
    /id="coming-\d+"><span class="run-name"><svg[^>]*aria-label="Failing schedule"/,
  );
  // A failing schedule stays until it succeeds, also when its failure has been seen.
  const visit = `${clock.now().getTime() + 1}.${clock.now().getTime() + 1}`;
  clock.advance(1000);
  html = await open(world, "", `callboard=${world.people.bob.token}; visit=${visit}`);
  assert.match(partOf(html, "failed")!, /^1 failed Nightly/);

  await transact(kv, (op) =>
    updateScheduleRow(kv, op, web.id, fine, (row) => ({
      ...row,
      last_error: { key: "errors.schedule_missed", at: clock.now().toISOString() },
    })));
  assert.equal(await drawerMark(), "2 (2 failing schedules)");
  assert.match(partOf(await open(world), "failed")!, /^2 failed .*Fine Deploy shop \S+.* now/);

  await runs(nightly, "success");
  assert.equal(await drawerMark(), "1 (1 failing schedule)");
  const off = await world.api("alice", "PUT", `${api}/schedules/${fine}/active`, { active: false });
  assert.equal(off.status, 204);
  assert.equal(await drawerMark(), "", "a disabled schedule does not fail");

  // A task that was deleted says nothing about its schedule.
  const gone = await runs(nightly, "error");
  assert.equal(await drawerMark(), "1 (1 failing schedule)");
  assert.equal((await world.api("erin", "DELETE", `${api}/tasks/${gone}`)).status, 204);
  assert.equal(await drawerMark(), "");
});
