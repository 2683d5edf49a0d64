import assert from "node:assert/strict";
import { makePlan } from "@/lib/queue/plan/make_plan.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { advance, amendTask } from "@/lib/tasks/steps.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { templateForm } from "@/tests/support/world/forms.ts";
import { revealed } from "@/tests/support/basics/revealed.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

type Body = Record<string, unknown>;

const HASH = "0123456789abcdef0123456789abcdef01234567";

const pathOf = ({ web }: World, rest: string) => `/api/project/${web.id}/${rest}`;

async function create(world: World, path: string, body: Body, person: Person = "mike") {
  const answer = await world.api(person, "POST", pathOf(world, path), body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}

const newInventory = (world: World, name: string) =>
  create(world, "inventory", { name, type: "static", inventory: "web9\n", ssh_key_id: 1 });

async function change(world: World, templateId: number, fields: Body) {
  const path = pathOf(world, `templates/${templateId}`);
  const { body } = await world.api("mike", "GET", path);
  const { status } = await world.api("mike", "PUT", path, { ...body, ...fields });
  assert.equal(status, 204);
}

/** The whole body that a client with a dialog for an old task sends. */
const sentBack = (task: Body) => ({
  ...task,
  environment: task.environment || "{}",
  secret: task.secret || "{}",
});

Deno.test("a task answers what it was given itself; its run gets what then held", async () => {
  await using world = await newWorld();
  const { id } = await create(
    world,
    "templates",
    templateForm(world, {
      git_branch: "release",
      arguments: '["--forks", "3"]',
      task_params: { limit: ["web"], tags: ["deploy"], skip_tags: ["slow"] },
    }),
  );
  const task = await create(world, "tasks", { template_id: id }, "bob");
  assert.equal(task.inventory_id, null);
  assert.equal(task.git_branch, null);
  assert.equal(task.arguments, null);
  assert.equal(task.limit, "");
  const nothing = { limit: [], tags: [], skip_tags: [], debug: false, dry_run: false, diff: false };
  assert.deepEqual(task.params, { ...nothing, skip_galaxy_install: null });

  const plan = await makePlan(world.deps, await getTaskRow(world.kv, world.web.id, task.id));
  assert.equal(plan.inventory.content, "[web]\nlocalhost ansible_connection=local\n");
  assert.equal(plan.repository.branch, "release");
  assert.deepEqual(plan.arguments, ["--forks", "3"]);
  assert.deepEqual([plan.limit, plan.tags, plan.skipTags], ["web", ["deploy"], ["slow"]]);
});

Deno.test("an old task can be sent back after its template changed in any way", async () => {
  await using world = await newWorld();
  const other = await newInventory(world, "Other");
  const template = await create(
    world,
    "templates",
    templateForm(world, { git_branch: "release", task_params: { limit: ["a"], tags: ["t"] } }),
  );
  const old = await create(world, "tasks", { template_id: template.id }, "bob");
  await amendTask(world.kv, { id: old.id, project_id: world.web.id }, {
    commit_hash: HASH,
    commit_message: "Old",
  });
  const { body: shown } = await world.api("bob", "GET", pathOf(world, `tasks/${old.id}`));
  for (
    const fields of [
      { inventory_id: other.id },
      { git_branch: null },
      { git_branch: "main" },
      { arguments: '["--diff"]' },
      { task_params: { limit: ["b"], tags: [], skip_tags: ["x"], allow_debug: false } },
      { playbook: "other.yml" },
    ]
  ) {
    await change(world, template.id, fields);
    const again = await create(world, "tasks", sentBack(shown), "bob");
    assert.notEqual(again.id, old.id);
    assert.equal(again.commit_hash, HASH, "the commit that the dialog shows");
  }
  const plan = await makePlan(world.deps, await getTaskRow(world.kv, world.web.id, old.id + 6));
  assert.equal(plan.inventory.content, "web9\n");
  assert.deepEqual(plan.repository.commit, HASH);
  assert.equal(plan.repository.ofBranch, true);
});

Deno.test("values that are set anyway may be sent, and change nothing", async () => {
  await using world = await newWorld();
  const fields = {
    git_branch: "release",
    arguments: '["--forks","3"]',
    task_params: { limit: ["web", "db"], tags: ["deploy"], skip_tags: ["slow"] },
  };
  const { id } = await create(world, "templates", templateForm(world, fields));
  const task = await create(world, "tasks", {
    template_id: id,
    inventory_id: world.web.inventoryId,
    playbook: templateForm(world).playbook,
    git_branch: "release",
    arguments: '[ "--forks", "3" ]',
    limit: "web,db",
    params: { tags: ["deploy"], skip_tags: ["slow"] },
  }, "bob");
  assert.equal(task.limit, "web,db");
  const plan = await makePlan(world.deps, await getTaskRow(world.kv, world.web.id, task.id));
  assert.deepEqual(plan.arguments, ["--forks", "3"], "and not twice");
  await create(world, "tasks", { template_id: world.deploy.id, git_branch: "main" }, "bob");
});

Deno.test("a limit narrows a template that has none, and widens no other", async () => {
  await using world = await newWorld();
  const limited = async (fields: Body) => {
    const { id } = await create(world, "templates", templateForm(world, fields));
    const body = { template_id: id, limit: "all" };
    return (await world.api("bob", "POST", pathOf(world, "tasks"), body)).status;
  };
  assert.equal(await limited({}), 201);
  assert.equal(await limited({ task_params: { limit: [], allow_override_limit: false } }), 201);
  assert.equal(await limited({ task_params: { limit: ["web"] } }), 400);
  assert.equal(await limited({ task_params: { limit: ["web"], allow_override_limit: true } }), 201);
  for (const limit of ['["--limit","web"]', '["--limit=web"]', '["-l","web"]', '["-bl","web"]']) {
    assert.equal(await limited({ arguments: limit }), 400, limit);
  }
  assert.equal(await limited({ arguments: '["--forks","3","-e","l=1"]' }), 201);
});

Deno.test("a branch may be chosen where any of the permission's names allows it", async () => {
  await using world = await newWorld();
  const started = async (fields: Body) => {
    const { id } = await create(world, "templates", templateForm(world, fields));
    const body = { template_id: id, git_branch: "next" };
    return (await world.api("bob", "POST", pathOf(world, "tasks"), body)).status;
  };
  assert.equal(await started({}), 400);
  assert.equal(await started({ allow_override_branch_in_task: false }), 400);
  assert.equal(await started({ allow_override_branch_in_task: true }), 201);
  assert.equal(await started({ task_params: { allow_override_branch: true } }), 201);
  assert.equal(await started({ task_params: { allow_override_git_branch: true } }), 201);
  // A missing value does not become the name "null" or "undefined".
  for (const git_branch of ["null", "undefined"]) {
    const body = { template_id: world.deploy.id, git_branch };
    assert.equal((await world.api("bob", "POST", pathOf(world, "tasks"), body)).status, 400);
  }
});

Deno.test("a run that is no longer allowed is repeated only by those who may allow it", async () => {
  await using world = await newWorld();
  const { id } = await create(
    world,
    "templates",
    templateForm(world, {
      allow_override_args_in_task: true,
      task_params: {
        limit: ["web"],
        allow_override_limit: true,
        allow_override_tags: true,
        allow_override_branch: true,
      },
    }),
  );
  const old = await create(world, "tasks", {
    template_id: id,
    limit: "db",
    tags: "quick",
    git_branch: "next",
    arguments: '["--diff"]',
    debug: true,
  }, "bob");
  await change(world, id, {
    allow_override_args_in_task: false,
    task_params: { limit: ["web"], allow_debug: false },
  });
  const refused = await world.api("bob", "POST", pathOf(world, "tasks"), sentBack(old));
  assert.equal(refused.status, 400);
  assert.deepEqual(Object.keys(refused.body.fields).toSorted(), [
    "arguments",
    "debug",
    "git_branch",
    "limit",
    "tags",
  ]);
  const again = await create(world, "tasks", sentBack(old), "mike");
  assert.deepEqual([again.limit, again.git_branch, again.arguments], ["db", "next", '["--diff"]']);
  const other = await create(world, "templates", templateForm(world, { name: "Other" }));
  const { status } = await world.api("mike", "POST", pathOf(world, "tasks"), {
    ...sentBack(old),
    template_id: other.id,
  });
  assert.equal(status, 400, "it was not given to a task of this template");
});

Deno.test("an inventory that a task is given is one of its project", async () => {
  await using world = await newWorld();
  const theirs = await world.api("dave", "POST", `/api/project/${world.lab.id}/inventory`, {
    name: "Theirs",
    type: "static",
    inventory: "secret-host\n",
    ssh_key_id: world.lab.keyId,
  });
  const { id } = await create(
    world,
    "templates",
    templateForm(world, { task_params: { allow_override_inventory: true } }),
  );
  for (const inventory_id of [theirs.body.id, 999]) {
    const body = { template_id: id, inventory_id };
    const answer = await world.api("mike", "POST", pathOf(world, "tasks"), body);
    assert.equal(answer.status, 404);
    assert.match(answer.body.error, /^inventory_id: /);
  }
  const own = await newInventory(world, "Own");
  const task = await create(world, "tasks", { template_id: id, inventory_id: own.id }, "bob");
  assert.equal(task.inventory_id, own.id);
  const plan = await makePlan(world.deps, await getTaskRow(world.kv, world.web.id, task.id));
  assert.equal(plan.inventory.content, "web9\n");
});

Deno.test("a commit is a hash, and a deploy's is that of the build it brings out", async () => {
  await using world = await newWorld();
  for (const commit_hash of ["main", "abc", "--upload-pack=x", "g".repeat(40), "a".repeat(65)]) {
    const body = { template_id: world.deploy.id, commit_hash };
    const answer = await world.api("mike", "POST", pathOf(world, "tasks"), body);
    assert.equal(answer.status, 400);
    assert.match(answer.body.error, /^commit_hash: /);
  }
  const upper = { template_id: world.deploy.id, commit_hash: HASH.toUpperCase() };
  assert.equal((await create(world, "tasks", upper, "bob")).commit_hash, HASH);
  for (const commit_hash of [null, ""]) {
    const body = { template_id: world.deploy.id, commit_hash };
    assert.equal((await create(world, "tasks", body, "bob")).commit_hash, null);
  }

  const form = (fields: Body) => templateForm(world, fields);
  const build = await create(world, "templates", form({ type: "build", start_version: "1" }));
  const made = await create(world, "tasks", { template_id: build.id });
  const task = { id: made.id, project_id: world.web.id };
  await advance(world.kv, task, "starting");
  await advance(world.kv, task, "running");
  await advance(world.kv, task, "success", { commit_hash: HASH });
  const deploy = await create(
    world,
    "templates",
    form({ type: "deploy", build_template_id: build.id }),
  );
  const sent = { template_id: deploy.id, commit_hash: "f".repeat(40) };
  assert.equal((await create(world, "tasks", sent, "bob")).commit_hash, HASH);
});

Deno.test("a run gets all of two environments, and the later value of the same name", async () => {
  await using world = await newWorld();
  const environment = async (name: string, fields: Body) =>
    (await create(world, "environment", { name, ...fields })).id;
  const secret = (type: string, name: string, value: string) => ({
    type,
    name,
    secret: value,
    operation: "create",
  });
  const first = await environment("First", {
    json: '{"region":"eu","size":1,"token":"open"}',
    env: '{"LANG":"C","MODE":"a"}',
    secrets: [secret("env", "KEY", "k1"), secret("var", "pass", "p1")],
  });
  const second = await environment("Second", {
    json: '{"size":2,"pass":"open"}',
    env: '{"MODE":"b","KEY":"open"}',
    secrets: [secret("var", "token", "t2")],
  });
  const planOf = async (environment_ids: number[]) => {
    const form = templateForm(world, { environment_id: undefined, environment_ids });
    const { id } = await create(world, "templates", form);
    const task = await create(world, "tasks", { template_id: id }, "bob");
    return await makePlan(world.deps, await getTaskRow(world.kv, world.web.id, task.id));
  };
  const plan = await planOf([first, second]);
  assert.deepEqual(plan.extraVars, { region: "eu", size: 2, pass: "open" });
  assert.deepEqual(revealed(plan.secretVars), { token: "t2" });
  assert.deepEqual(plan.env, { LANG: "C", MODE: "b", KEY: "open" });
  assert.deepEqual(plan.secretEnv, {});
  const other = await planOf([second, first]);
  assert.deepEqual(other.extraVars, { region: "eu", size: 1, token: "open" });
  assert.deepEqual(revealed(other.secretVars), { pass: "p1" });
  assert.deepEqual(revealed([other.env, other.secretEnv]), [{ MODE: "a", LANG: "C" }, {
    KEY: "k1",
  }]);
});
