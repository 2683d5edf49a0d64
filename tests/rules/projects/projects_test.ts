import assert from "node:assert/strict";
import { join } from "node:path";
import { DEMO_VAULT_PASSWORD } from "@/lib/maintenance/projects/demo.ts";
import { keyRows } from "@/lib/resources/keys/repository.ts";
import { openSecret } from "@/lib/resources/keys/secret.ts";
import { openProject } from "@/lib/access/scope.ts";
import { doDue } from "@/lib/jobs/engine.ts";
import { deleteProject, deletionWorker } from "@/lib/maintenance/projects/deletion.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { advance } from "@/lib/tasks/steps.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { beforeCommit } from "@/tests/support/basics/die_at.ts";
import { fullProject } from "@/tests/support/world/full_project.ts";
import { lastingKeys } from "@/tests/support/world/lasting_keys.ts";
import { revealed } from "@/tests/support/basics/revealed.ts";
import { namesIn, PERMISSION_NAMES, permissionsOf } from "@/lib/access/permissions.ts";
import type { Role } from "@/lib/model/roles.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import { until } from "@/tests/support/basics/until.ts";

const everybody = { config: { usersCreateProjects: true } };
const path = ({ web }: World, rest = "") => `/api/project/${web.id}${rest}`;

Deno.test("a new project keeps all that was sent, and has its owner, a key and an environment", async () => {
  await using world = await newWorld(everybody);
  const form = { name: " Shop ", alert: true, alert_chat: "-100", max_parallel_tasks: 3, type: "" };
  const { status, body } = await world.api("dave", "POST", "/api/projects", form);
  assert.equal(status, 201);
  assert.deepEqual(body, {
    ...form,
    name: "Shop",
    only_runners: false,
    toolchain_id: null,
    id: body.id,
    created: "2024-05-02T10:11:12.000Z",
  });
  const project = `/api/project/${body.id}`;
  assert.deepEqual((await world.api("dave", "GET", project)).body, body);
  assert.deepEqual((await world.api("dave", "GET", `${project}/role`)).body, {
    role: "owner",
    permissions: 15,
    granted: PERMISSION_NAMES,
  });
  const [key] = (await world.api("dave", "GET", `${project}/keys`)).body;
  assert.deepEqual([key.name, key.type], ["None", "none"]);
  const [environment] = (await world.api("dave", "GET", `${project}/environment`)).body;
  assert.deepEqual([environment.name, environment.json, environment.env], ["Empty", "{}", null]);
  const [event] = (await world.api("dave", "GET", `${project}/events`)).body;
  assert.equal(event.description, 'Project "Shop" was created');
});

Deno.test("projects are created by admins, and by everyone only where that is enabled", async () => {
  await using closed = await newWorld();
  assert.equal((await closed.api("alice", "POST", "/api/projects", { name: "X" })).status, 403);
  assert.equal((await closed.api("erin", "POST", "/api/projects", { name: "X" })).status, 201);
  assert.equal((await closed.api(null, "POST", "/api/projects", { name: "X" })).status, 401);
  assert.equal((await closed.api("alice", "GET", "/api/user")).body.can_create_project, false);
  await using open = await newWorld(everybody);
  assert.equal((await open.api("alice", "GET", "/api/user")).body.can_create_project, true);
});

Deno.test("a project needs a name, and a whole number of tasks from 0 on", async () => {
  await using world = await newWorld();
  const wrong: [Record<string, unknown>, string][] = [
    [{}, "name"],
    [{ name: "  " }, "name"],
    [{ name: "X", max_parallel_tasks: 1.5 }, "max_parallel_tasks"],
    [{ name: "X", max_parallel_tasks: -1 }, "max_parallel_tasks"],
    [{ name: "X", alert: "yes" }, "alert"],
  ];
  for (const [form, field] of wrong) {
    const { status, body } = await world.api("erin", "POST", "/api/projects", form);
    assert.equal(status, 400);
    assert.deepEqual(Object.keys(body.fields), [field]);
  }
});

Deno.test("everyone lists their own projects by name, admins all of them", async () => {
  await using world = await newWorld();
  await world.api("erin", "POST", "/api/projects", { name: "attic" });
  const names = async (person: Person) =>
    (await world.api(person, "GET", "/api/projects")).body.map((p: { name: string }) => p.name);
  assert.deepEqual(await names("carol"), ["Web shop"]);
  assert.deepEqual(await names("dave"), ["Lab"]);
  assert.deepEqual(await names("erin"), ["attic", "Lab", "Web shop"]);
});

Deno.test("each role has its permissions; an admin may everything without being a member", async () => {
  await using world = await newWorld();
  const expected: [Person, { role: string; permissions: number }][] = [
    ["alice", { role: "owner", permissions: 15 }],
    ["mike", { role: "manager", permissions: 5 }],
    ["bob", { role: "task_runner", permissions: 1 }],
    ["carol", { role: "guest", permissions: 0 }],
    ["erin", { role: "", permissions: 15 }],
  ];
  for (const [person, expectedRole] of expected) {
    const { granted, ...role } = (await world.api(person, "GET", path(world, "/role"))).body;
    assert.deepEqual(role, expectedRole);
    const fixed = person === "erin" ? "owner" : expectedRole.role as Role;
    assert.deepEqual(granted, namesIn(permissionsOf(fixed)));
  }
  assert.equal((await world.api("dave", "GET", path(world, "/role"))).status, 404);
});

Deno.test("Alice changes the project; another id in the body is a mistake", async () => {
  await using world = await newWorld();
  const form = { id: world.web.id, name: "Shop", max_parallel_tasks: 2 };
  assert.equal((await world.api("alice", "PUT", path(world), form)).status, 204);
  const { body } = await world.api("carol", "GET", path(world));
  assert.deepEqual([body.name, body.max_parallel_tasks, body.alert], ["Shop", 2, false]);
  assert.equal((await world.api("alice", "PUT", path(world), { ...form, id: 99 })).status, 400);
  for (const person of ["mike", "bob", "carol"] as const) {
    assert.equal((await world.api(person, "PUT", path(world), form)).status, 403, person);
    assert.equal((await world.api(person, "DELETE", path(world))).status, 403, person);
  }
  assert.equal((await world.api("dave", "PUT", path(world), form)).status, 404);
  assert.equal((await world.api("dave", "DELETE", path(world))).status, 404);
  assert.equal((await world.api("dave", "GET", path(world))).status, 404);
  assert.equal((await world.api("alice", "GET", "/api/project/0x1")).status, 400);
});

Deno.test("a project with open tasks is deleted only when forced, and then nothing of it is left", async () => {
  await using world = await newWorld();
  const before = await lastingKeys(world);
  const project = await fullProject(world);
  const [{ id: taskId }] = (await world.api("erin", "GET", `${project}/tasks`)).body;

  const refused = await world.api("erin", "DELETE", project);
  assert.equal(refused.status, 409);
  assert.deepEqual(refused.body.tasks, [taskId]);
  assert.equal((await world.api("bob", "GET", project)).status, 200);

  assert.equal((await world.api("erin", "DELETE", `${project}?force=true`)).status, 204);
  assert.equal((await world.api("erin", "GET", project)).status, 404);
  assert.deepEqual(await lastingKeys(world), before);
  for (const folder of ["repositories", "known_hosts", "homes"]) {
    for await (const { name } of Deno.readDir(join(world.deps.config.dataDir, folder))) {
      assert.fail(`${folder}/${name} is left`);
    }
  }
  const events = (await world.api("erin", "GET", "/api/events")).body;
  assert.ok(
    events.some((event: { description: string }) =>
      event.description === 'Project "Full" was deleted'
    ),
  );
  assert.ok(
    world.messages.some((message) =>
      message.type === "access" && message.user_id === null && message.project_id !== null
    ),
  );
});

Deno.test("a project without open tasks needs no force; the body may ask for it too", async () => {
  await using world = await newWorld();
  assert.equal((await world.api("dave", "DELETE", `/api/project/${world.lab.id}`)).status, 204);
  assert.deepEqual((await world.api("dave", "GET", "/api/projects")).body, []);
  const project = await fullProject(world);
  assert.equal((await world.api("erin", "DELETE", project, { force: true })).status, 204);
  assert.equal((await world.api("erin", "DELETE", project)).status, 404);
});

Deno.test("deleting waits for a running task's end, and takes in nothing new meanwhile", async () => {
  await using world = await newWorld();
  const { kv, web } = world;
  const start = { template_id: web.templateId };
  const { id } = (await world.api("bob", "POST", path(world, "/tasks"), start)).body;
  const starting = await advance(kv, await getTaskRow(kv, web.id, id), "starting", {});
  await advance(kv, starting, "running", {});

  let isDeleted = false;
  const deletion = world.api("alice", "DELETE", path(world), { force: true }).then((answer) => {
    isDeleted = true;
    return answer;
  });
  await until(async () => (await getTaskRow(kv, web.id, id)).stop !== "");
  const late = await world.api("alice", "POST", path(world, "/keys"), { name: "K", type: "none" });
  assert.equal(late.status, 404);
  assert.equal(isDeleted, false);

  const { project_id, template_id, version } = await advance(
    kv,
    await getTaskRow(kv, web.id, id),
    "stopped",
    {},
  );
  world.deps.hub.publish({
    type: "update",
    task_id: id,
    status: "stopped",
    start: null,
    end: null,
    project_id,
    template_id,
    version,
  });
  assert.equal((await deletion).status, 204);
});

Deno.test("a deletion that fails half-way continues without a restart, and is reported once", async () => {
  await using world = await newWorld();
  const before = await lastingKeys(world);
  const project = await fullProject(world);
  const projectId = Number(project.split("/").at(-1));
  let commits = 0;
  const deps = beforeCommit(world.deps, () => {
    if (++commits === 4) return Promise.reject(new Error("the disk is gone"));
    return Promise.resolve();
  });
  const actor = world.people.erin.actor;
  const scope = await openProject({ deps, actor }, projectId, "update_project");
  await assert.rejects(deleteProject(scope, { force: true }), /the disk is gone/);
  assert.equal((await world.api("erin", "GET", project)).status, 404);
  assert.notDeepEqual(await lastingKeys(world), before);
  world.clock.advance(1_000);
  await doDue(world.deps, deletionWorker, { shared: true });
  assert.deepEqual(await lastingKeys(world), before);
  const events = (await world.api("erin", "GET", "/api/events")).body;
  const told = events.filter(({ description }: { description: string }) =>
    description === 'Project "Full" was deleted'
  );
  assert.deepEqual(told.map(({ username }: { username: string }) => username), ["erin"]);
});

Deno.test("the demo project comes with what it needs to build and deploy", async () => {
  await using world = await newWorld();
  const { status, body } = await world.api("erin", "POST", "/api/projects", {
    name: "Demo",
    demo: true,
  });
  assert.equal(status, 201);
  assert.ok(!("demo" in body));
  const list = async (kind: string) =>
    (await world.api("erin", "GET", `/api/project/${body.id}/${kind}`)).body;

  const [repository] = await list("repositories");
  assert.match(repository.git_url, /^file:\/\/\/.*demo\.git$/);
  const clone = new Deno.Command("git", {
    args: ["ls-remote", repository.git_url, "refs/heads/main"],
  });
  assert.match(new TextDecoder().decode((await clone.output()).stdout), /refs\/heads\/main/);

  const templates = await list("templates?sort=name");
  const names = templates.map(({ name, type }: Record<string, string>) => [name, type]);
  assert.deepEqual(names, [
    ["Build", "build"],
    ["Deploy to Dev", "deploy"],
    ["Deploy to Production", "deploy"],
    ["Ping Site", ""],
  ]);
  assert.equal(templates[0].start_version, "1.0.0");
  assert.equal(templates[1].build_template_id, templates[0].id);
  assert.equal(templates[1].autorun, true);
  assert.deepEqual((await list("inventory")).map(({ name }: { name: string }) => name), [
    "Build",
    "Dev",
    "Prod",
  ]);
  const vaultKeyId = templates[1].vault_key_id;
  const secret = await openSecret(
    world.deps.secrets,
    await keyRows.get(world.kv, body.id, vaultKeyId),
  );
  assert.deepEqual(revealed(secret), {
    type: "login_password",
    login: "",
    password: DEMO_VAULT_PASSWORD,
  });
});

Deno.test("a demo project that cannot be filled is not left half full", async () => {
  await using world = await newWorld();
  await Deno.writeTextFile(join(world.deps.config.dataDir, "demo.git"), "in the way");
  const before = await lastingKeys(world);
  const form = { name: "Demo", demo: true };
  assert.equal((await world.api("erin", "POST", "/api/projects", form)).status, 500);
  assert.deepEqual(await lastingKeys(world), before);
});
