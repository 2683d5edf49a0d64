import assert from "node:assert/strict";
import { AppError } from "@/lib/base/errors.ts";
import { doDue, startJobs } from "@/lib/jobs/engine.ts";
import type { JobRow } from "@/lib/jobs/rows.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { htmlOf } from "@/tests/support/basics/html.ts";
import { hostsWorkerThat, putHosts, setAside } from "@/tests/support/world/jobs.ts";
import { until } from "@/tests/support/basics/until.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const NONE = { kind: "hosts", waiting: 0, running: 0, late: 0, set_aside: 0 };

const hostsRow = async ({ api }: World) => {
  const { status, body } = await api("erin", "GET", "/api/jobs");
  assert.equal(status, 200);
  return body.find(({ kind }: { kind: string }) => kind === "hosts");
};

const setAsideJobs = async ({ api }: World) =>
  (await api("erin", "GET", "/api/jobs/set_aside")).body;

const pageOf = async (world: World, path = "/admin/jobs") =>
  await htmlOf(await world.get("erin", path));

const actions = async ({ api }: World) =>
  (await api("erin", "GET", "/api/events?object_type=job")).body.map((
    { action, description, username }: Record<string, string>,
  ) => [action, description, username]);

Deno.test("work that was set aside is seen with its reason, and done once the cause is gone", async () => {
  await using world = await newWorld();
  assert.match(await pageOf(world), /Nothing is set aside\./);
  let isBroken = true;
  const done = Promise.withResolvers<void>();
  const worker = hostsWorkerThat(() => {
    if (isBroken) throw new AppError(503, "errors.not_found");
    return Promise.resolve(done.resolve());
  });
  const engine = startJobs(world.deps, [worker], { shared: false });
  await putHosts(world, 7);
  await until(async () => (await setAsideJobs(world)).length > 0);
  assert.deepEqual(await hostsRow(world), { ...NONE, set_aside: 1 });
  assert.deepEqual(await setAsideJobs(world), [{
    id: "hosts-7",
    kind: "hosts",
    project_id: world.web.id,
    project_name: "Web shop",
    since: world.clock.now().toISOString(),
    attempts: 2,
    reason: "This does not exist, or you do not have access to it.",
  }]);
  const html = await pageOf(world);
  assert.match(html, /This does not exist, or you do not have access to it\./);
  assert.match(html, />hosts of projects</);
  assert.match(html, />Web shop</);

  isBroken = false;
  const posted = await world.post("erin", "/admin/jobs", { job: "hosts-7" });
  assert.equal(posted.status, 303);
  await done.promise;
  await engine.stop();
  assert.deepEqual(await hostsRow(world), NONE);
  assert.deepEqual(await setAsideJobs(world), []);
  assert.match(await pageOf(world), /Nothing is set aside\./);
  assert.deepEqual(await actions(world), [
    ["retried", 'Background work "hosts-7" was tried again', "erin"],
  ]);
});

Deno.test("work is discarded after a question, by the page and the API", async () => {
  await using world = await newWorld();
  const [first, second] = [
    await setAside(world, { task: 7, error: new Error("disk on fire") }),
    await setAside(world, { task: 8, error: new Error("disk on fire") }),
  ];
  const question = await pageOf(world, `/admin/jobs/discard?job=${first}`);
  assert.match(question, /Discard &quot;hosts-7&quot;\? It will never be done\./);
  assert.match(question, /Unexpected error: disk on fire/);
  assert.equal((await setAsideJobs(world)).length, 2);
  const posted = await world.post("erin", `/admin/jobs/discard?job=${first}`);
  assert.equal(posted.headers.get("location"), "/admin/jobs");
  assert.equal((await world.api("erin", "DELETE", `/api/jobs/${second}`)).status, 204);
  assert.deepEqual(await setAsideJobs(world), []);
  assert.deepEqual(await Array.fromAsync(world.kv.list({ prefix: ["jobs"] })), []);
  assert.deepEqual((await actions(world)).map(([action]: string[]) => action), [
    "discarded",
    "discarded",
  ]);
  for (const id of [first, "hosts-9", "hosts", "none-1", "hosts-x"]) {
    assert.equal((await world.api("erin", "DELETE", `/api/jobs/${id}`)).status, 404, id);
    assert.equal((await world.api("erin", "POST", `/api/jobs/${id}/retry`)).status, 404, id);
    assert.equal((await world.get("erin", `/admin/jobs/discard?job=${id}`)).status, 404, id);
  }
});

Deno.test("all work of a kind is tried again or discarded together", async () => {
  await using world = await newWorld();
  for (const task of [1, 2, 3]) await setAside(world, { task });
  await world.post("erin", "/admin/jobs", { kind: "hosts" });
  assert.deepEqual(await hostsRow(world), { ...NONE, waiting: 3 });
  await doDue(world.deps, hostsWorkerThat(() => Promise.reject(new Error("still"))));
  assert.deepEqual(await hostsRow(world), { ...NONE, set_aside: 3 });
  const question = await pageOf(world, "/admin/jobs/discard?kind=hosts");
  assert.match(
    question,
    /Discard everything that was set aside of &quot;hosts of projects&quot;\?/,
  );
  await world.post("erin", "/admin/jobs/discard?kind=hosts");
  assert.deepEqual(await hostsRow(world), NONE);
});

Deno.test("work that this version cannot read is not tried again, but discarded", async () => {
  await using world = await newWorld();
  const id = await setAside(world);
  const key = rowKeys.job("hosts", 7);
  const { value } = await world.kv.get<JobRow>(key);
  await world.kv.set(key, { ...value, input: { project_id: world.web.id } });
  const retried = await world.api("erin", "POST", `/api/jobs/${id}/retry`);
  assert.deepEqual([retried.status, retried.body.error], [
    409,
    "This version cannot read its row.",
  ]);
  const posted = await world.post("erin", "/admin/jobs", { job: id });
  assert.equal(posted.headers.get("location"), "/admin/jobs");
  assert.equal((await world.api("erin", "DELETE", `/api/jobs/${id}`)).status, 204);
  assert.deepEqual(await hostsRow(world), NONE);
});

Deno.test("an unreadable row keeps no other one of its kind from another attempt", async () => {
  await using world = await newWorld();
  for (const task of [1, 2, 3]) await setAside(world, { task });
  const key = rowKeys.job("hosts", 1);
  const { value } = await world.kv.get<JobRow>(key);
  await world.kv.set(key, { ...value, input: {} });
  await world.post("erin", "/admin/jobs", { kind: "hosts" });
  assert.deepEqual(await hostsRow(world), { ...NONE, waiting: 2, set_aside: 1 });
});

Deno.test("a kind of which nothing was set aside is not found, however long its name", async () => {
  await using world = await newWorld();
  await setAside(world);
  for (const kind of ["", "none", "alerts", "k".repeat(3_000)]) {
    const path = `/admin/jobs/discard?kind=${kind}`;
    assert.equal((await world.get("erin", path)).status, 404, kind);
    assert.equal((await world.post("erin", path)).status, 404, kind);
    const { status } = await world.post("erin", "/admin/jobs", { kind });
    assert.ok(status < 500, `${status}`);
  }
  assert.equal((await setAsideJobs(world)).length, 1);
});

Deno.test("jobs are counted up to 1,000, and the page says that there are more", async () => {
  await using world = await newWorld();
  for (let task = 0; task < 1_010; task++) {
    await world.kv.set(rowKeys.jobDue("hosts", world.clock.now().getTime(), task), {
      project_id: world.web.id,
    });
  }
  assert.deepEqual(await hostsRow(world), { ...NONE, waiting: 1_000 });
  assert.match(await pageOf(world), />1,000\+</);
});

Deno.test("work is late once it has been due for a minute, and running work is not", async () => {
  await using world = await newWorld();
  await putHosts(world, 1);
  await putHosts(world, 2, new Date(world.clock.now().getTime() + 3_600_000));
  assert.deepEqual(await hostsRow(world), { ...NONE, waiting: 2 });
  world.clock.advance(61_000);
  assert.deepEqual(await hostsRow(world), { ...NONE, waiting: 2, late: 1 });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const work = doDue(
    world.deps,
    hostsWorkerThat(() => {
      begin();
      return released;
    }),
  );
  await begun;
  assert.deepEqual(await hostsRow(world), { ...NONE, waiting: 1, running: 1 });
  release();
  await work;
  assert.deepEqual(await hostsRow(world), { ...NONE, waiting: 1 });
});

Deno.test("jobs that were set aside are listed in pages, the latest first", async () => {
  await using world = await newWorld();
  for (const task of [1, 2, 3]) {
    await setAside(world, { task });
    world.clock.advance(1_000);
  }
  const path = "/api/jobs/set_aside";
  const { body, headers } = await world.api("erin", "GET", `${path}?limit=2`);
  assert.deepEqual(body.map(({ id }: { id: string }) => id), ["hosts-3", "hosts-2"]);
  assert.equal(headers.get("x-has-next"), "true");
  const [, next] = /<[^>]*(\/api\/[^>]*)>; rel="next"/.exec(headers.get("link")!)!;
  const second = await world.api("erin", "GET", next);
  assert.deepEqual(second.body.map(({ id }: { id: string }) => id), ["hosts-1"]);
  assert.equal(second.headers.get("x-has-next"), "false");
});

Deno.test("work that is put again is no longer set aside", async () => {
  await using world = await newWorld();
  await setAside(world);
  await putHosts(world, 7);
  assert.deepEqual(await hostsRow(world), { ...NONE, waiting: 1 });
  assert.deepEqual(await setAsideJobs(world), []);
});

Deno.test("health names work that is late or was set aside, with the next step", async () => {
  await using world = await newWorld();
  await setAside(world);
  await putHosts(world, 8);
  world.clock.advance(61_000);
  const { status, body } = await world.api(null, "GET", "/api/health");
  assert.deepEqual([status, body.status], [200, "degraded"]);
  assert.deepEqual(body.checks.jobs_late, {
    ok: false,
    reason: "Background work has been due for more than a minute: hosts of projects.",
  });
  assert.deepEqual(body.checks.jobs_set_aside, {
    ok: false,
    reason: "Background work was set aside after its last attempt: hosts of projects.",
  });
  const page = await pageOf(world, "/admin/health");
  assert.match(page, /If nothing runs there, restart the server\./);
  assert.match(page, /Remove the cause, then try the work again or discard it\./);
  await doDue(world.deps, hostsWorkerThat(() => Promise.resolve()));
  await world.post("erin", "/admin/jobs/discard?kind=hosts");
  const healthy = await world.api(null, "GET", "/api/health");
  assert.equal(healthy.body.status, "ok");
});
