import assert from "node:assert/strict";
import { listTaskRows } from "@/lib/tasks/repository.ts";
import type { RemoteCommit } from "@/lib/triggers/schedules/fire.ts";
import { templateRows } from "@/lib/templates/repository.ts";
import type { ScheduleView } from "@/lib/triggers/schedules/schema.ts";
import { schedule } from "@/tests/support/world/schedules.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const FIRST = "a".repeat(40);
const SECOND = "b".repeat(40);

const templateOf = ({ web }: World) => `/api/project/${web.id}/templates/${web.templateId}`;

/** Changes members of the template as clients do that send all members. */
async function change(world: World, members: Record<string, unknown>, status = 204) {
  const { body } = await world.api("mike", "GET", templateOf(world));
  const answer = await world.api("mike", "PUT", templateOf(world), { ...body, ...members });
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  return answer.body;
}

const schedulesOf = async (world: World): Promise<ScheduleView[]> =>
  (await world.api("carol", "GET", `/api/project/${world.web.id}/schedules`)).body;

const checksOf = ({ kv, web }: World) => listTaskRows(kv, web.id, { limit: 100 });

Deno.test("the checks of a template are schedules that only the template changes", async () => {
  await using world = await newWorld();
  await change(world, { check_cron: "CRON_TZ=UTC @daily", check_after_commit: true });
  const { body } = await world.api("carol", "GET", templateOf(world));
  assert.equal(body.check_cron, "CRON_TZ=UTC @daily");
  assert.equal(body.check_after_commit, true);
  const [times, commits] = await schedulesOf(world);
  assert.equal(times.set_by, "check_cron");
  assert.equal(times.check, true);
  assert.equal(times.next_runs.length, 5);
  assert.equal(commits.set_by, "check_after_commit");
  assert.equal(commits.repository_id, world.web.repositoryId);

  const one = `/api/project/${world.web.id}/schedules/${times.id}`;
  for (
    const [method, path, sent] of [
      ["PUT", one, { template_id: world.web.templateId, cron_format: "@hourly", active: true }],
      ["PUT", `${one}/active`, { active: false }],
      ["DELETE", one],
    ] as const
  ) {
    const { status, body } = await world.api("mike", method, path, sent);
    assert.equal(status, 409, path);
    assert.match(body.error, /Change it in the template/);
  }

  // A client that does not know the members changes neither.
  await change(world, { check_cron: undefined, check_after_commit: undefined, name: "Web" });
  assert.deepEqual((await schedulesOf(world)).map(({ id }) => id), [times.id, commits.id]);
  await change(world, { check_cron: "0 3 * * *", check_after_commit: false });
  const [left, ...rest] = await schedulesOf(world);
  assert.deepEqual([left.id, left.cron_format, rest], [times.id, "0 3 * * *", []]);
  await change(world, { check_cron: "" });
  assert.deepEqual(await schedulesOf(world), []);
  assert.equal((await world.api("carol", "GET", templateOf(world))).body.check_cron, null);
});

Deno.test("wrong times are refused at their field, and change nothing", async () => {
  await using world = await newWorld();
  const { fields } = await change(world, { check_cron: "every day" }, 400);
  assert.match(fields.check_cron, /^Cron:/);
  assert.deepEqual(await schedulesOf(world), []);
  const answer = await world.post(
    "mike",
    `/project/${world.web.id}/templates/${world.web.templateId}/edit`,
    {
      ...{ name: "Web", playbook: "site.yml", type: "" },
      inventory_id: String(world.web.inventoryId),
      repository_id: String(world.web.repositoryId),
      environment_id: String(world.web.environmentId),
      ...{ check_every: "custom", check_cron: "61 * * * *" },
    },
  );
  assert.equal(answer.status, 422);
  assert.match(await answer.text(), /value="61 \* \* \* \*"/);
});

Deno.test("a form sets periods, times and commits, and shows them again", async () => {
  await using world = await newWorld();
  const path = `/project/${world.web.id}/templates/${world.web.templateId}`;
  const fields = {
    ...{ name: "Web", playbook: "site.yml", type: "" },
    inventory_id: String(world.web.inventoryId),
    repository_id: String(world.web.repositoryId),
    environment_id: String(world.web.environmentId),
  };
  const save = async (more: Record<string, string>) => {
    const { status } = await world.post("mike", `${path}/edit`, { ...fields, ...more });
    assert.equal(status, 303);
    return await (await world.get("mike", `${path}/edit`)).text();
  };
  const daily = await save({
    check_every: "@every 6h",
    check_cron: "",
    check_after_commit: "true",
  });
  assert.match(daily, /<option value="@every 6h" selected/);
  assert.match(daily, /name="check_after_commit"[^>]* checked/);
  assert.match(await (await world.get("mike", path)).text(), /edit#template-checks/);
  const [{ id }] = await schedulesOf(world);
  const shown = await world.get("mike", `/project/${world.web.id}/schedules/${id}`);
  assert.equal(shown.status, 303);
  assert.match(shown.headers.get("location")!, /\/edit#template-checks$/);
  const typed = await save({ check_every: "custom", check_cron: "5 4 * * *" });
  assert.match(typed, /<option value="custom" selected/);
  assert.match(typed, /value="5 4 \* \* \*"/);
  const fixes = await save({
    ...{ check_every: "", check_cron: "5 4 * * *" },
    ...{ "auto_fix.hosts": "web1, web2", "auto_fix.tags": "motd" },
  });
  assert.match(fixes, /value="web1, web2"/);
  const { body } = await world.api("carol", "GET", templateOf(world));
  assert.deepEqual(body.auto_fix, { hosts: ["web1", "web2"], tags: ["motd"] });
  const wrong = { ...fields, "auto_fix.hosts": "web1, web*", "auto_fix.tags": "" };
  assert.equal((await world.post("mike", `${path}/edit`, wrong)).status, 422);
  await save({ "auto_fix.hosts": "", "auto_fix.tags": "" });
  assert.equal((await world.api("carol", "GET", templateOf(world))).body.auto_fix, null);
  assert.deepEqual(await schedulesOf(world), []);
});

Deno.test("a new commit is checked once, and templates ask a repository together", async () => {
  await using world = await newWorld();
  await change(world, { check_after_commit: true });
  const source = (await world.api("mike", "GET", templateOf(world))).body;
  const templates = `/api/project/${world.web.id}/templates`;
  for (let n = 0; n < 20; n++) {
    const { status } = await world.api("mike", "POST", templates, { ...source, name: `Web ${n}` });
    assert.equal(status, 201);
  }
  let asked = 0;
  let head = FIRST;
  const remote: RemoteCommit = () => (asked++, Promise.resolve(head));
  const look = async (minutes: number) => {
    world.clock.advance(minutes * 60_000);
    await schedule(world, world.clock.now(), remote);
  };
  await look(10);
  assert.equal(asked, 1, "one question for all templates");
  const first = await checksOf(world);
  assert.equal(first.length, 21);
  assert.ok(first.every(({ commit_hash, check }) => check && commit_hash === FIRST));
  await look(10);
  assert.equal(asked, 2);
  assert.equal((await checksOf(world)).length, 21, "no new commit");
  head = SECOND;
  await look(10);
  assert.equal((await checksOf(world)).length, 21, "the checks of the first commit still wait");
});

Deno.test("a template in a full commit keeps within the store's limits", async () => {
  await using world = await newWorld();
  await change(world, { check_cron: "@daily" });
  const build = (await world.api("mike", "POST", `/api/project/${world.web.id}/templates`, {
    ...(await world.api("mike", "GET", templateOf(world))).body,
    ...{ name: "Build", type: "build", start_version: "1.0" },
  })).body;
  const { body: view } = await world.api("mike", "POST", `/api/project/${world.web.id}/views`, {
    title: "Nightly",
  });
  await change(world, {
    ...{ type: "deploy", build_template_id: build.id, view_id: view.id },
    ...{ check_cron: null, check_after_commit: true },
  });
  await change(world, { type: "", check_cron: "@hourly", check_after_commit: false });
  const set = (await schedulesOf(world)).filter(({ template_id }) =>
    template_id === world.web.templateId
  );
  assert.deepEqual(set.map(({ set_by }) => set_by), ["check_cron"]);
  assert.equal((await world.api("mike", "DELETE", templateOf(world))).status, 204);
  assert.equal((await templateRows.list(world.kv, world.web.id)).length, 1);
  assert.deepEqual((await schedulesOf(world)).map(({ tpl_name }) => tpl_name), ["Build"]);
});
