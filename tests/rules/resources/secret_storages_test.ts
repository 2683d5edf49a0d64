import assert from "node:assert/strict";
import { noSources } from "@/lib/execution/sources/settings.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { makePlan } from "@/lib/queue/plan/make_plan.ts";
import { withSecrets } from "@/lib/execution/sources/resolve.ts";
import { reveal } from "@/lib/base/secret.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { newVault, ROOT_TOKEN } from "@/tests/support/services/vault.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const SECRET = "hvs.very-secret-swordfish";
const storage = {
  name: "Team Vault",
  type: "vault",
  params: { url: "https://vault.example.com", auth_method: "token" },
  secret: SECRET,
};

const at = (world: World, path: string) => `/api/project/${world.web.id}${path}`;

async function make(world: World, path: string, body: object, person = "alice") {
  const made = await world.api(person as "alice", "POST", at(world, path), body);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body;
}

Deno.test("a storage keeps its credential to itself", async () => {
  await using world = await newWorld();
  const made = await make(world, "/secret_storages", storage);
  const { id, project_id } = made;
  assert.deepEqual(made, {
    id,
    project_id,
    name: "Team Vault",
    type: "vault",
    params: { url: "https://vault.example.com", mount: "secret", auth_method: "token" },
    read_only: true,
    unavailable: "wait",
    wait_seconds: 60,
    allow_private: false,
    has_secret: true,
    empty: false,
  });
  const item = `/secret_storages/${id}`;
  assert.deepEqual((await world.api("carol", "GET", at(world, item))).body, made);
  // Without its secret it stays, but not at another address.
  const { secret: _, ...rest } = storage;
  const put = (body: object, person: "alice" | "erin" = "alice") =>
    world.api(person, "PUT", at(world, item), body);
  assert.equal((await put({ ...rest, wait_seconds: 5 })).status, 204);
  const moved = { ...rest, params: { url: "https://evil.example.com" } };
  const refused = await put(moved);
  assert.equal(refused.status, 400);
  assert.ok("secret" in refused.body.fields);
  assert.equal((await put({ ...moved, secret: "x" })).status, 204);
  assert.equal((await put({ ...rest, secret: "x", allow_private: true })).status, 403);
  assert.equal((await put({ ...rest, secret: "x", allow_private: true }, "erin")).status, 204);
  assert.equal((await put({ ...rest, name: "Renamed" })).status, 204);
  assert.equal((await world.api("alice", "GET", at(world, item))).body.allow_private, true);
  // The permission was for that address.
  assert.equal((await put({ ...moved, secret: "x" })).status, 204);
  assert.equal((await world.api("alice", "GET", at(world, item))).body.allow_private, false);
  const events = await world.api("alice", "GET", at(world, "/events"));
  assert.doesNotMatch(JSON.stringify(events.body), /swordfish/);
  for await (const { value } of world.kv.list({ prefix: [] })) {
    assert.doesNotMatch(Deno.inspect(value, { depth: 9 }), /swordfish/);
  }
});

Deno.test("wrong storages are refused by the field", async () => {
  await using world = await newWorld();
  const wrong: [object, string][] = [
    [{ type: "env" }, "type"],
    [{ type: "attic" }, "type"],
    [{ params: {} }, "params.url"],
    [{ params: { url: "ftp://x" } }, "params.url"],
    [{ params: { url: "https://a:b@x" } }, "params.url"],
    [{ params: { ...storage.params, auth_method: "approle" } }, "params.role_id"],
    [{ params: { ...storage.params, auth_method: "magic" } }, "params.auth_method"],
    [{ params: { ...storage.params, ca_certificate: "x" } }, "params.ca_certificate"],
    [{ secret: "" }, "secret"],
    [{ wait_seconds: 0 }, "wait_seconds"],
    [{ unavailable: "later" }, "unavailable"],
  ];
  for (const [change, field] of wrong) {
    const { status, body } = await world.api("alice", "POST", at(world, "/secret_storages"), {
      ...storage,
      ...change,
    });
    assert.equal(status, 400, JSON.stringify(change));
    assert.ok(field in body.fields, `${field}: ${JSON.stringify(body)}`);
  }
});

Deno.test("keys and secret variables refer to a storage, which then cannot be deleted", async () => {
  await using world = await newWorld();
  const { id } = await make(world, "/secret_storages", storage);
  const source = { storage_id: id, path: "team/web", field: "" };
  const key = await make(world, "/keys", { name: "Deploy", type: "ssh", source });
  assert.deepEqual(key.source, { ...source, type: "vault" });
  assert.deepEqual(
    [key.source_storage_id, key.source_storage_key, key.source_storage_type, key.empty],
    [id, "team/web", "vault", false],
  );
  const newer = { source_storage_id: id, source_storage_key: "team/db" };
  const other = await make(world, "/keys", { name: "Db", type: "login_password", ...newer });
  assert.equal(other.source.path, "team/db");
  const env = await make(world, "/environment", {
    name: "Secrets",
    json: "{}",
    secrets: [{ operation: "create", type: "var", name: "token", source }],
  });
  assert.deepEqual(env.secrets[0].source, { ...source, type: "vault" });
  const item = at(world, `/secret_storages/${id}`);
  const refs = (await world.api("alice", "GET", `${item}/refs`)).body;
  assert.deepEqual(refs.keys.map(({ name }: { name: string }) => name), ["Deploy", "Db"]);
  assert.deepEqual(refs.environments, [{ id: env.id, name: "Secrets" }]);
  assert.equal((await world.api("alice", "DELETE", item)).status, 409);

  // A change that does not name the place keeps it. A value replaces it.
  const put = (path: string, body: object) => world.api("alice", "PUT", at(world, path), body);
  assert.equal((await put(`/keys/${key.id}`, { name: "Renamed" })).status, 204);
  const moved = { name: "Renamed", source: { ...source, path: "team/new" } };
  assert.equal((await put(`/keys/${key.id}`, moved)).status, 204);
  const renamed = (await world.api("alice", "GET", at(world, `/keys/${key.id}`))).body;
  assert.deepEqual([renamed.name, renamed.source.path], ["Renamed", "team/new"]);
  const none = { name: "Renamed", type: "none", override_secret: true };
  for (const one of [key, other]) assert.equal((await put(`/keys/${one.id}`, none)).status, 204);
  const secrets = [{ id: env.secrets[0].id, operation: "update", secret: "typed" }];
  await put(`/environment/${env.id}`, { name: "Secrets", json: "{}", secrets });
  const stored = (await world.api("alice", "GET", at(world, `/environment/${env.id}`))).body;
  assert.equal(stored.secrets[0].source, undefined);
  assert.equal((await world.api("alice", "DELETE", item)).status, 204);
});

Deno.test("a source names a storage of its own project, or one of the machine's kinds", async () => {
  await using world = await newWorld();
  const { id } = await make(world, "/secret_storages", storage);
  const post = (source: object, project = world.web.id) =>
    world.api("erin", "POST", `/api/project/${project}/keys`, { name: "K", type: "ssh", source });
  const file = { type: "file", path: "web/key" };
  const made = await post(file);
  assert.deepEqual(made.body.source, { ...file, storage_id: null, field: "" });
  assert.equal((await post({ path: "x" })).status, 400);
  assert.equal((await post({ type: "vault", path: "x" })).status, 400);
  assert.equal((await post({ ...file, path: "" })).status, 400);
  assert.equal((await post({ storage_id: id + 99, path: "x" })).status, 404);
});

Deno.test("the plan of a task refers to a storage, and whatever runs it reads the value", async () => {
  await using vault = await newVault();
  vault.secrets.set("team/web", { token: "from-vault-swordfish" });
  await using world = await newWorld();
  const { id } = await make(world, "/secret_storages", {
    ...storage,
    secret: ROOT_TOKEN,
    allow_private: true,
    params: { url: vault.url, ca_certificate: vault.ca },
  }, "erin");
  const env = await make(world, "/environment", {
    name: "From Vault",
    json: "{}",
    secrets: [{
      operation: "create",
      type: "var",
      name: "token",
      source: { storage_id: id, path: "team/web" },
    }],
  });
  const template = at(world, `/templates/${world.deploy.id}`);
  const { body } = await world.api("alice", "GET", template);
  await world.api("alice", "PUT", template, { ...body, environment_id: env.id });
  const task = await make(world, "/tasks", { template_id: world.deploy.id });
  const row = await getTaskRow(world.kv, world.web.id, task.id);
  const plan = await makePlan(world.deps, row);
  assert.deepEqual(vault.requests, [], "nothing is read before the run");
  const machine = { ...world.deps.environment, sources: noSources };
  const reading = { projectId: world.web.id, stop: new AbortController().signal };
  const text = await withSecrets(
    machine,
    plan,
    reading,
    ({ secretVars }) => Promise.resolve(reveal(secretVars.token, "compare")),
  );
  assert.equal(text, "from-vault-swordfish");

  const test = await world.api("alice", "POST", at(world, `/secret_storages/${id}/test`), {
    path: "team/web",
  });
  assert.deepEqual(test.body, { ok: true, names: ["token"], reason: null });
  const denied = await world.api("alice", "POST", at(world, `/secret_storages/${id}/test`), {
    path: "private/app",
  });
  assert.equal(denied.body.ok, false);
  assert.match(denied.body.reason, /"Team Vault" denied access to "private\/app"/);
  const rows = await Array.fromAsync(world.kv.list({ prefix: [] }));
  assert.doesNotMatch(Deno.inspect(rows, { depth: 12, iterableLimit: 1e6 }), /swordfish/);
  assert.ok((await world.kv.get(rowKeys.task(world.web.id, task.id))).value);
});

Deno.test("the pages create, test and delete a storage, and keys choose one", async () => {
  await using vault = await newVault();
  vault.secrets.set("team/web", { private_key: "x", login: "y" });
  await using world = await newWorld();
  const list = `/project/${world.web.id}/secret_storages`;
  const fields = {
    name: "Team Vault",
    type: "vault",
    "params.url": vault.url,
    "params.auth_method": "token",
    "params.ca_certificate": vault.ca,
    secret: ROOT_TOKEN,
    unavailable: "fail",
    wait_seconds: "60",
    allow_private: "true",
  };
  const redrawn = await world.post("erin", `${list}/new`, {
    ...fields,
    "params.auth_method": "approle",
    redraw: "true",
  });
  assert.match(await redrawn.text(), /name="params\.role_id"/);
  const { allow_private: _, ...closed } = fields;
  const asked = await world.post("erin", `${list}/new`, closed);
  assert.equal(asked.status, 422);
  const [, beside] = (await asked.text()).split('id="field-params-url-error"');
  assert.ok(beside.indexOf('name="allow_private"') < beside.indexOf("params.auth_method"));
  assert.match(beside, /<button[^>]*name="allow_private"[^>]*value="true"/);
  const runners = { ...closed, name: "Of runners", private_asked: "true" };
  assert.equal((await world.post("erin", `${list}/new`, runners)).status, 303);
  assert.equal((await world.post("mike", `${list}/new`, closed)).status, 303);
  const saved = await world.post("erin", `${list}/new`, fields);
  assert.equal(saved.status, 303);
  const { body: stored } = await world.api("erin", "GET", at(world, "/secret_storages"));
  const allowed = stored.map(({ allow_private }: { allow_private: boolean }) => allow_private);
  assert.deepEqual(allowed, [false, false, true]);
  const made = stored[2];
  const page = await (await world.get("erin", `${list}/${made.id}`)).text();
  assert.doesNotMatch(page, /swordfish/);
  const [, folded] = /<details id="storage-optional".*?fold-summary[^>]*>([^<]*)/s.exec(page)!;
  assert.equal(folded, "Certificates of a private authority (Optional)");
  const tested = await world.post("erin", `${list}/${made.id}/test`, { test_path: "team/web" });
  assert.match(await tested.text(), /private_key/);
  const key = {
    name: "Of Vault",
    type: "ssh",
    "source.place": String(made.id),
    "source.path": "team/web",
  };
  const keys = `/project/${world.web.id}/keys`;
  assert.equal((await world.post("erin", `${keys}/new`, key)).status, 303);
  const missing = await world.post("erin", `${keys}/new`, { ...key, "source.path": "" });
  assert.equal(missing.status, 422);
  const own = {
    name: "Own",
    type: "login_password",
    "source.place": "",
    "login_password.password": "p",
  };
  assert.equal((await world.post("erin", `${keys}/new`, own)).status, 303);
  assert.match(await (await world.get("erin", list)).text(), /Of Vault/);
  assert.match(await (await world.get("erin", `${list}/${made.id}/delete`)).text(), /Of Vault/);
});
