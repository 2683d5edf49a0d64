import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import { latestOf, run } from "@/tests/support/world/attempts.ts";
import { inventoryForm, templateForm } from "@/tests/support/world/forms.ts";
import {
  giveKey,
  makeInProject,
  personalTemplate,
  planOf,
  secretTexts,
  sendTask,
  startPersonal,
} from "@/tests/support/world/own_keys.ts";
import { SECRETS } from "@/tests/support/basics/secret_corpus.ts";
import { textsIn } from "@/tests/support/basics/texts_in.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const PASSWORDS = { ssh_password: "s-1", become_password: "b-2", vault_password: "v-3" };

const getTask = async (world: World, id: number) =>
  (await world.api("bob", "GET", `/api/project/${world.web.id}/tasks/${id}`)).body;

Deno.test("a task gets the own key that its starter chooses, and no one else's", async () => {
  await using world = await newWorld();
  const template = await personalTemplate(world);
  const none = await sendTask(world, "bob", template);
  assert.deepEqual([none.status, Object.keys(none.body.fields)], [400, ["own_key_id"]]);
  const first = await giveKey(world, "bob");
  const second = await giveKey(world, "bob", "Desktop");
  const mikes = await giveKey(world, "mike");
  // People who start a template as before do not know that it asks for a key now.
  const unaware = await sendTask(world, "bob", template);
  assert.deepEqual([unaware.status, Object.keys(unaware.body.fields)], [400, ["own_key_id"]]);
  const id = await startPersonal(world, "bob", template, { own_key_id: first.id });
  assert.equal((await getTask(world, id)).own_key, true);
  const plan = await planOf(world, id);
  assert.deepEqual(secretTexts(plan).filter((text) => text !== ""), [first.privateKey]);
  assert.equal(plan.inventory.userKey.type, "ssh");
  assert.equal("login" in plan.inventory.userKey && plan.inventory.userKey.login, "bob");
  const chosen = await startPersonal(world, "bob", template, { own_key_id: second.id });
  assert.ok(secretTexts(await planOf(world, chosen)).includes(second.privateKey));
  const foreign = await sendTask(world, "bob", template, { own_key_id: mikes.id });
  assert.equal(foreign.body.fields.own_key_id, "You have no such SSH key.");
  // Another person who runs it again sends the whole task, and gets their own key.
  const again = await startPersonal(world, "mike", template, {
    ...await getTask(world, chosen),
    own_key_id: mikes.id,
  });
  assert.ok(secretTexts(await planOf(world, again)).includes(mikes.privateKey));
});

Deno.test("an inventory can require the key, also one that a task chooses", async () => {
  await using world = await newWorld();
  const { privateKey } = await giveKey(world, "bob");
  const inventory = await makeInProject(
    world,
    "inventory",
    inventoryForm(world, { name: "Own", own_key: true, ssh_key_id: null }),
  );
  const fields = { task_params: { allow_override_inventory: true }, own_key: false };
  const template = await personalTemplate(world, fields);
  const plain = await startPersonal(world, "bob", template);
  assert.equal((await getTask(world, plain)).own_key, false);
  const id = await startPersonal(world, "bob", template, { inventory_id: inventory });
  assert.ok(secretTexts(await planOf(world, id)).includes(privateKey));
  // A client that does not know the member keeps it.
  const path = `/api/project/${world.web.id}/inventory/${inventory}`;
  const { own_key: _, ...known } = (await world.api("alice", "GET", path)).body;
  assert.equal((await world.api("alice", "PUT", path, known)).status, 204);
  assert.equal((await world.api("alice", "GET", path)).body.own_key, true);
});

Deno.test("asked passwords reach the run, and are deleted at its end", async () => {
  await using world = await newWorld();
  const asking = { ask_ssh_password: true, ask_become_password: true, ask_vault_password: true };
  const template = await personalTemplate(world, asking);
  const missing = await sendTask(world, "bob", template, { ssh_password: "s" });
  assert.deepEqual(Object.keys(missing.body.fields), ["become_password", "vault_password"]);
  const line = await sendTask(world, "bob", template, { ...PASSWORDS, ssh_password: "a\nb" });
  assert.deepEqual(Object.keys(line.body.fields), ["ssh_password"]);
  const { status, body } = await sendTask(world, "bob", template, PASSWORDS);
  assert.equal(status, 201);
  for (const text of Object.values(PASSWORDS)) assert.ok(!JSON.stringify(body).includes(text));
  const { inventory, vaults } = await planOf(world, body.id);
  assert.equal(inventory.userKey.type, "login_password");
  assert.equal(inventory.becomeKey?.type, "login_password");
  assert.deepEqual(vaults.map(({ name }) => name), ["default"]);
  assert.deepEqual(secretTexts(await planOf(world, body.id)).toSorted(), ["b-2", "s-1", "v-3"]);
  const stored = await world.kv.get<Uint8Array>(rowKeys.taskPasswords(body.id));
  assert.ok(stored.value && !new TextDecoder().decode(stored.value).includes("s-1"));
  await run(world, body.id, { web1: "failed" });
  for (const key of [rowKeys.taskPasswords(body.id), rowKeys.taskPin(body.id)]) {
    assert.equal((await world.kv.get(key)).versionstamp, null);
  }

  // A retry asks again.
  const retry = `/api/project/${world.web.id}/tasks/${body.id}/retry`;
  const silent = await world.api("bob", "POST", retry, {});
  assert.deepEqual(Object.keys(silent.body.fields), Object.keys(PASSWORDS));
  const repeated = await world.api("bob", "POST", retry, { ...PASSWORDS, ssh_password: "s-4" });
  assert.equal(repeated.status, 201, JSON.stringify(repeated.body));
  assert.ok(secretTexts(await planOf(world, repeated.body.id)).includes("s-4"));
});

Deno.test("passwords of all kinds reach the run as they were typed, and no row or answer has them", async () => {
  await using world = await newWorld();
  const asking = { ask_ssh_password: true, ask_become_password: true, ask_vault_password: true };
  const template = await personalTemplate(world, asking);
  for (const secret of SECRETS) {
    const passwords = Object.fromEntries(Object.keys(PASSWORDS).map((name) => [name, secret]));
    const id = await startPersonal(world, "bob", template, passwords);
    assert.deepEqual(secretTexts(await planOf(world, id)), [secret, secret, secret]);
    const answers = JSON.stringify([
      await getTask(world, id),
      (await world.api("erin", "GET", `/api/project/${world.web.id}/tasks`)).body,
      (await world.api("erin", "GET", "/api/events")).body,
    ]);
    assert.ok(!answers.includes(JSON.stringify(secret).slice(1, -1)));
    for await (const { key, value } of world.kv.list({ prefix: [] })) {
      assert.ok(!textsIn(value).includes(secret), String(key));
    }
  }
});

Deno.test("the inputs of a task with its starter's secrets are those of its start", async () => {
  await using world = await newWorld();
  await giveKey(world, "bob");
  const template = await personalTemplate(world);
  const start = () => startPersonal(world, "bob", template);
  const change = async (kind: string, id: number, fields: object) => {
    const path = `/api/project/${world.web.id}/${kind}/${id}`;
    const { body } = await world.api("alice", "GET", path);
    const answer = await world.api("alice", "PUT", path, { ...body, ...fields });
    assert.equal(answer.status, 204, JSON.stringify(answer.body));
  };
  const { inventoryId, environmentId, repositoryId } = world.web;
  const id = await start();
  await change("inventory", inventoryId, { inventory: "evil.example.com" });
  assert.match((await planOf(world, id)).inventory.content, /localhost/);
  await change("environment", environmentId, { json: '{"a": 1}' });
  await assert.rejects(planOf(world, id), { key: "errors.personal.changed_since_start" });
  const next = await start();
  await change("repositories", repositoryId, { git_url: "https://git.example.com/evil.git" });
  await assert.rejects(planOf(world, next), { key: "errors.personal.changed_since_start" });
  assert.match((await planOf(world, await start())).inventory.content, /evil/);
});

Deno.test("the key is not used for people who have left, and not once it was removed", async () => {
  await using world = await newWorld();
  const { id: keyId } = await giveKey(world, "bob");
  const template = await personalTemplate(world);
  const id = await startPersonal(world, "bob", template);
  const member = `/api/project/${world.web.id}/users/${world.people.bob.id}`;
  assert.equal((await world.api("alice", "DELETE", member)).status, 204);
  await assert.rejects(planOf(world, id), { key: "errors.personal.starter_gone" });
  const back = { user_id: world.people.bob.id, role: "guest" };
  await world.api("alice", "POST", `/api/project/${world.web.id}/users`, back);
  await assert.rejects(planOf(world, id), { key: "errors.personal.starter_gone" });
  await world.api("alice", "PUT", member, { role: "task_runner" });
  await planOf(world, id);
  await world.api("bob", "DELETE", `/api/user/keys/${keyId}`);
  await assert.rejects(planOf(world, id), { key: "errors.personal.key_gone" });
});

Deno.test("only its starter confirms a personal task, unless a preview has shown what it does", async () => {
  await using world = await newWorld();
  const { id: own_key_id } = await giveKey(world, "bob");
  const template = await personalTemplate(world, { own_key: true, require_confirmation: true });
  const id = await startPersonal(world, "bob", template);
  const confirm = (by: "alice" | "bob") =>
    world.api(by, "POST", `/api/project/${world.web.id}/tasks/${id}/confirm`);
  const foreign = await confirm("alice");
  assert.equal(foreign.status, 403);
  assert.match(foreign.body.error, /^Only the person who started this task can approve it/);
  assert.equal((await confirm("bob")).status, 204);
  const others = { own_key: true, require_confirmation: true, approval: { not_starter: true } };
  const never = await personalTemplate(world, { name: "Never", ...others });
  const refused = await sendTask(world, "bob", never, { own_key_id });
  assert.match(refused.body.error, /needs a preview first/);
  const seen = await personalTemplate(world, { name: "Seen", ...others, preview_first: true });
  assert.equal((await sendTask(world, "bob", seen, { own_key_id })).status, 201);
});

Deno.test("a template does not have two ways to sign in, and starts nothing automatically", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}/templates`;
  const both = templateForm(world, { own_key: true, ask_ssh_password: true });
  const refused = await world.api("alice", "POST", path, both);
  assert.deepEqual(Object.keys(refused.body.fields), ["ask_ssh_password"]);
  const build = await makeInProject(
    world,
    "templates",
    templateForm(world, { type: "build", start_version: "1" }),
  );
  const deploy = { type: "deploy", build_template_id: build, autorun: true, own_key: true };
  const automatic = await world.api("alice", "POST", path, templateForm(world, deploy));
  assert.deepEqual(Object.keys(automatic.body.fields), ["autorun"]);
  const repeated = await personalTemplate(world, { own_key: true, retry_attempts: 3 });
  await giveKey(world, "bob");
  const id = await startPersonal(world, "bob", repeated);
  assert.equal((await getTask(world, id)).attempts, null);
  // A client that does not know the members keeps them.
  const own = `${path}/${repeated}`;
  const { own_key: _, ...known } = (await world.api("alice", "GET", own)).body;
  assert.equal((await world.api("alice", "PUT", own, known)).status, 204);
  assert.equal((await world.api("alice", "GET", own)).body.own_key, true);
});

Deno.test("the forms ask for keys and passwords, and say who can start such tasks", async () => {
  await using world = await newWorld();
  const { web } = world;
  const template = await personalTemplate(world, { own_key: true, ask_become_password: true });
  const path = `/project/${web.id}/templates/${template}/tasks`;
  const blank = await (await world.get("bob", path)).text();
  assert.match(blank, /You have no SSH key of your own yet/);
  assert.match(blank, /name="become_password"/);
  const { id } = await giveKey(world, "bob", "Thinkpad");
  assert.match(await (await world.get("bob", path)).text(), /<option[^>]*>Thinkpad/);
  assert.doesNotMatch(await (await world.get("alice", path)).text(), /Thinkpad/);
  const wrong = await world.post("bob", path, { own_key_id: String(id) });
  assert.equal(wrong.status, 422);
  const form = { own_key_id: String(id), become_password: "sudo please" };
  const started = await world.post("bob", path, form);
  assert.equal(started.status, 303);
  assert.ok(secretTexts(await planOf(world, (await latestOf(world)).id)).includes("sudo please"));
  const page = await (await world.get("alice", started.headers.get("location")!)).text();
  assert.match(page, /The starter(?:'|&#39;)s own key/);

  const edit = await (await world.get("alice", `/project/${web.id}/templates/${template}/edit`))
    .text();
  assert.match(edit, /name="own_key"[^>]*checked|checked[^>]*name="own_key"/);
  const schedule = `/project/${web.id}/schedules/new?template=${template}`;
  assert.match(await (await world.get("alice", schedule)).text(), /Only people can start it/);
});

Deno.test("runners get secrets of people only if the operator lets those of the server", async () => {
  await using world = await newWorld();
  const { id: own_key_id } = await giveKey(world, "bob");
  const template = await personalTemplate(world, { own_key: true, runner_tag: "dmz" });
  const refused = await sendTask(world, "bob", template, { own_key_id });
  assert.equal(refused.status, 400);
  assert.match(refused.body.error, /CALLBOARD_OWN_KEYS_ON_RUNNERS/);
  world.deps.config.personalOnRunners = true;
  assert.equal((await sendTask(world, "bob", template, { own_key_id })).status, 201);
});
