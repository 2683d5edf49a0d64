import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import { doDue } from "@/lib/jobs/engine.ts";
import { maintenanceEndWorker } from "@/lib/maintenance/mode/service.ts";
import { allOperations } from "@/lib/web/api/operations.ts";
import { newQueue } from "@/tests/support/server/queue.ts";
import { until } from "@/tests/support/basics/until.ts";
import { startSchedules } from "@/tests/support/world/schedules.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Calls that change something and that maintenance lets through. */
const ALLOWED = [
  "signIn",
  "signOut",
  "startProviderSignIn",
  "finishProviderSignIn",
  "endSessionsByProvider",
  "setMaintenance",
  "endMaintenance",
  "runChecks",
  "stopTask",
  "stopAllTemplateTasks",
  "stopQueuedTask",
  "pollForRuns",
  "answerCheck",
  "reportRun",
  "rotateRunnerToken",
];

const SENTENCE = "The server is in maintenance, so nothing can be changed. Try again later.";

async function begin({ api }: World, body: Record<string, string> = {}) {
  const { status, body: said } = await api("erin", "PUT", "/api/maintenance", body);
  assert.equal(status, 204, JSON.stringify(said));
}

const eventsOf = async ({ api }: World): Promise<[string, string | null][]> =>
  (await api("erin", "GET", "/api/events?object_type=maintenance")).body
    .map((event: Record<string, string | null>) => [event.action, event.username]);

Deno.test("each call that changes something is refused during maintenance, unless it is needed", async () => {
  await using world = await newWorld();
  await begin(world);
  const changing = allOperations.filter(({ method, isUnsafe }) => method !== "GET" || isUnsafe);
  const passed = new Set<string>();
  for (const { id, method, path } of changing) {
    const filled = `/api${path.replaceAll(/\{\w+\}/g, "999")}`;
    for (const person of ["erin", null] as const) {
      if (id === "endMaintenance" && person === "erin") continue;
      const { status, body, headers } = await world.api(
        person,
        method,
        filled,
        method === "GET" ? undefined : {},
      );
      if (body?.code !== "maintenance") {
        passed.add(id);
        continue;
      }
      assert.deepEqual([status, body.error, headers.get("retry-after")], [503, SENTENCE, "300"]);
    }
  }
  assert.deepEqual([...passed].filter((id) => !ALLOWED.includes(id)), []);
  assert.ok(changing.length > 100);
});

Deno.test("during maintenance people read, and pages say why nothing can be changed", async () => {
  await using world = await newWorld();
  const { web, deploy, people } = world;
  const task = { template_id: deploy.id };
  const tasks = `/api/project/${web.id}/tasks`;
  await begin(world, { message: "The <disk> is replaced." });
  for (const path of ["/", `/project/${web.id}/history`, "/auth/login", "/nowhere"]) {
    const person = path === "/auth/login" ? null : "bob";
    const html = await (await follow(world, person, path)).text();
    assert.match(
      html,
      /<section id="maintenance"[^>]* aria-label="Maintenance">.*Nothing can be changed.*The &lt;disk> is replaced\./s,
      path,
    );
  }
  assert.equal((await world.api("bob", "GET", tasks)).status, 200);
  const refused = await world.api("bob", "POST", tasks, task);
  assert.deepEqual(
    [refused.status, refused.body.error, refused.body.code, refused.body.maintenance.message],
    [503, SENTENCE, "maintenance", "The <disk> is replaced."],
  );
  const page = await world.post("alice", `/project/${web.id}/keys/new`, { name: "K" });
  assert.deepEqual([page.status, page.headers.get("retry-after")], [503, "300"]);
  const refusal = await page.text();
  assert.match(refusal, /<h1>Maintenance<\/h1>.*The server is in maintenance, so nothing can be/s);
  assert.doesNotMatch(refusal, /Something went wrong/);
  const german = await world.request(tasks, {
    method: "POST",
    headers: { Cookie: `callboard=${people.bob.token}`, "Accept-Language": "de" },
  });
  assert.match((await german.json()).error, /^Der Server wird gewartet/);
  const hook = await world.request("/api/integrations/unknown");
  assert.equal(hook.status, 503);
  assert.deepEqual((await world.api("bob", "GET", "/api/maintenance")).body, {
    ...{ state: "on", message: "The <disk> is replaced.", running: 0, drained: true },
    ...{ begins: world.clock.now().toISOString(), ends: null },
  });
  assert.equal((await world.api(null, "GET", "/api/health")).body.maintenance, "on");
  assert.equal((await world.api("erin", "DELETE", "/api/maintenance")).status, 204);
  assert.equal((await world.api("bob", "POST", tasks, task)).status, 201);
  assert.doesNotMatch(await (await world.get("bob", "/auth/login")).text(), /id="maintenance"/);
  assert.deepEqual(await eventsOf(world), [["ended", "erin"], ["begun", "erin"]]);
});

async function follow(world: World, person: "bob" | null, path: string): Promise<Response> {
  const response = await world.get(person, path);
  const to = response.headers.get("location");
  return to ? await follow(world, person, to) : response;
}

Deno.test("planned maintenance is announced, begins and ends at its times", async () => {
  await using world = await newWorld();
  const keys = `/api/project/${world.web.id}/views`;
  let count = 0;
  const add = () => world.api("alice", "POST", keys, { title: `View ${count++}`, position: 1 });
  await begin(world, { begins: "2024-05-02T12:00:00+02:00", ends: "2024-05-02T12:00:00Z" });
  assert.equal((await add()).status, 503, "the beginning has passed");
  await begin(world, { begins: "2024-05-02T11:00:00Z", ends: "2024-05-02T12:00:00Z" });
  assert.equal((await add()).status, 201);
  const html = await (await world.get("alice", "/auth/login")).text();
  assert.doesNotMatch(html, /Nothing can be changed/);
  assert.match(
    await (await follow(world, "bob", "/")).text(),
    /Planned beginning: .*Planned end: /s,
  );
  world.clock.set("2024-05-02T11:59:00Z");
  const refused = await add();
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "60"]);
  assert.match(refused.body.error, /until .*12:00/);
  world.clock.set("2024-05-02T12:00:00Z");
  assert.equal((await add()).status, 201);
  assert.equal((await world.api("bob", "GET", "/api/maintenance")).body.state, "off");
  await doDue(world.deps, maintenanceEndWorker);
  assert.equal((await world.kv.get(rowKeys.maintenance())).value, null);
  assert.deepEqual((await eventsOf(world))[0], ["expired", null]);
  for (
    const [body, field] of [
      [{ begins: "2024-05-03T12:00:00Z", ends: "2024-05-03T12:00:00Z" }, "ends"],
      [{ ends: "2024-05-02T12:00:00Z" }, "ends"],
      [{ begins: "soon" }, "begins"],
      [{ message: "x".repeat(501) }, "message"],
    ] as const
  ) {
    const { status, body: said } = await world.api("erin", "PUT", "/api/maintenance", body);
    assert.equal(status, 400);
    assert.deepEqual(Object.keys(said.fields), [field]);
  }
});

Deno.test("running tasks finish during maintenance, and waiting ones start after it", async () => {
  await using queue = await newQueue();
  const { world } = queue;
  queue.dispatch();
  const template = await queue.makeTemplate();
  const running = await queue.start(template, { sleepMs: 1_500 });
  await until(async () => (await queue.row(running)).status === "running");
  const waiting = await queue.start(template);
  await begin(world);
  const state = async () => (await world.api("erin", "GET", "/api/maintenance")).body;
  assert.deepEqual([(await state()).running, (await state()).drained], [1, false]);
  await until(async () => (await queue.row(running)).status === "success");
  assert.deepEqual([(await state()).running, (await state()).drained], [0, true]);
  const path = `/api/project/${world.web.id}/tasks/${waiting}/wait`;
  const wait = await world.api("bob", "GET", path);
  assert.deepEqual([wait.body.by, wait.body.reason], [
    "maintenance",
    "The server is in maintenance",
  ]);
  assert.equal((await queue.row(waiting)).status, "waiting");
  assert.match(await (await world.get("erin", "/admin/maintenance")).text(), /Drained/);
  await world.post("erin", "/admin/maintenance/end");
  await until(async () => (await queue.row(waiting)).status === "success");
});

Deno.test("a schedule whose time passed during maintenance follows its rule for missed times", async () => {
  await using world = await newWorld();
  const { web, deploy, clock, api } = world;
  const schedules = `/api/project/${web.id}/schedules`;
  for (const missed of ["skip", "run_once"]) {
    const fields = { template_id: deploy.id, name: missed, cron_format: "0 * * * *", missed };
    const body = { ...fields, project_id: web.id, active: true };
    const answer = await api("alice", "POST", schedules, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
  }
  const scheduler = startSchedules(world.deps);
  await begin(world);
  clock.advance(3_600_000);
  await world.kv.set(rowKeys.schedulerWake(), 1);
  const countTasks = async () =>
    (await api("bob", "GET", `/api/project/${web.id}/tasks`)).body.length;
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(await countTasks(), 0);
  await api("erin", "DELETE", "/api/maintenance");
  const lastErrors = async () =>
    (await api("bob", "GET", schedules)).body
      .map(({ name, last_error }: Record<string, string | null>) => [name, last_error]);
  await until(async () => await countTasks() === 1 && (await lastErrors())[0][1] !== null);
  assert.deepEqual(await lastErrors(), [
    ["skip", "Its time passed while no server was running, or during maintenance."],
    ["run_once", null],
  ]);
  await scheduler.stop();
});

Deno.test("only administrators reach the page, and its form speaks the time of their clock", async () => {
  await using world = await newWorld();
  assert.equal((await world.get("bob", "/admin/maintenance")).status, 404);
  assert.equal((await world.post("bob", "/admin/maintenance", {})).status, 404);
  const saved = await world.post("erin", "/admin/maintenance", {
    message: "Soon",
    begins: "2024-05-02T11:00",
    ends: "2024-05-02T12:30",
  });
  assert.equal(saved.status, 303);
  const { body } = await world.api("bob", "GET", "/api/maintenance");
  assert.deepEqual([body.state, body.begins, body.ends], [
    "planned",
    "2024-05-02T11:00:00.000Z",
    "2024-05-02T12:30:00.000Z",
  ]);
  const html = await (await world.get("erin", "/admin/maintenance")).text();
  assert.match(html, /value="2024-05-02T11:00"/);
  const wrong = await world.post("erin", "/admin/maintenance", { ends: "2024-05-02T09:00" });
  assert.equal(wrong.status, 422);
  assert.match(await wrong.text(), /This time is not in the future/);
});
