import { openProject } from "@/lib/access/scope.ts";
import assert from "node:assert/strict";
import { readConfig } from "@/lib/base/settings/config.ts";
import { doDue } from "@/lib/jobs/engine.ts";
import { deletionWorker } from "@/lib/maintenance/projects/deletion.ts";
import { sweepOrphans } from "@/lib/maintenance/projects/orphans.ts";
import { deleteProject } from "@/lib/maintenance/projects/deletion.ts";
import { deleteTemplate, finishTemplateDeletion } from "@/lib/maintenance/templates.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { autorunWorker } from "@/lib/queue/start/autorun.ts";
import { storeDueDrift } from "@/lib/drift/store_checks.ts";
import { runWorker } from "@/lib/workflows/runs/loop.ts";
import { dieAt } from "@/tests/support/basics/die_at.ts";
import { fullProject } from "@/tests/support/world/full_project.ts";
import { lastingKeys } from "@/tests/support/world/lasting_keys.ts";
import { AUTHORITY } from "@/tests/support/services/ssh_authority.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import { sendAlerts } from "@/tests/support/services/alerting.ts";

const { alerts } = readConfig({ get: () => undefined }, "");
/** A port without a listener, so that alerts are queued, tried and given up. */
const withAlerts = {
  config: { usersCreateProjects: true, alerts: { ...alerts, slackUrl: "http://127.0.0.1:9/hook" } },
};

const idOf = (path: string) => Number(path.split("/").at(-1));

/**
 * Calls that put rows into a project, one or two for each kind. Any answer except a server error is
 * fine.
 */
function load(world: World, project: string, ids: Ids, turn: number): (() => Promise<unknown>)[] {
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await world.api("erin", method, path, body);
    assert.ok(answer.status < 500, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { template, key, repository, integration, member } = ids;
  const post = (below: string, body?: unknown) => call("POST", `${project}/${below}`, body);
  return [
    () => post("tasks", { template_id: template }),
    () => post("tasks", { template_id: template, message: "again" }),
    () => post("schedules", { template_id: template, cron_format: "0 3 * * *" }),
    () => post("keys", { name: `Key ${turn}`, type: "none" }),
    () => post("environment", { name: "Env", json: JSON.stringify({ x: "x".repeat(50_000) }) }),
    () => post("views", { title: "View" }),
    () => post("integrations", { name: "Push", template_id: template, auth_secret_id: null }),
    () => post("integrations/aliases", {}),
    () => post(`integrations/${integration}/aliases`, {}),
    () =>
      post("templates", {
        name: "T2",
        playbook: "t.yml",
        repository_id: repository,
        inventory_id: ids.inventory,
      }),
    () => post("inventory", { name: "I", type: "static", inventory: "x", ssh_key_id: key }),
    () => post("users", { user_id: world.people.carol.id, role: "guest" }),
    () => call("PUT", `${project}/users/${world.people.bob.id}`, { role: "manager" }),
    () => call("DELETE", `/api/users/${member}`),
    () => call("PUT", project, { name: "Renamed", alert: true }),
    () => world.request(ids.alias, { method: "POST", body: '{"ref": "main"}' }),
    () => world.request(ids.alias, { method: "POST", body: '{"ref": "main"}' }),
    () => sendAlerts(world.deps),
    () => doDue(world.deps, autorunWorker, { shared: true }),
    () => post(`workflows/${ids.workflow}/run`, {}),
    () => doDue(world.deps, runWorker, { shared: true }),
    () => post(`templates/${template}/check`),
    () => storeDueDrift(world.deps),
    () => post("toolchains", { name: "Old", ansible_core: "2.16" }),
    () => post("runners", { name: "dmz" }),
    () => post("alert_feed"),
    () => post("host_authorities", { hosts: "*", public_key: AUTHORITY }),
    () => post("alert_targets", { name: "Ops", kind: "http", settings: { url: TARGET } }),
    () => post("host_configs", { type: "host", host: "git.example.com", ssh_key_id: ids.key }),
    () => post("secret_storages", { name: "V", type: "vault", params: { url: TARGET } }),
  ];
}

const TARGET = "https://example.com/";

interface Ids {
  template: number;
  workflow: number;
  key: number;
  repository: number;
  inventory: number;
  integration: number;
  /** A member whose account is deleted meanwhile. */
  member: number;
  /** Path of the integration's address. */
  alias: string;
}

/**
 * Creates a project with one object of each kind, with alerts, an integration with an address, and
 * its own member.
 */
async function makeProject(world: World, turn: number): Promise<{ project: string; ids: Ids }> {
  const project = await fullProject(world);
  const api = async (method: string, path: string, body?: unknown) => {
    const answer = await world.api("erin", method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const first = async (kind: string) => (await api("GET", `${project}/${kind}`))[0].id;
  const template = await first("templates");
  await api("PUT", project, { name: "Full", alert: true });
  const member = await api("POST", "/api/users", {
    username: `guest${turn}`,
    name: "Guest",
    email: `guest${turn}@example.com`,
    password: "a long enough password",
  });
  await api("POST", `${project}/users`, { user_id: member.id, role: "owner" });
  const { id: integration } = await api("POST", `${project}/integrations`, {
    name: "Push",
    template_id: template,
    keep_bodies: true,
  });
  const { url } = await api("POST", `${project}/integrations/${integration}/aliases`, {});
  const { id: workflow } = await api("POST", `${project}/workflows`, {
    name: "Release",
    steps: [{ kind: "template", template_id: template }],
  });
  await api("POST", `${project}/workflows/${workflow}/run`, {});
  const ids = {
    template,
    workflow,
    key: await first("keys"),
    repository: await first("repositories"),
    inventory: await first("inventory"),
    integration,
    member: member.id,
    alias: new URL(url).pathname,
  };
  return { project, ids };
}

/** Returns the rows that name the project in their key or value. */
async function rowsOf(world: World, projectId: number): Promise<string[]> {
  const found: string[] = [];
  for await (const { key, value } of world.kv.list<{ project_id?: number }>({ prefix: [] })) {
    const byKey = rowKeys.byProject().some(([kind]) => kind === key[0]) && key[1] === projectId;
    const byValue = value?.project_id === projectId;
    const byMember = key[0] === "members_by_user" && key[2] === projectId;
    if (byKey || byValue || byMember || (key[0] === "projects" && key[1] === projectId)) {
      found.push(key.join("/"));
    }
  }
  return found;
}

Deno.test("a project that is deleted under load leaves nothing, whatever comes in meanwhile", async () => {
  await using world = await newWorld(withAlerts);
  for (let turn = 0; turn < 40; turn++) {
    const { project, ids } = await makeProject(world, turn);
    const calls = load(world, project, ids, turn);
    const deletion = async () =>
      deleteProject(
        await openProject(
          { deps: world.deps, actor: world.people.erin.actor },
          idOf(project),
          "update_project",
        ),
        { force: true },
      );
    calls.splice(Math.floor(Math.random() * calls.length), 0, deletion);
    const results = await Promise.allSettled(calls.map(async (call) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
      return await call();
    }));
    const failed = results.flatMap((result) => result.status === "rejected" ? [result.reason] : []);
    assert.deepEqual(failed, []);
    await sendAlerts(world.deps);
    assert.deepEqual(await rowsOf(world, idOf(project)), [], `turn ${turn}`);
  }
});

Deno.test("a deletion that dies at any moment is finished at the next start", async () => {
  await using world = await newWorld(withAlerts);
  let last = false;
  for (let nth = 1; !last; nth++) {
    const { project } = await makeProject(world, nth);
    const dying = dieAt(world.deps, nth, nth % 2 ? "before" : "after");
    const actor = world.people.erin.actor;
    await deleteProject(
      await openProject({ deps: dying.deps, actor }, idOf(project), "update_project"),
      { force: true },
    ).catch(() => {});
    last = !dying.died();
    await doDue(world.deps, deletionWorker);
    await sweepOrphans(world.deps);
    const { status } = await world.api("erin", "GET", project);
    // If the server died before it marked the project, everything is still there.
    if (status === 200) assert.ok(nth <= 2, `commit ${nth}`);
    else assert.deepEqual(await rowsOf(world, idOf(project)), [], `commit ${nth}`);
    assert.ok(nth < 200);
  }
});

Deno.test("rows of a project that is gone are swept at the start", async () => {
  await using world = await newWorld(withAlerts);
  const before = await lastingKeys(world);
  const { project, ids } = await makeProject(world, 1);
  assert.equal((await world.request(ids.alias, { method: "POST", body: "{}" })).status, 200);
  await world.api("erin", "DELETE", `/api/users/${ids.member}`);
  await world.kv.delete(rowKeys.project(idOf(project)));
  await sweepOrphans(world.deps, AbortSignal.abort());
  assert.notDeepEqual(await rowsOf(world, idOf(project)), [], "at a shutdown");
  await sweepOrphans(world.deps);
  assert.deepEqual(await lastingKeys(world), before);
});

Deno.test("a template whose deletion continues after that of its project leaves nothing", async () => {
  await using world = await newWorld();
  const { project, ids } = await makeProject(world, 1);
  assert.equal((await world.api("erin", "DELETE", `${project}?force=true`)).status, 204);
  await finishTemplateDeletion(world.deps, idOf(project), ids.template);
  assert.deepEqual(await rowsOf(world, idOf(project)), []);
});

/** Rows of the project itself, which remain while they count nothing. */
const BESIDE = /guard|^drift_stamps|^row_counts\/\d+\/(tasks$|task_history\/0\/)/;

/** Events and the number of runs stay after their project is deleted. */
const isPast = (key: string) =>
  /^(events|object_events|activity|runs_by_quarter|runs_by_day\/\d+\/0)\//.test(key);

Deno.test("a template's deletion that dies at any moment is finished at the next start", async () => {
  await using world = await newWorld();
  const { web, people } = world;
  const templates = `/api/project/${web.id}/templates`;
  const { body: model } = await world.api("alice", "GET", `${templates}/${web.templateId}`);
  const before = (await rowsOf(world, web.id)).filter((key) => !isPast(key));
  let last = false;
  for (let nth = 1; !last; nth++) {
    const { body: template } = await world.api("alice", "POST", templates, { ...model, id: 0 });
    const task = { template_id: template.id };
    for (let n = 0; n < 3; n++) {
      const { body } = await world.api("alice", "POST", `/api/project/${web.id}/tasks`, task);
      await world.api("alice", "POST", `/api/project/${web.id}/tasks/${body.id}/stop`, {});
      await world.kv.set(rowKeys.taskLogChunk(body.id, 1), new Uint8Array(10));
    }
    await world.api("alice", "POST", `/api/project/${web.id}/schedules`, {
      ...task,
      cron_format: "0 3 * * *",
    });
    const dying = dieAt(world.deps, nth, nth % 2 ? "before" : "after");
    await deleteTemplate(
      await openProject({ deps: dying.deps, actor: people.mike.actor }, web.id, "manage_resources"),
      template.id,
    ).catch(() => {});
    last = !dying.died();
    await sweepOrphans(world.deps);
    const path = `${templates}/${template.id}`;
    if ((await world.api("alice", "GET", path)).status === 200) {
      assert.equal(nth, 1);
      const { body } = await world.api("alice", "GET", `${path}/schedules`);
      assert.equal(body.length, 1);
      assert.equal((await world.api("alice", "DELETE", path)).status, 204);
    }
    const left = (await rowsOf(world, web.id)).filter((key) => !isPast(key));
    assert.deepEqual(left.filter((key) => !before.includes(key) && !BESIDE.test(key)), []);
    assert.ok(nth < 100);
  }
});
