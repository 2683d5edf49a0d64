import assert from "node:assert/strict";
import { environmentRows } from "@/lib/resources/environments/repository.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import { revealed } from "@/tests/support/basics/revealed.ts";

const pathOf = ({ web }: World) => `/api/project/${web.id}/environment`;

/** Returns the values of an environment's secrets by type and name, as a task gets them. */
async function secretsOf({ kv, deps, web }: World, id: number) {
  const { secrets } = await environmentRows.get(kv, web.id, id);
  const opened = secrets.map(async ({ type, name, sealed }) =>
    [`${type}.${name}`, revealed(await deps.secrets.open(sealed))] as const
  );
  return Object.fromEntries(await Promise.all(opened));
}

Deno.test("Mike adds an environment, and its secrets' values are never answered", async () => {
  await using world = await newWorld();
  const created = await world.api("mike", "POST", pathOf(world), {
    name: "Staging",
    project_id: world.web.id,
    password: null,
    json: '{"region": "eu"}',
    env: '{"LANG": "C", "RETRIES": 3, "VERBOSE": true}',
    secrets: [
      { type: "var", name: "db_password", secret: "hunter2", operation: "create" },
      { type: "env", name: "TOKEN", secret: "t0ken", operation: "create" },
    ],
  });
  assert.equal(created.status, 201);
  const { id, secrets, ...fields } = created.body;
  assert.deepEqual(fields, {
    project_id: world.web.id,
    name: "Staging",
    password: null,
    json: '{"region": "eu"}',
    env: '{"LANG": "C", "RETRIES": 3, "VERBOSE": true}',
  });
  assert.deepEqual(secrets.map(({ id: _, ...secret }: { id: number }) => secret), [
    { type: "var", name: "db_password" },
    { type: "env", name: "TOKEN" },
  ]);
  assert.deepEqual((await world.api("carol", "GET", `${pathOf(world)}/${id}`)).body, created.body);
  const list = await world.api("carol", "GET", pathOf(world));
  assert.deepEqual(list.body.find((one: { id: number }) => one.id === id), created.body);
  assert.deepEqual(await secretsOf(world, id), {
    "var.db_password": "hunter2",
    "env.TOKEN": "t0ken",
  });
});

Deno.test("secrets are added, renamed, replaced and deleted; those not named stay", async () => {
  await using world = await newWorld();
  const base = { name: "Staging", json: "{}", env: "{}" };
  const { body } = await world.api("mike", "POST", pathOf(world), {
    ...base,
    secrets: [
      { type: "var", name: "a", secret: "1" },
      { type: "var", name: "b", secret: "2" },
      { type: "var", name: "c", secret: "3" },
    ],
  });
  const [a, b, c] = body.secrets;
  const put = (secrets: unknown) =>
    world.api("mike", "PUT", `${pathOf(world)}/${body.id}`, { ...base, id: body.id, secrets });

  const changed = await put([
    { ...a, name: "renamed", secret: "", operation: "update" },
    { ...b, secret: "22", operation: "update" },
    { type: "env", name: "D", secret: "4", operation: "create" },
    { ...c, secret: "", operation: "" },
  ]);
  assert.equal(changed.status, 204);
  const after = { "var.renamed": "1", "var.b": "22", "var.c": "3", "env.D": "4" };
  assert.deepEqual(await secretsOf(world, body.id), after);

  assert.equal((await put(undefined)).status, 204);
  assert.deepEqual(await secretsOf(world, body.id), after);
  assert.equal((await put([{ ...c, operation: "delete" }])).status, 204);
  assert.deepEqual(Object.keys(await secretsOf(world, body.id)), ["var.renamed", "var.b", "env.D"]);
});

Deno.test("secrets of another environment, twice the same, or too many are refused", async () => {
  await using world = await newWorld();
  const secret = { type: "var", name: "a", secret: "1", operation: "create" };
  const post = (secrets: unknown) =>
    world.api("mike", "POST", pathOf(world), { name: "Staging", secrets });
  const own = await post([secret]);
  const other = await post([secret]);
  const item = `${pathOf(world)}/${own.body.id}`;
  const foreign = { ...secret, id: other.body.secrets[0].id };
  for (const operation of ["update", "delete"]) {
    const { status } = await world.api("mike", "PUT", item, {
      name: "Staging",
      secrets: [{ ...foreign, operation }],
    });
    assert.equal(status, 404);
  }
  assert.deepEqual(await secretsOf(world, other.body.id), { "var.a": "1" });

  assert.equal((await post([secret, secret])).status, 400);
  assert.equal((await post([{ ...secret, name: "no-name" }])).status, 400);
  assert.equal((await post([{ ...secret, type: "file" }])).status, 400);
  const many = Array.from({ length: 101 }, (_, n) => ({ ...secret, name: `a${n}` }));
  assert.equal((await post(many)).status, 400);
  assert.equal((await post([{ ...secret, secret: "ü".repeat(16_000) }])).status, 400);
});

Deno.test("variables must be JSON objects that a process or a playbook can take", async () => {
  await using world = await newWorld();
  const post = (fields: Record<string, unknown>) =>
    world.api("mike", "POST", pathOf(world), { name: "Staging", ...fields });
  for (const json of ["5", "[]", "null", "{", '{"": 1}', 5]) {
    const { status, body } = await post({ json });
    assert.equal(status, 400, String(json));
    assert.deepEqual(Object.keys(body.fields), ["json"]);
  }
  for (
    const env of ["[]", '{"": "x"}', '{"a=b": "x"}', '{"A": {}}', '{"A": null}', '{"A":"\\u0000"}']
  ) {
    const { status, body } = await post({ env });
    assert.equal(status, 400, env);
    assert.deepEqual(Object.keys(body.fields), ["env"]);
  }
  const empty = await post({ json: "", env: null });
  assert.deepEqual([empty.status, empty.body.json, empty.body.env], [201, "", null]);
});

Deno.test("the largest environment that is taken fits, and is read back", async () => {
  await using world = await newWorld();
  const json = JSON.stringify({ text: "ü".repeat(120_000) });
  const secrets = Array.from({ length: 100 }, (_, n) => ({
    type: "var",
    name: `a${n}`.padEnd(100, "x"),
    secret: "1".repeat(100),
  }));
  const sent = { name: "€".repeat(200), json, env: '{"A": "€' + "x".repeat(5_500) + '"}', secrets };
  const created = await world.api("mike", "POST", pathOf(world), sent);
  assert.equal(created.status, 201);
  const one = await world.api("bob", "GET", `${pathOf(world)}/${created.body.id}`);
  assert.deepEqual(one.body, created.body);
  assert.equal(one.body.json, json);
});
