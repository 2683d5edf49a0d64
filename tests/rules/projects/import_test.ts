import { requireAdmin } from "@/lib/access/scope.ts";
import assert from "node:assert/strict";
import { backupFile } from "@/tests/support/world/backups.ts";
import * as fc from "@/tests/packages/fast_check.ts";
import { bcrypt } from "hash-wasm";
import { importProject, importUsers, newAdmins } from "@/lib/maintenance/semaphore/import.ts";
import { restSource } from "@/lib/maintenance/semaphore/rest.ts";
import type { Source } from "@/lib/maintenance/semaphore/source.ts";
import { findUserByLogin } from "@/lib/people/users/repository.ts";
import { serveWorld, tokenOf } from "@/tests/support/world/serve_world.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const backUp = async (world: World, id: number) =>
  (await world.api("erin", "GET", `/api/project/${id}/backup`)).body;

Deno.test("a project is imported from another server's API as its backup would restore it", async () => {
  await using old = await newWorld();
  await using here = await newWorld();
  const [file] = fc.sample(backupFile, { numRuns: 1, seed: 297 });
  const made = await old.api("erin", "POST", "/api/projects/restore?strict=true", file);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  // Another project, so that no id is the same on both servers.
  const other = { ...file, meta: { ...file.meta, name: "Other" } };
  assert.equal((await here.api("erin", "POST", "/api/projects/restore", other)).status, 200);
  const member = { user_id: old.people.bob.id, role: "task_runner" };
  await old.api("erin", "POST", `/api/project/${made.body.id}/users`, member);

  const { url, stop } = serveWorld(old);
  try {
    const source = restSource(url, await tokenOf(old));
    const imported = await importProject(
      { deps: here.deps, actor: here.people.erin.actor },
      source,
      made.body.id,
    );
    assert.deepEqual(imported.report.left_out, []);
    const team = (await here.api("erin", "GET", `/api/project/${imported.id}/users`)).body;
    assert.deepEqual(
      team.map((row: { username: string; role: string }) => [row.username, row.role]),
      [["bob", "task_runner"], ["erin", "owner"]],
    );
    assert.deepEqual(
      comparable(await backUp(here, imported.id!)),
      comparable(await backUp(old, made.body.id)),
    );
  } finally {
    await stop();
  }
});

Deno.test("an import keeps which hosts a key is for, and the way to them", async () => {
  await using old = await newWorld();
  await using here = await newWorld();
  const path = `/api/project/${old.web.id}`;
  const make = async (kind: string, body: object) => {
    const answer = await old.api("mike", "POST", `${path}/${kind}`, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.id as number;
  };
  const ssh = { type: "ssh", generate: true };
  const gate = await make("keys", { name: "Gate", ...ssh });
  const jump = { host: "gate", user: "hop", key_id: gate };
  const dmz = await make("keys", { name: "DMZ", ...ssh, ssh_options: { port: 2200, jump } });
  const list = { ssh_key_ids: [gate, dmz], ssh_key_hosts: { [dmz]: ["dmz*"] } };
  await make("inventory", { name: "All", type: "static", inventory: "dmz1", ...list });
  const { url, stop } = serveWorld(old);
  try {
    const imported = await importProject(
      { deps: here.deps, actor: here.people.erin.actor },
      restSource(url, await tokenOf(old)),
      old.web.id,
    );
    const { keys, inventories } = await backUp(here, imported.id!);
    assert.deepEqual(keys.find(({ name }: { name: string }) => name === "DMZ").ssh_options, {
      port: 2200,
      jump: { host: "gate", user: "hop", key: "Gate" },
    });
    assert.deepEqual(inventories.find(({ name }: { name: string }) => name === "All").ssh_keys, [
      { key: "Gate" },
      { key: "DMZ", hosts: ["dmz*"] },
    ]);
  } finally {
    await stop();
  }
});

Deno.test("workflows of Semaphore are imported from its API, with values, notes and parameters", async () => {
  await using here = await newWorld();
  const task = { kind: "task", convergence_mode: "all", template_id: 3 };
  const graph = {
    nodes: [
      { id: 8, ...task },
      { id: 9, kind: "approval", convergence_mode: "all", approval_timeout: 90 },
      { id: 10, kind: "note", note: "Ask the team", position_x: 4 },
      { id: 11, ...task, task_params: { id: 2, project_id: 7, inventory_id: 5, params: {} } },
      { id: 12, kind: "delay", delay_seconds: 61 },
    ],
    edges: [
      { id: 1, source_node_id: 8, destination_node_id: 9, condition: "on_success" },
      {
        ...{ id: 2, source_node_id: 9, destination_node_id: 11, condition: "always" },
        ...{ input_mode: "explicit", input_mappings: [] },
      },
      {
        ...{ id: 3, source_node_id: 8, destination_node_id: 11, condition: "on_success" },
        ...{ input_mode: "explicit", input_mappings: [{ var: "release", key: "version" }] },
      },
      { id: 4, source_node_id: 11, destination_node_id: 12, condition: "on_failure" },
    ],
  };
  const release = { id: 6, project_id: 7, name: "Release", start_version: "1.0" };
  const inventory = { id: 5, name: "Hosts", type: "static", inventory: "web", ssh_key_id: 1 };
  const template = {
    ...{ id: 3, name: "Site", playbook: "site.yml", repository_id: 2, inventory_id: 5 },
    survey_vars: [{ name: "release", title: "Release" }],
  };
  const items: Record<string, unknown> = {
    "/users": [],
    "/project/7": { id: 7, name: "Shop" },
    "/project/7/keys": [{ id: 1, name: "None", type: "none" }],
    "/project/7/repositories": [{ id: 2, name: "A", git_url: "/a", git_branch: "", ssh_key_id: 1 }],
    "/project/7/inventory": [inventory],
    "/project/7/templates": [template],
    "/project/7/templates/3": template,
    "/project/7/workflows": [{ ...release, nodes: [], edges: [] }],
    "/project/7/workflows/6": { ...release, ...graph },
  };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const path = new URL(request.url).pathname.replace("/api", "");
    return Response.json(items[path] ?? []);
  });
  try {
    const { id, report } = await importProject(
      { deps: here.deps, actor: here.people.erin.actor },
      restSource(`http://127.0.0.1:${server.addr.port}`, "token"),
      7,
    );
    assert.deepEqual(report.left_out, []);
    const [workflow] = (await here.api("erin", "GET", `/api/project/${id}/workflows`)).body;
    const [{ id: hosts }] = (await here.api("erin", "GET", `/api/project/${id}/inventory`)).body;
    // deno-lint-ignore no-explicit-any -- an answer of the API
    const [first, approval, second, wait] = workflow.steps as any[];
    assert.deepEqual([first.after, approval.approval.timeout_minutes, wait.minutes], [[], 2, 2]);
    assert.deepEqual(second.after, [
      { step: approval.id, when: "always" },
      { step: first.id, when: "success" },
    ]);
    assert.equal(second.params.inventory_id, hosts);
    const from = { step: first.id, name: "version" };
    assert.deepEqual(second.values, [{ var: "release", from }]);
    assert.deepEqual(wait.after, [{ step: second.id, when: "failure" }]);
    assert.ok(workflow.nodes.some(({ note }: { note?: string }) => note === "Ask the team"));
  } finally {
    await server.shutdown();
  }
});

/**
 * Returns a backup without its addresses, which are new, and sorted, because the API lists by name.
 */
// deno-lint-ignore no-explicit-any -- a backup file
function comparable(value: any): unknown {
  if (Array.isArray(value)) {
    const texts = new Map(
      value.map((entry) => [comparable(entry), JSON.stringify(comparable(entry))]),
    );
    return [...texts].toSorted(([, a], [, b]) => a < b ? -1 : a > b ? 1 : 0).map(([entry]) =>
      entry
    );
  }
  if (typeof value !== "object" || value === null) return value;
  const { aliases: _, integration_aliases: __, ...rest } = value;
  return Object.fromEntries(
    Object.entries(rest).map(([name, member]) => [name, comparable(member)]),
  );
}

Deno.test("people get accounts that no one can sign in with before a password is set", async () => {
  await using old = await newWorld();
  await using here = await newWorld();
  await old.api("erin", "POST", "/api/users", {
    username: "gina",
    name: "Gina",
    email: "gina@example.com",
    password: "known to gina",
  });
  const { url, stop } = serveWorld(old);
  try {
    const source = restSource(url, await tokenOf(old));
    const { added, kept } = await importUsers(
      requireAdmin({ deps: here.deps, actor: here.people.erin.actor }),
      source,
    );
    assert.deepEqual(added, ["gina"]);
    assert.ok(kept.includes("bob"));
    const answer = await here.api(null, "POST", "/api/auth/login", {
      auth: "gina",
      password: "known to gina",
    });
    assert.equal(answer.status, 401);
  } finally {
    await stop();
  }
});

Deno.test("administrators of the other server are so here only where someone says it", async () => {
  await using here = await newWorld();
  const users = ["gina", "hans", "bob"].map((username) => ({
    username,
    name: username,
    email: `${username}@example.org`,
    admin: username !== "hans",
  }));
  const source = { users: () => Promise.resolve(users) } as unknown as Source;
  const scope = requireAdmin({ deps: here.deps, actor: here.people.erin.actor });
  assert.deepEqual(await newAdmins(here.deps, source), ["gina"], "bob is here already");
  const isAdmin = async (login: string) => (await findUserByLogin(here.kv, login))!.value.admin;

  const { added, admins } = await importUsers(scope, source);
  assert.deepEqual([added, admins], [["gina", "hans"], ["gina"]]);
  assert.deepEqual([await isAdmin("gina"), await isAdmin("bob")], [false, false]);

  await using other = await newWorld();
  const otherScope = requireAdmin({ deps: other.deps, actor: other.people.erin.actor });
  await importUsers(otherScope, source, { withAdmins: true });
  const said = async (login: string) => (await findUserByLogin(other.kv, login))!.value.admin;
  assert.deepEqual([await said("gina"), await said("hans"), await said("bob")], [
    true,
    false,
    false,
  ]);
});

Deno.test("a server that does not answer, or a wrong token, is reported in a sentence", async () => {
  await using old = await newWorld();
  const { url, stop } = serveWorld(old);
  try {
    await assert.rejects(restSource(url, "1.wrong").projects(), /answered 401.*administrator/);
    await assert.rejects(restSource("http://127.0.0.1:1", "x").projects(), /cannot be reached/);
    const source = restSource(url, await tokenOf(old));
    await assert.rejects(source.read(999), /Project 999 does not exist/);
  } finally {
    await stop();
  }
});

Deno.test("people imported from a database sign in with the old password, which then gets our hash", async () => {
  await using here = await newWorld();
  const password = "known to gina";
  const hash = await bcrypt({
    password,
    salt: crypto.getRandomValues(new Uint8Array(16)),
    costFactor: 4,
    outputType: "encoded",
  });
  const source: Pick<Source, "users"> = {
    users: () =>
      Promise.resolve([
        { username: "gina", name: "Gina", email: "gina@example.com", password: hash },
        { username: "odd", name: "Odd", email: "odd@example.com", password: "$2a$31$tooexpensive" },
      ]),
  };
  const { added, withPassword } = await importUsers(
    requireAdmin({ deps: here.deps, actor: here.people.erin.actor }),
    source as Source,
  );
  assert.deepEqual([added, withPassword], [["gina", "odd"], ["gina"]]);
  const signIn = (auth: string, password: string) =>
    here.api(null, "POST", "/api/auth/login", { auth, password });
  assert.equal((await signIn("odd", "$2a$31$tooexpensive")).status, 401);
  assert.equal((await signIn("gina", "guessed")).status, 401);
  assert.equal((await signIn("gina", password)).status, 204);
  const stored = (await findUserByLogin(here.kv, "gina"))!.value.password!;
  assert.match(stored, /^\$argon2id\$/);
  assert.equal((await signIn("gina", password)).status, 204);
});
