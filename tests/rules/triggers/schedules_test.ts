import { openProject } from "@/lib/access/scope.ts";
import assert from "node:assert/strict";
import { AppError } from "@/lib/base/errors.ts";
import { tell } from "@/lib/i18n/tell.ts";
import { translator } from "@/lib/i18n/translate.ts";
import { listEvents } from "@/lib/events/service.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { transact } from "@/lib/store/transact.ts";
import type { RemoteCommit } from "@/lib/triggers/schedules/fire.ts";
import { startScheduler } from "@/lib/triggers/schedules/loop.ts";
import { putFiring } from "@/lib/triggers/schedules/firing.ts";
import { deleteTemplateSchedules, scheduleRows } from "@/lib/triggers/schedules/repository.ts";
import { listTaskRows } from "@/lib/tasks/repository.ts";
import { templateRows } from "@/lib/templates/repository.ts";
import type { TemplateRow } from "@/lib/templates/schema.ts";
import { isSettled, ring, schedule, startSchedules } from "@/tests/support/world/schedules.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const tasksOf = ({ kv, web }: World) => listTaskRows(kv, web.id, { limit: 1_000 });
const schedulesOf = (world: World) => `/api/project/${world.web.id}/schedules`;

async function add(world: World, form: Record<string, unknown>): Promise<number> {
  const body = {
    template_id: world.web.templateId,
    cron_format: "TZ=UTC @hourly",
    active: true,
    ...form,
  };
  const { status, body: made } = await world.api("alice", "POST", schedulesOf(world), body);
  assert.equal(status, 201, JSON.stringify(made));
  return made.id;
}

const get = async (world: World, id: number) =>
  (await world.api("alice", "GET", `${schedulesOf(world)}/${id}`)).body;

/** Moves the clock while schedulers run. */
async function moveTo(world: World, time: string): Promise<void> {
  world.clock.set(time);
  await ring(world);
}

async function eventsOf(world: World): Promise<string[]> {
  const { events } = await listEvents(
    await openProject({ deps: world.deps, actor: world.people.alice.actor }, world.web.id),
  );
  return events.filter(({ object_type }) => object_type === "schedule")
    .map(({ description }) => tell(description, translator("en")));
}

async function changeTemplate(world: World, change: Partial<TemplateRow>): Promise<void> {
  await transact(world.kv, async (op) => {
    await templateRows.update(world.kv, op, world.web.id, world.web.templateId, (row) => ({
      ...row,
      ...change,
    }));
  });
}

Deno.test("Alice creates a schedule, and sees when it comes", async () => {
  await using world = await newWorld();
  world.clock.set("2024-05-03T12:00:00Z");
  const sent = {
    project_id: world.web.id,
    template_id: world.web.templateId,
    name: "Nightly",
    cron_format: "30 2 * * *",
    timezone: "Europe/Berlin",
    active: true,
    task_params: { message: "by night", environment: '{"release":"v2"}', extra: [1] },
  };
  const { status, body } = await world.api("alice", "POST", schedulesOf(world), sent);
  assert.equal(status, 201);
  assert.deepEqual(body, {
    id: body.id,
    ...sent,
    workflow_id: null,
    tpl_name: "Deploy shop",
    type: "",
    offset_days: 0,
    run_at: null,
    delete_after_run: false,
    repository_id: null,
    if_waiting: "all",
    check: false,
    set_by: null,
    last_skipped_at: null,
    last_commit_hash: null,
    missed: "skip",
    next_runs: ["04", "05", "06", "07", "08"].map((day) => `2024-05-${day}T00:30:00.000Z`),
    last_task_id: null,
    last_run_id: null,
    last_error: null,
    last_error_at: null,
  });
  assert.deepEqual(await get(world, body.id), body);
  assert.deepEqual((await world.api("carol", "GET", schedulesOf(world))).body, [body]);
});

Deno.test("a schedule with a name and without a switch is disabled", async () => {
  await using world = await newWorld();
  const { templateId: template_id, id: project_id } = world.web;
  const cases: [Record<string, unknown>, boolean][] = [
    [{ name: "Nightly" }, false],
    [{ name: "", active: null }, false],
    [{ name: "Nightly", active: true }, true],
    [{ active: false }, false],
  ];
  for (const [sent, active] of cases) {
    const form = { project_id, template_id, cron_format: "@hourly", ...sent };
    const made = await world.api("alice", "POST", schedulesOf(world), form);
    assert.equal(made.body.active, active, `POST ${JSON.stringify(sent)}`);
    const path = `${schedulesOf(world)}/${made.body.id}`;
    for (const before of [true, false]) {
      await world.api("alice", "PUT", `${path}/active`, { active: before });
      const put = await world.api("alice", "PUT", path, { id: made.body.id, ...form });
      assert.equal(put.status, 204);
      const after = await get(world, made.body.id);
      assert.equal(after.active, active, `PUT ${JSON.stringify(sent)}, it was ${before}`);
      assert.equal(after.next_runs.length, active ? 5 : 0);
    }
  }
});

Deno.test("a schedule's times are moved by offset_days, and a preview says when they are", async () => {
  await using world = await newWorld();
  const { templateId: template_id } = world.web;
  const timed = { cron_format: "0 3 1 * *", timezone: "UTC", offset_days: -1 };
  const form = { template_id, name: "Last day", active: true, ...timed };
  const made = await world.api("alice", "POST", schedulesOf(world), form);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.equal(made.body.offset_days, -1);
  const isLastDay = (run: string) => new Date(Date.parse(run) + 86_400_000).getUTCDate() === 1;
  assert.ok(made.body.next_runs.length === 5 && made.body.next_runs.every(isLastDay));
  const validate = (body: object) =>
    world.api("alice", "POST", `${schedulesOf(world)}/validate`, body);
  assert.deepEqual((await validate(timed)).body, { next_runs: made.body.next_runs });
  const plain = await validate({ cron_format: "0 3 1 * *", timezone: "UTC" });
  assert.ok(plain.body.next_runs.every((run: string) => new Date(run).getUTCDate() === 1));

  const path = `${schedulesOf(world)}/${made.body.id}`;
  const put = async (change: object) => {
    const { status, body } = await world.api("alice", "PUT", path, { ...form, ...change });
    return status === 204 ? await get(world, made.body.id) : body.fields;
  };
  assert.equal((await put({ offset_days: undefined })).offset_days, -1);
  const moved = await put({ offset_days: 1 });
  assert.ok(moved.next_runs.every((run: string) => new Date(run).getUTCDate() === 2));
  for (
    const wrong of [
      { offset_days: 32 },
      { offset_days: -32 },
      { offset_days: 1.5 },
      { cron_format: "@every 1h" },
      { type: "run_at", run_at: "2099-01-01T00:00:00Z" },
    ]
  ) assert.deepEqual(Object.keys(await put(wrong)), ["offset_days"], JSON.stringify(wrong));
  assert.equal((await validate({ ...timed, offset_days: 40 })).status, 400);
  assert.equal((await put({ offset_days: 0 })).offset_days, 0);
});

Deno.test("a client of 2.9 creates schedules that run, and changes neither name nor switch", async () => {
  await using world = await newWorld();
  const { templateId: template_id, id: project_id } = world.web;
  const form = { project_id, template_id, cron_format: "@hourly", repository_id: null };
  for (const sent of [{}, { name: null, active: null }]) {
    const made = await world.api("alice", "POST", schedulesOf(world), { ...form, ...sent });
    assert.deepEqual([made.body.name, made.body.active], ["", true]);
    const path = `${schedulesOf(world)}/${made.body.id}`;
    const set = { name: "Nightly", active: false, task_params: { message: "by night" } };
    await world.api("alice", "PUT", path, { ...form, ...set });
    const daily = { ...form, ...sent, id: made.body.id, cron_format: "@daily" };
    assert.equal((await world.api("alice", "PUT", path, daily)).status, 204);
    const { name, active, task_params, cron_format } = await get(world, made.body.id);
    assert.deepEqual({ name, active, task_params }, set);
    assert.equal(cron_format, "@daily");
  }
});

Deno.test("a schedule that a client of 2.9 deletes and creates again keeps what it does not know", async () => {
  await using world = await newWorld();
  const { templateId: template_id } = world.web;
  const known = {
    name: "Nightly",
    active: false,
    timezone: "Europe/Berlin",
    missed: "run_once",
    task_params: { message: "by night" },
  };
  const remake = async (first: Record<string, unknown>, waitMs = 0) => {
    const id = await add(world, first);
    assert.equal((await world.api("mike", "DELETE", `${schedulesOf(world)}/${id}`)).status, 204);
    world.clock.advance(waitMs);
    const form = { template_id, cron_format: "@daily" };
    const made = await world.api("mike", "POST", schedulesOf(world), form);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body;
  };
  const again = await remake(known);
  for (const [name, value] of Object.entries(known)) assert.deepEqual(again[name], value, name);
  assert.equal(again.cron_format, "@daily");

  const other = await world.api("mike", "POST", schedulesOf(world), {
    template_id,
    cron_format: "@daily",
  });
  assert.deepEqual([other.body.name, other.body.active], ["", true], "only once");
  const late = await remake(known, 5 * 60_000);
  assert.deepEqual([late.name, late.active], ["", true], "only right afterwards");
  await world.api("mike", "DELETE", `${schedulesOf(world)}/${await add(world, known)}`);
  const named = await add(world, { name: "Other", active: true });
  assert.deepEqual((await get(world, named)).task_params, null, "who knows names says all");
});

Deno.test("a template's list has all of its schedules; a front end's form gets what it can replace", async () => {
  await using world = await newWorld();
  const ofTemplate = `/api/project/${world.web.id}/templates/${world.web.templateId}/schedules`;
  const plain = await add(world, {});
  const check = await add(world, { repository_id: world.web.repositoryId });
  const run_at = new Date(world.clock.now().getTime() + 60_000).toISOString();
  const others: Record<string, unknown>[] = [
    { name: "Nightly" },
    { name: "On commit", repository_id: world.web.repositoryId },
    { type: "run_at", run_at, cron_format: "" },
    { active: false },
    { timezone: "Europe/Berlin", cron_format: "@hourly" },
    { missed: "run_once" },
    { task_params: { message: "by night" } },
  ];
  const hidden: number[] = [];
  for (const form of others) hidden.push(await add(world, form));
  const ids = (schedules: { id: number }[]) => schedules.map(({ id }) => id);
  const idsOf = async (path: string) => ids((await world.api("carol", "GET", path)).body);
  assert.deepEqual(await idsOf(ofTemplate), [plain, check, ...hidden]);
  const browser = { "Sec-Fetch-Site": "same-origin" };
  const shown = ids(await (await world.get("carol", ofTemplate, browser)).json());
  assert.deepEqual(shown, [plain, check]);
  assert.deepEqual(await idsOf(schedulesOf(world)), [plain, check, ...hidden]);
  const unknown = ofTemplate.replace(/\d+\/sch/, "99/sch");
  assert.equal((await world.api("carol", "GET", unknown)).status, 404);

  for (const id of shown) {
    assert.equal((await world.api("mike", "DELETE", `${schedulesOf(world)}/${id}`)).status, 204);
  }
  assert.deepEqual(await idsOf(schedulesOf(world)), hidden);
  const page = await world.get(
    "alice",
    `/project/${world.web.id}/templates/${world.web.templateId}`,
  );
  const html = await page.text();
  for (const name of ["Nightly", "On commit"]) assert.ok(html.includes(name), name);
});

Deno.test("a schedule's runs use an inventory of its own project, which stays while they do", async () => {
  await using world = await newWorld();
  const theirs = await world.api("dave", "POST", `/api/project/${world.lab.id}/inventory`, {
    name: "Theirs",
    type: "static",
    inventory: "localhost",
  });
  const form = { template_id: world.web.templateId, cron_format: "@hourly" };
  const wrong = { ...form, task_params: { inventory_id: theirs.body.id } };
  const id = await add(world, {});
  for (
    const [method, path] of [["POST", schedulesOf(world)], ["PUT", `${schedulesOf(world)}/${id}`]]
  ) {
    const { status, body } = await world.api("alice", method, path, wrong);
    assert.equal(status, 404, method);
    assert.deepEqual(Object.keys(body.fields), ["task_params.inventory_id"]);
    assert.match(body.error, /^task_params\.inventory_id: /);
  }
  const own = await world.api("alice", "POST", `/api/project/${world.web.id}/inventory`, {
    name: "Own",
    type: "static",
    inventory: "localhost",
  });
  const item = `/api/project/${world.web.id}/inventory/${own.body.id}`;
  const user = await add(world, { name: "Nightly", task_params: { inventory_id: own.body.id } });
  const refused = await world.api("alice", "DELETE", item);
  assert.equal(refused.status, 409);
  assert.match(refused.body.error, /schedule "Nightly"/);
  await world.api("alice", "DELETE", `${schedulesOf(world)}/${user}`);
  assert.equal((await world.api("alice", "DELETE", item)).status, 204);
});

Deno.test("an invalid schedule is refused with the field's name", async () => {
  await using world = await newWorld();
  world.clock.set("2024-05-03T00:30:00Z");
  const { templateId } = world.web;
  const cases: [Record<string, unknown>, number, string][] = [
    [{ cron_format: "* * * *" }, 400, "cron_format"],
    [{ cron_format: "* * * * * *" }, 400, "cron_format"],
    [{ cron_format: "" }, 400, "cron_format"],
    [{ timezone: "Nowhere/Land" }, 400, "cron_format"],
    [{ template_id: 999 }, 404, "template_id"],
    [{ template_id: "x" }, 400, "template_id"],
    [{ repository_id: 999 }, 404, "repository_id"],
    [{ type: "run_at" }, 400, "run_at"],
    [{ type: "run_at", run_at: "2024-05-03T00:30:00Z" }, 400, "run_at"],
    [{ type: "run_at", run_at: "tomorrow" }, 400, "run_at"],
    [{ type: "sometimes" }, 400, "type"],
    [{ missed: "always" }, 400, "missed"],
    [{ name: "x".repeat(101) }, 400, "name"],
    [{ task_params: { secret: '{"token":"s3cret"}' } }, 400, "task_params.secret"],
    [{ task_params: { environment: "[1]" } }, 400, "task_params.environment"],
    [{ task_params: { message: "x".repeat(2_000) } }, 400, "task_params.message"],
    [{ task_params: { anything: "x".repeat(20_000) } }, 400, "task_params"],
    [{ project_id: 999 }, 400, "project_id"],
  ];
  for (const [wrong, status, field] of cases) {
    const form = { template_id: templateId, cron_format: "@hourly", ...wrong };
    const answer = await world.api("alice", "POST", schedulesOf(world), form);
    const told = JSON.stringify([wrong, answer.body]);
    assert.equal(answer.status, status, told);
    assert.ok(field in answer.body.fields, told);
    assert.equal(typeof answer.body.error, "string");
  }
  assert.deepEqual((await world.api("alice", "GET", schedulesOf(world))).body, []);
});

Deno.test("a cron format is validated with a sentence, by those who may use it", async () => {
  await using world = await newWorld();
  const path = `${schedulesOf(world)}/validate`;
  const fine = await world.api("alice", "POST", path, { cron_format: "TZ=UTC 0 3 * * MON" });
  assert.deepEqual([fine.status, fine.body.next_runs.length], [200, 5]);
  for (const cron_format of ["", "0 3 * *", "99 * * * *", "@never"]) {
    const { status, body } = await world.api("alice", "POST", path, { cron_format });
    assert.equal(status, 400);
    assert.match(body.error, /^Cron: /);
  }
  assert.equal((await world.api("bob", "POST", path, { cron_format: "@daily" })).status, 403);
  assert.equal((await world.api("dave", "POST", path, { cron_format: "@daily" })).status, 404);
});

Deno.test("a template has at most forty schedules", async () => {
  await using world = await newWorld();
  for (let n = 0; n < 40; n++) await add(world, {});
  const form = { template_id: world.web.templateId, cron_format: "@daily" };
  assert.equal((await world.api("alice", "POST", schedulesOf(world), form)).status, 409);
});

Deno.test("a schedule starts its task on time, with its values", async () => {
  await using world = await newWorld();
  world.clock.set("2024-05-03T00:30:00Z");
  const id = await add(world, {
    task_params: { message: "hello", environment: { release: "v2" }, dry_run: true },
  });
  await schedule(world, "2024-05-03T01:00:00.300Z");
  const [task, ...others] = await tasksOf(world);
  assert.deepEqual(others, []);
  assert.equal(task.schedule_id, id);
  assert.equal(task.user_id, null);
  assert.equal(task.message, "hello");
  assert.equal(task.environment, '{"release":"v2"}');
  assert.equal(task.dry_run, true);
  const after = await get(world, id);
  assert.equal(after.last_task_id, task.id);
  assert.equal(after.next_runs[0], "2024-05-03T02:00:00.000Z");
});

Deno.test("a disabled schedule does not come; enabled again, it comes from then on", async () => {
  await using world = await newWorld();
  world.clock.set("2024-05-03T00:30:00Z");
  const id = await add(world, { active: false });
  assert.deepEqual((await get(world, id)).next_runs, []);
  world.clock.set("2024-05-03T05:30:00Z");
  const path = `${schedulesOf(world)}/${id}/active`;
  assert.equal((await world.api("alice", "PUT", path, { active: true })).status, 204);
  assert.equal((await get(world, id)).next_runs[0], "2024-05-03T06:00:00.000Z");
  assert.equal((await world.api("alice", "PUT", path, { active: false })).status, 204);
  assert.deepEqual((await get(world, id)).next_runs, []);
  assert.equal((await world.api("bob", "PUT", path, { active: true })).status, 403);
  assert.equal((await world.api("alice", "PUT", path, { active: "on" })).status, 400);
  assert.deepEqual(await Array.fromAsync(world.kv.list({ prefix: rowKeys.schedulesDue() })), []);
});

Deno.test("runs missed while no server was there are reported, and only made up if wanted", async () => {
  await using world = await newWorld();
  world.clock.set("2024-05-03T00:30:00Z");
  const skipped = await add(world, { name: "skipped" });
  const madeUp = await add(world, { name: "made up", missed: "run_once" });
  world.clock.set("2024-05-03T05:20:00Z"); // a server starts again after five missed times
  await schedule(world, world.clock.now());
  assert.deepEqual((await tasksOf(world)).map(({ schedule_id }) => schedule_id), [madeUp]);
  for (const id of [skipped, madeUp]) {
    assert.equal((await get(world, id)).next_runs[0], "2024-05-03T06:00:00.000Z");
  }
  assert.match((await get(world, skipped)).last_error, /no server was running/);
  const told = (await eventsOf(world)).filter((sentence) => sentence.includes("missed"));
  assert.equal(told.length, 2);
  for (const sentence of told) {
    assert.match(sentence, /missed 5 of its times since May 3, 2024, 1:00:00\sAM UTC/);
  }
});

Deno.test("a run that is a moment late, with a server there, is started", async () => {
  await using world = await newWorld();
  world.clock.set("2024-05-03T00:59:50Z");
  const id = await add(world, {});
  await schedule(world, "2024-05-03T01:00:30Z");
  const [{ id: task }, ...others] = await tasksOf(world);
  assert.deepEqual(others, []);
  assert.equal((await get(world, id)).last_task_id, task);
});

Deno.test("a one-time schedule runs once, and goes if it is to go", async () => {
  await using world = await newWorld();
  world.clock.set("2024-05-03T00:30:00Z");
  const once = { type: "run_at", cron_format: "", run_at: "2024-05-03T02:00:00+01:00" };
  const stays = await add(world, once);
  const goes = await add(world, { ...once, delete_after_run: true });
  assert.deepEqual((await get(world, goes)).next_runs, ["2024-05-03T01:00:00.000Z"]);
  await schedule(world, "2024-05-03T01:00:00Z");
  assert.equal((await world.api("alice", "GET", `${schedulesOf(world)}/${goes}`)).status, 404);
  assert.equal((await tasksOf(world)).length, 2);
  const after = await get(world, stays);
  assert.deepEqual([after.active, after.next_runs], [false, []]);
  const again = await world.api("alice", "PUT", `${schedulesOf(world)}/${stays}/active`, {
    active: true,
  });
  assert.equal(again.status, 400);
  assert.match(again.body.fields.run_at, /future/);
});

Deno.test("a task that cannot be started is reported on the schedule, and once as an event", async () => {
  await using world = await newWorld();
  world.clock.set("2024-05-03T00:30:00Z");
  await changeTemplate(world, {
    survey_vars: [{
      name: "release",
      title: "Release",
      description: "",
      type: "",
      required: true,
      values: [],
      target: "",
      default_value: "",
    }],
  });
  const id = await add(world, {});
  for (const hour of ["01", "02"]) {
    await schedule(world, `2024-05-03T${hour}:00:00Z`);
    const { last_error, last_error_at } = await get(world, id);
    assert.equal(last_error, "Release is required");
    assert.equal(last_error_at, `2024-05-03T${hour}:00:00.000Z`);
  }
  assert.deepEqual(await tasksOf(world), []);
  const failed = (await eventsOf(world)).filter((sentence) => sentence.includes("could not"));
  assert.equal(failed.length, 1);
  assert.match(failed[0], /Release is required/);
});

Deno.test("only a new commit starts a task, and a commit whose task failed is not lost", async () => {
  await using world = await newWorld();
  world.clock.set("2024-05-03T00:30:00Z");
  const asked: unknown[] = [];
  const heads: (string | AppError)[] = [
    "a".repeat(40),
    "a".repeat(40),
    new AppError(422, "errors.stale"),
    "b".repeat(40),
    "b".repeat(40),
    "b".repeat(40),
  ];
  const remoteCommit: RemoteCommit = (projectId, { address, branch }) => {
    asked.push([projectId, address.url, branch]);
    const head = heads[asked.length - 1];
    return typeof head === "string" ? Promise.resolve(head) : Promise.reject(head);
  };
  const id = await add(world, { repository_id: world.web.repositoryId });
  const hour = async (n: number) => {
    await schedule(world, (await get(world, id)).next_runs[0], remoteCommit);
    assert.equal(asked.length, n);
    return (await tasksOf(world)).length;
  };
  assert.equal((await get(world, id)).last_commit_hash, null);
  assert.equal(await hour(1), 1, "the first time always runs");
  assert.equal((await get(world, id)).last_commit_hash, "a".repeat(40));
  assert.equal(await hour(2), 1, "the same commit does not");
  assert.equal(await hour(3), 1);
  assert.match((await get(world, id)).last_error, /at the same time/);
  await changeTemplate(world, { type: "deploy" }); // a deploy without a build cannot be started
  assert.equal(await hour(4), 1);
  assert.notEqual((await get(world, id)).last_error, null);
  await changeTemplate(world, { type: "" });
  assert.equal(await hour(5), 2, "the commit is still new");
  assert.equal((await get(world, id)).last_error, null);
  assert.equal(await hour(6), 2);
  const [newest] = await tasksOf(world);
  assert.equal(newest.commit_hash, "b".repeat(40), "the task checks out the commit that was seen");
  assert.deepEqual(asked[0], [world.web.id, "https://git.example.com/shop.git", "main"]);
});

Deno.test("a check for new commits that takes longer than its interval has no other beside it", async () => {
  await using world = await newWorld();
  world.clock.set("2024-05-03T00:31:00Z");
  const cron_format = "TZ=UTC */5 * * * *";
  const id = await add(world, { cron_format, repository_id: world.web.repositoryId });
  const plain = await add(world, { cron_format });
  let checks = 0;
  const slow = Promise.withResolvers<string>();
  const remoteCommit: RemoteCommit = () => (checks++, slow.promise);
  // A second server would take over a job whose lease has ended on its clock.
  const schedulers = [startSchedules(world.deps, remoteCommit), startScheduler(world.deps)];
  const runsOf = async (schedule: number) =>
    (await tasksOf(world)).filter(({ schedule_id }) => schedule_id === schedule).length;
  const comeTo = async (minute: number, runs: number) => {
    await moveTo(world, `2024-05-03T00:${minute}:00Z`);
    const next = `2024-05-03T00:${minute + 5}:00.000Z`;
    await until(async () =>
      await runsOf(plain) === runs && (await get(world, id)).next_runs[0] === next
    );
  };
  try {
    for (const [n, minute] of [35, 40, 45].entries()) await comeTo(minute, n + 1);
    assert.equal(checks, 1);
    assert.equal((await get(world, id)).last_error, null);
    slow.resolve("a".repeat(40));
    await until(() => isSettled(world));
    assert.equal(await runsOf(id), 1);
    await comeTo(50, 4);
    await until(() => isSettled(world));
    assert.equal(checks, 2, "the next one comes as ever");
  } finally {
    await Promise.all(schedulers.map((scheduler) => scheduler.stop()));
  }
});

Deno.test("a check that outlives what it was given is not begun again by its own server", async () => {
  await using world = await newWorld();
  world.clock.set("2024-05-03T00:30:00Z");
  const id = await add(world, { repository_id: world.web.repositoryId, missed: "run_once" });
  let checks = 0;
  const slow = Promise.withResolvers<string>();
  const scheduler = startSchedules(world.deps, () => (checks++, slow.promise));
  await moveTo(world, "2024-05-03T01:00:00Z");
  await until(() => checks === 1);
  await moveTo(world, "2024-05-03T02:30:00Z"); // the clock was set forward, or the server was slow
  await until(async () => (await get(world, id)).next_runs[0] === "2024-05-03T03:00:00.000Z");
  assert.equal(checks, 1);
  slow.resolve("a".repeat(40));
  await until(() => isSettled(world));
  await scheduler.stop();
  assert.equal((await tasksOf(world)).length, 1);
});

Deno.test("a run whose server died while starting it is reported, and made up only if wanted", async () => {
  await using world = await newWorld();
  world.clock.set("2024-05-03T00:30:00Z");
  const skip = await add(world, {});
  const again = await add(world, { missed: "run_once" });
  const done = await add(world, {});
  const task = await world.api("alice", "POST", `/api/project/${world.web.id}/tasks`, {
    template_id: world.web.templateId,
  });
  for (const id of [skip, again, done]) {
    const row = await scheduleRows.get(world.kv, world.web.id, id);
    const op = world.kv.atomic();
    putFiring(op, world.deps, row, id === done ? { started: task.body.id } : {});
    await op.commit();
  }
  await schedule(world, "2024-05-03T00:31:01Z");
  assert.notEqual((await get(world, again)).last_task_id, null);
  assert.equal((await get(world, done)).last_task_id, task.body.id);
  assert.match((await get(world, skip)).last_error, /no server was running/);
  assert.equal((await tasksOf(world)).length, 2);
});

Deno.test("a template takes its schedules with it, and a watched repository stays", async () => {
  await using world = await newWorld();
  world.clock.set("2024-05-03T00:30:00Z");
  const { web, kv } = world;
  const id = await add(world, { repository_id: web.repositoryId, name: "watcher" });
  await add(world, {});
  const repository = `/api/project/${web.id}/repositories/${web.repositoryId}`;
  const refs = await world.api("alice", "GET", `${repository}/refs`);
  assert.deepEqual(refs.body.schedules, [{ id, name: "watcher" }]);
  await transact(kv, (op) => deleteTemplateSchedules(kv, op, web.id, web.templateId));
  assert.deepEqual((await world.api("alice", "GET", schedulesOf(world))).body, []);
  assert.deepEqual(await Array.fromAsync(kv.list({ prefix: rowKeys.schedulesDue() })), []);
  assert.deepEqual((await world.api("alice", "GET", `${repository}/refs`)).body.schedules, []);
});

Deno.test("a deleted project leaves no due time behind, and no other project's is touched", async () => {
  await using world = await newWorld();
  await add(world, {});
  await world.kv.set(rowKeys.scheduleDue("2030-01-01T00:00:00.000Z", 99), {
    project_id: world.lab.id,
    checks: false,
  });
  const { status } = await world.api("alice", "DELETE", `/api/project/${world.web.id}`);
  assert.equal(status, 204);
  const left = await Array.fromAsync(world.kv.list({ prefix: rowKeys.schedulesDue() }));
  assert.deepEqual(left.map(({ key }) => key[2]), [99]);
});

Deno.test("Bob and Carol look at schedules, and Dave does not even know of them", async () => {
  await using world = await newWorld();
  const id = await add(world, {});
  const path = `${schedulesOf(world)}/${id}`;
  const form = { template_id: world.web.templateId, cron_format: "@daily" };
  for (
    const [person, read, write] of [["bob", 200, 403], ["carol", 200, 403], [
      "dave",
      404,
      404,
    ]] as const
  ) {
    assert.equal((await world.api(person, "GET", schedulesOf(world))).status, read);
    assert.equal((await world.api(person, "GET", path)).status, read);
    assert.equal((await world.api(person, "POST", schedulesOf(world), form)).status, write);
    assert.equal((await world.api(person, "PUT", path, form)).status, write);
    assert.equal((await world.api(person, "DELETE", path)).status, write);
  }
  assert.equal((await world.api(null, "GET", path)).status, 401);
  const elsewhere = `/api/project/${world.lab.id}/schedules/${id}`;
  assert.equal((await world.api("dave", "GET", elsewhere)).status, 404);
  assert.equal((await world.api("mike", "DELETE", path)).status, 204);
  assert.equal((await world.api("mike", "DELETE", path)).status, 404);
  assert.deepEqual(await eventsOf(world), [
    'Schedule "TZ=UTC @hourly" was deleted',
    'Schedule "TZ=UTC @hourly" was created',
  ]);
});
