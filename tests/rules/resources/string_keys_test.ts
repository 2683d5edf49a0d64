import assert from "node:assert/strict";
import { makePlan } from "@/lib/queue/plan/make_plan.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { templateForm } from "@/tests/support/world/forms.ts";
import { fieldOf, htmlOf } from "@/tests/support/basics/html.ts";
import { revealed } from "@/tests/support/basics/revealed.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const keys = ({ web }: World) => `/api/project/${web.id}/keys`;
const TOKEN = "tok-4711\nsecond line";

/** Creates a key that is a secret text. */
async function newKey(world: World, name = "Token"): Promise<number> {
  const { status, body } = await world.api("mike", "POST", keys(world), {
    name,
    type: "string",
    string: TOKEN,
  });
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual([body.type, body.string, body.empty], ["string", "", false]);
  return body.id;
}

Deno.test("a key can be a secret text, which is never answered", async () => {
  await using world = await newWorld();
  const id = await newKey(world);
  const path = `${keys(world)}/${id}`;
  const { body } = await world.api("mike", "GET", path);
  assert.ok(!JSON.stringify(body).includes("tok-4711"));
  for (const string of ["", null, undefined]) {
    const empty = await world.api("mike", "POST", keys(world), {
      name: "N",
      type: "string",
      string,
    });
    assert.deepEqual([empty.status, Object.keys(empty.body.fields)], [400, ["string"]]);
  }
  const put = (form: object) => world.api("mike", "PUT", path, { ...body, ...form });
  assert.equal((await put({ name: "Renamed" })).status, 204, "its text stays");
  assert.equal((await put({ override_secret: true })).status, 400);
  assert.equal((await put({ override_secret: true, string: "other" })).status, 204);
  assert.equal((await put({ string: "x".repeat(4097), override_secret: true })).status, 400);
  assert.deepEqual((await world.api("mike", "GET", path)).body.name, "Token");
});

Deno.test("a secret text is the password of a vault and the secret of a webhook", async () => {
  await using world = await newWorld();
  const key = await newKey(world);
  const web = `/api/project/${world.web.id}`;
  const template = await world.api("mike", "POST", `${web}/templates`, {
    ...templateForm(world),
    vaults: [{ name: "prod", type: "password", vault_key_id: key }],
  });
  assert.equal(template.status, 201, JSON.stringify(template.body));
  const task = await world.api("bob", "POST", `${web}/tasks`, { template_id: template.body.id });
  const row = await getTaskRow(world.kv, world.web.id, task.body.id);
  const plan = revealed(await makePlan(world.deps, row));
  assert.deepEqual(plan.vaults, [{ name: "prod", password: TOKEN }]);

  const id = await world.api("mike", "POST", keys(world), {
    name: "Hook",
    type: "string",
    string: "s3cret-hook",
  });
  const hook = await world.api("mike", "POST", `${web}/integrations`, {
    name: "Hook",
    template_id: world.deploy.id,
    auth_method: "token",
    auth_header: "X-Token",
    auth_secret_id: id.body.id,
  });
  assert.equal(hook.status, 201, JSON.stringify(hook.body));
  const alias = await world.api("mike", "POST", `${web}/integrations/${hook.body.id}/aliases`);
  const { pathname } = new URL(alias.body.url, "http://callboard.test");
  const call = async (token: string) =>
    (await world.request(pathname, { method: "POST", headers: { "X-Token": token } })).status;
  assert.equal(await call("wrong"), 401);
  assert.equal(await call("s3cret-hook"), 200);
  const none = { name: "Hook", type: "none", override_secret: true };
  assert.equal((await world.api("mike", "PUT", `${keys(world)}/${id.body.id}`, none)).status, 409);
  const password = { type: "login_password", login_password: { login: "", password: "x" } };
  const changed = { ...none, ...password };
  assert.equal(
    (await world.api("mike", "PUT", `${keys(world)}/${id.body.id}`, changed)).status,
    204,
  );
});

Deno.test("the form of a key takes a secret text, and other forms offer it", async () => {
  await using world = await newWorld();
  const page = `/project/${world.web.id}/keys`;
  const form = { name: "Galaxy", type: "string", string: TOKEN };
  const html = await htmlOf(await world.get("mike", `${page}/new`));
  assert.match(fieldOf(html, "string"), /<textarea/);
  assert.equal((await world.post("mike", `${page}/new`, { ...form, string: "" })).status, 422);
  assert.equal((await world.post("mike", `${page}/new`, form)).status, 303);
  const list = await htmlOf(await world.get("mike", page));
  assert.ok(list.includes("Galaxy") && list.includes("Secret text"));
  for (const other of ["templates/new/edit", "toolchains/new", "integration/new"]) {
    const shown = await htmlOf(await world.get("mike", `/project/${world.web.id}/${other}`));
    assert.match(shown, /<option[^>]*>Galaxy</, other);
  }
});

Deno.test("a backup has a secret text without its text", async () => {
  await using world = await newWorld();
  await newKey(world);
  const { body: file } = await world.api("alice", "GET", `/api/project/${world.web.id}/backup`);
  assert.ok(!JSON.stringify(file).includes("tok-4711"));
  const restored = await world.api("erin", "POST", "/api/projects/restore", {
    ...file,
    meta: { ...file.meta, name: "Copy" },
  });
  assert.equal(restored.status, 200, JSON.stringify(restored.body));
  const { body } = await world.api("erin", "GET", `/api/project/${restored.body.id}/keys`);
  const copy = body.find(({ name }: { name: string }) => name === "Token");
  assert.deepEqual([copy.type, copy.empty], ["string", true]);
});
