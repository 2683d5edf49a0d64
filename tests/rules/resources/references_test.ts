import assert from "node:assert/strict";
import {
  addPasswordKey,
  inventoryForm,
  repositoryForm,
  templateForm,
} from "@/tests/support/world/forms.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const NONE = {
  templates: [],
  inventories: [],
  repositories: [],
  schedules: [],
  integrations: [],
  workflows: [],
  keys: [],
  environments: [],
  toolchains: [],
  git_credentials: [],
};

/** Creates an object of the web project and returns its id. */
async function create(world: World, kind: string, form: unknown): Promise<number> {
  const path = `/api/project/${world.web.id}/${kind}`;
  const { status, body } = await world.api("mike", "POST", path, form);
  assert.equal(status, 201, JSON.stringify(body));
  return body.id;
}

const SINGULAR: Record<string, string> = {
  templates: "template",
  inventories: "inventory",
  repositories: "repository",
  schedules: "schedule",
  integrations: "integration",
  workflows: "workflow",
  keys: "key",
  toolchains: "toolchain",
  git_credentials: "Git credential for",
};

/**
 * Returns the `refs` of an object, and requires that deleting it is refused with the same lists.
 */
async function blockedBy(world: World, path: string) {
  const item = `/api/project/${world.web.id}/${path}`;
  const refs = await world.api("carol", "GET", `${item}/refs`);
  assert.equal(refs.status, 200);
  assert.deepEqual(Object.keys(refs.body), Object.keys(NONE));
  const { status, body } = await world.api("mike", "DELETE", item);
  assert.equal(status, 409);
  const { error, code, request_id: _, ...lists } = body;
  assert.equal(code, "in_use");
  assert.deepEqual(lists, { inUse: true, ...refs.body });
  for (const [kind, users] of Object.entries(refs.body)) {
    for (const { name } of users as { name: string }[]) {
      assert.ok(error.includes(`${SINGULAR[kind]} "${name}"`), `${error} names ${name}`);
    }
  }
  assert.equal((await world.api("carol", "GET", item)).status, 200, "it is still there");
  return refs.body;
}

Deno.test("a key is used by repositories, inventories, vaults, integrations and toolchains", async () => {
  await using world = await newWorld();
  const key = await addPasswordKey(world);
  const repository = await create(
    world,
    "repositories",
    repositoryForm(world, { ssh_key_id: key }),
  );
  const user = await create(
    world,
    "inventory",
    inventoryForm(world, { name: "U", ssh_key_id: key }),
  );
  const root = await create(
    world,
    "inventory",
    inventoryForm(world, { name: "R", become_key_id: key }),
  );
  const vaults = [{ vault_key_id: key, name: null }];
  const template = await create(world, "templates", templateForm(world, { vaults }));
  const integration = await create(world, "integrations", {
    name: "Push",
    template_id: world.deploy.id,
    auth_method: "token",
    auth_header: "X-Token",
    auth_secret_id: key,
  });
  assert.deepEqual(await blockedBy(world, `keys/${key}`), {
    templates: [{ id: template, name: "Nightly" }],
    inventories: [{ id: user, name: "U" }, { id: root, name: "R" }],
    repositories: [{ id: repository, name: "Roles" }],
    schedules: [],
    integrations: [{ id: integration, name: "Push" }],
    workflows: [],
    keys: [],
    environments: [],
    git_credentials: [],
    toolchains: [],
  });
  const token = await addPasswordKey(world, "Token");
  const toolchain = await create(world, "toolchains", {
    name: "Old",
    ansible_core: "2.16",
    galaxy_url: "https://galaxy.example.com/api/",
    galaxy_key_id: token,
  });
  assert.deepEqual(await blockedBy(world, `keys/${token}`), {
    ...NONE,
    toolchains: [{ id: toolchain, name: "Old" }],
  });
});

Deno.test("a repository is used by templates, file inventories and commit schedules", async () => {
  await using world = await newWorld();
  const repository_id = await create(world, "repositories", repositoryForm(world));
  const template = await create(world, "templates", templateForm(world, { repository_id }));
  const file = inventoryForm(world, { type: "file", inventory: "hosts", repository_id });
  const inventory = await create(world, "inventory", file);
  const schedule = await create(world, "schedules", {
    name: "On push",
    template_id: world.deploy.id,
    cron_format: "* * * * *",
    repository_id,
  });
  assert.deepEqual(await blockedBy(world, `repositories/${repository_id}`), {
    ...NONE,
    templates: [{ id: template, name: "Nightly" }],
    inventories: [{ id: inventory, name: "Production" }],
    schedules: [{ id: schedule, name: "On push" }],
  });
});

Deno.test("inventories and environments are used by templates", async () => {
  await using world = await newWorld();
  const templates = [{ id: world.deploy.id, name: "Deploy shop" }];
  for (
    const path of ["inventory/" + world.web.inventoryId, "environment/" + world.web.environmentId]
  ) {
    assert.deepEqual(await blockedBy(world, path), { ...NONE, templates });
  }
});

Deno.test("a template is used by its deploys, and by integrations", async () => {
  await using world = await newWorld();
  const build = await create(
    world,
    "templates",
    templateForm(world, {
      type: "build",
      start_version: "1",
    }),
  );
  const deploy = await create(
    world,
    "templates",
    templateForm(world, {
      name: "Ship",
      type: "deploy",
      build_template_id: build,
    }),
  );
  const integration = await create(world, "integrations", { name: "Push", template_id: build });
  assert.deepEqual(await blockedBy(world, `templates/${build}`), {
    ...NONE,
    templates: [{ id: deploy, name: "Ship" }],
    integrations: [{ id: integration, name: "Push" }],
  });
});

Deno.test("an object that drops a reference, or is deleted, no longer blocks the other", async () => {
  await using world = await newWorld();
  const key = await addPasswordKey(world);
  const form = inventoryForm(world, { ssh_key_id: key, become_key_id: key });
  const inventory = await create(world, "inventory", form);
  const item = `/api/project/${world.web.id}/inventory/${inventory}`;
  const refs = `/api/project/${world.web.id}/keys/${key}/refs`;
  const usedBy = async () => (await world.api("carol", "GET", refs)).body.inventories.length;
  await world.api("mike", "PUT", item, { ...form, become_key_id: null });
  assert.equal(await usedBy(), 1);
  await world.api("mike", "PUT", item, inventoryForm(world));
  assert.equal(await usedBy(), 0);
  await world.api("mike", "PUT", item, form);
  assert.equal(await usedBy(), 1);
  assert.equal((await world.api("mike", "DELETE", item)).status, 204);
  assert.equal(await usedBy(), 0);
  const keyPath = `/api/project/${world.web.id}/keys/${key}`;
  assert.equal((await world.api("mike", "DELETE", keyPath)).status, 204);
  assert.equal((await world.api("carol", "GET", refs)).status, 404);
});

Deno.test("refs of another project's objects are not there", async () => {
  await using world = await newWorld();
  for (const kind of ["keys", "repositories", "inventory", "environment", "templates"]) {
    const { status } = await world.api(
      "dave",
      "GET",
      `/api/project/${world.lab.id}/${kind}/99/refs`,
    );
    assert.equal(status, 404, kind);
  }
});
