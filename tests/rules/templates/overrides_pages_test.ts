import assert from "node:assert/strict";
import { addPasswordKey } from "@/tests/support/world/forms.ts";
import { fieldOf, htmlOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const path = (world: World, rest: string) => `/project/${world.web.id}${rest}`;

/** Fields of a template's form. */
const fields = (world: World, change: Record<string, string> = {}) => ({
  type: "",
  name: "Deploy shop",
  playbook: "deploy.yml",
  inventory_id: String(world.web.inventoryId),
  repository_id: String(world.web.repositoryId),
  environment_id: String(world.web.environmentId),
  ...change,
});

const save = (world: World, change: Record<string, string>) =>
  world.post("mike", path(world, `/templates/${world.deploy.id}/edit`), fields(world, change));
const stored = async (world: World) =>
  (await world.api("mike", "GET", `/api${path(world, `/templates/${world.deploy.id}`)}`)).body;
const newest = async (world: World) =>
  (await world.api("bob", "GET", `/api${path(world, "/tasks")}`)).body[0];

Deno.test("a run's form asks for the inputs that its template lets a task choose, and for nothing else", async () => {
  await using world = await newWorld();
  const form = path(world, `/templates/${world.deploy.id}/tasks`);
  const names = ["limit", "tags", "skip_tags", "inventory_id", "git_branch"];
  const shown = async () => {
    const html = await htmlOf(await world.get("bob", form));
    return names.filter((name) => fieldOf(html, name) !== "");
  };
  assert.equal((await save(world, { "task_params.limit": "web" })).status, 303);
  assert.deepEqual(await shown(), []);
  // A limit can only reduce the hosts, so each task may have one if the template has none.
  assert.equal((await save(world, {})).status, 303);
  assert.deepEqual(await shown(), ["limit"]);
  const all = {
    "task_params.limit": "web, db",
    "task_params.allow_override_limit": "true",
    "task_params.allow_override_tags": "true",
    "task_params.allow_override_skip_tags": "true",
    "task_params.allow_override_inventory": "true",
    allow_override_branch_in_task: "true",
  };
  assert.equal((await save(world, all)).status, 303);
  assert.deepEqual(await shown(), names);
  const { task_params, allow_override_branch_in_task } = await stored(world);
  assert.deepEqual(task_params.limit, ["web", "db"]);
  assert.equal(allow_override_branch_in_task, true);
  assert.equal(task_params.allow_override_branch, true, "by the name that newer clients read");

  const edit = await htmlOf(
    await world.get("mike", path(world, `/templates/${world.deploy.id}/edit`)),
  );
  assert.match(fieldOf(edit, "task_params.limit"), /value="web, db"/);
  assert.match(fieldOf(edit, "allow_override_branch_in_task"), /checked/);
  assert.doesNotMatch(fieldOf(edit, "refuse_debug"), /checked/);
});

Deno.test("Bob overrides for one run, runs it again as it was, and is refused a withdrawn override", async () => {
  await using world = await newWorld();
  const form = path(world, `/templates/${world.deploy.id}/tasks`);
  const switches = {
    "task_params.allow_override_tags": "true",
    "task_params.allow_override_skip_tags": "true",
    "task_params.allow_override_inventory": "true",
    allow_override_branch_in_task: "true",
  };
  await save(world, switches);
  const typed = {
    limit: "web1, db*",
    tags: "config",
    skip_tags: "slow,restart",
    inventory_id: String(world.web.inventoryId),
    git_branch: "next",
  };
  const started = await world.post("bob", form, typed);
  assert.equal(started.status, 303, await started.text());
  const first = await newest(world);
  assert.deepEqual([first.params.limit, first.params.tags, first.params.skip_tags], [
    ["web1", "db*"],
    ["config"],
    ["slow", "restart"],
  ]);
  assert.equal(first.git_branch, "next");
  assert.equal(first.inventory_id, world.web.inventoryId);

  const again = await htmlOf(await world.get("bob", `${form}?from=${first.id}`));
  for (const [name, value] of [["limit", "web1,db*"], ["tags", "config"], ["git_branch", "next"]]) {
    assert.ok(fieldOf(again, name).includes(`value="${value}"`), name);
  }
  assert.match(again, /<details class="reveal" open/);

  // The template allows less now. Bob gets errors at the fields, but Mike may still run it as
  // before.
  await save(world, {});
  const refused = await world.post("bob", `${form}?from=${first.id}`, typed);
  assert.equal(refused.status, 422);
  const html = await htmlOf(refused);
  assert.match(html, /id="field-tags-error"/);
  assert.match(html, /id="field-git_branch-error"/);
  assert.doesNotMatch(html, /id="field-limit-error"/);
  const repeated = await world.post("mike", `${form}?from=${first.id}`, typed);
  assert.equal(repeated.status, 303, await repeated.text());
  assert.equal((await newest(world)).git_branch, "next");
});

Deno.test("an invalid limit or tag is reported at its field of the template", async () => {
  await using world = await newWorld();
  const answer = await save(world, {
    "task_params.limit": "web,@/etc/passwd",
    "task_params.tags": "x".repeat(501),
  });
  assert.equal(answer.status, 422);
  const html = await htmlOf(answer);
  assert.match(html, /id="field-task_params-limit-error"/);
  assert.match(html, /id="field-task_params-tags-error"/);
  assert.match(fieldOf(html, "task_params.limit"), /value="web,@\/etc\/passwd"/);
  const blank = await save(world, { "task_params.limit": " , ", "task_params.skip_tags": "," });
  assert.equal(blank.status, 422);
  const again = await htmlOf(blank);
  assert.match(again, /id="field-task_params-limit-error"/);
  assert.match(again, /id="field-task_params-skip_tags-error"/);
  assert.match(fieldOf(again, "task_params.limit"), /value=" , "/);
});

Deno.test("enabling debug and disabling it again leaves no trace", async () => {
  await using world = await newWorld();
  const form = path(world, `/templates/${world.deploy.id}/tasks`);
  await save(world, { refuse_debug: "true" });
  assert.equal((await stored(world)).task_params.allow_debug, false);
  const refused = await world.post("bob", form, { debug: "true" });
  assert.equal(refused.status, 422);
  assert.match(await refused.text(), /id="field-debug-error"/);
  await save(world, {});
  assert.equal((await stored(world)).task_params, null);
  assert.equal((await world.post("bob", form, { debug: "true" })).status, 303);
});

Deno.test("Mike gives a template several vault passwords, and removes one, without any script", async () => {
  await using world = await newWorld();
  const dev = String(await addPasswordKey(world, "Dev vault"));
  const prod = String(await addPasswordKey(world, "Prod vault"));
  const edit = path(world, `/templates/${world.deploy.id}/edit`);
  const blank = await htmlOf(await world.get("mike", edit));
  assert.notEqual(fieldOf(blank, "vaults.0.vault_key_id"), "", "the usual one needs no button");
  assert.equal(fieldOf(blank, "vaults.1.vault_key_id"), "");

  const one = { "vaults.0.vault_key_id": dev, "vaults.0.name": "dev" };
  const added = await htmlOf(await save(world, { ...one, vault: "add" }));
  assert.notEqual(fieldOf(added, "vaults.1.vault_key_id"), "");
  assert.match(fieldOf(added, "vaults.0.name"), /value="dev"/);
  const unnamed = await htmlOf(await save(world, { vault: "add" }));
  assert.notEqual(
    fieldOf(unnamed, "vaults.1.vault_key_id"),
    "",
    "also when nothing was chosen yet",
  );

  const two = { ...one, "vaults.1.vault_key_id": prod, "vaults.1.name": "prod" };
  const saved = await save(world, { ...two, "vaults.2.vault_key_id": "", "vaults.2.name": "" });
  assert.equal(saved.status, 303, await saved.text());
  const vaultsOf = async () =>
    (await stored(world)).vaults.map((
      { vault_key_id, name }: { vault_key_id: number; name: string },
    ) => [
      String(vault_key_id),
      name,
    ]);
  assert.deepEqual(await vaultsOf(), [[dev, "dev"], [prod, "prod"]]);

  const without = await htmlOf(await save(world, { ...two, vault: "remove.0" }));
  assert.match(fieldOf(without, "vaults.1.name"), /value="prod"/);
  assert.equal(fieldOf(without, "vaults.0.name"), "");
  await save(world, { "vaults.5.vault_key_id": prod, "vaults.5.name": "" });
  assert.deepEqual(await vaultsOf(), [[prod, null]]);
  await save(world, {});
  assert.deepEqual(await vaultsOf(), []);
});

Deno.test("a vault without a password, or with a name that Ansible cannot read, is reported at its row", async () => {
  await using world = await newWorld();
  const key = String(await addPasswordKey(world));
  const answer = await save(world, {
    "vaults.1.name": "prod",
    "vaults.3.vault_key_id": key,
    "vaults.3.name": "a@b",
  });
  assert.equal(answer.status, 422);
  const html = await htmlOf(answer);
  assert.match(html, /id="field-vaults-0-vault_key_id-error"/);
  assert.match(html, /id="field-vaults-1-name-error"/);
  assert.match(fieldOf(html, "vaults.1.name"), /value="a@b"/);
  const ssh = await save(world, { "vaults.0.vault_key_id": String(world.web.keyId) });
  assert.match(await ssh.text(), /id="field-vaults-0-vault_key_id-error"/);
});

Deno.test("a task leaves requirements out, or renews them, where its template allows it", async () => {
  await using world = await newWorld();
  const start = async (who: "bob" | "mike", body: Record<string, unknown>) => {
    const { status, body: answer } = await world.api(who, "POST", `/api${path(world, "/tasks")}`, {
      template_id: world.deploy.id,
      ...body,
    });
    return status === 201 ? answer.params.skip_galaxy_install : Object.keys(answer.fields)[0];
  };
  const skip = { params: { skip_galaxy_install: true } };
  assert.equal(await start("bob", skip), "skip_galaxy_install");
  assert.equal(await start("mike", skip), "skip_galaxy_install");
  // Clients that know the member always send it.
  assert.equal(await start("bob", { params: { skip_galaxy_install: false } }), null);
  assert.equal(await start("bob", { force_galaxy_install: true }), "force_galaxy_install");
  assert.equal(await start("mike", { force_galaxy_install: true }), null);
  const form = path(world, `/templates/${world.deploy.id}/tasks`);
  const shown = async (who: "bob" | "mike") => {
    const html = await htmlOf(await world.get(who, form));
    return ["skip_galaxy_install", "force_galaxy_install"].map((name) =>
      fieldOf(html, name) !== ""
    );
  };
  assert.deepEqual([await shown("bob"), await shown("mike")], [[false, false], [false, true]]);

  const name = "task_params.allow_override_skip_galaxy_install";
  await save(world, { [name]: "true", "task_params.skip_galaxy_install": "true" });
  assert.deepEqual(await shown("bob"), [true, true]);
  assert.equal(await start("bob", { skip_galaxy_install: false }), false);
  assert.equal(await start("bob", { force_galaxy_install: true }), null);
  const sent = { skip_galaxy_install: "false", force_galaxy_install: "true" };
  assert.equal((await world.post("bob", form, sent)).status, 303);
  assert.equal((await newest(world)).params.skip_galaxy_install, false);
});

Deno.test("Mike lets tasks install the requirements of a repository again, and Bob does not", async () => {
  await using world = await newWorld();
  const page = path(world, `/repositories/${world.web.repositoryId}/requirements`);
  const question = await htmlOf(await world.get("mike", page));
  assert.match(question, /class="button button-primary[^>]*>Install requirements again/);
  assert.doesNotMatch(question, /button-final/, "nothing is taken away");
  assert.equal((await world.post("bob", page, {})).status, 403);
  assert.equal((await world.post("mike", page, {})).status, 303);
  const { body } = await world.api("mike", "GET", `/api${path(world, "/events")}`);
  assert.equal(body[0].action, "requirements_renewed");
  const form = path(world, `/repositories/${world.web.repositoryId}`);
  assert.match(await htmlOf(await world.get("mike", form)), /Install requirements again/);
});
