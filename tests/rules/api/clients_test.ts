import assert from "node:assert/strict";
import { PASSWORD } from "@/tests/support/world/cast.ts";
import { addPasswordKey, inventoryForm, templateForm } from "@/tests/support/world/forms.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import { makePlan } from "@/lib/queue/plan/make_plan.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";

type Members = Record<string, unknown>;

/** The body that an existing client sends, and the members that it compares afterwards. */
interface Sent {
  path: string;
  body: Members;
  /** Members of the answer, which the item has afterwards, too. */
  answered: Members;
}

/** Bodies that other servers accept, named after the unusual thing about them. */
const TAKEN: Record<string, (world: World) => Sent | Promise<Sent>> = {
  "an inventory without keys": () => ({
    path: "inventory",
    body: { name: "Hosts", type: "static", inventory: "localhost" },
    answered: { ssh_key_id: null, become_key_id: null, holder_id: null, repository_id: null },
  }),
  "an inventory whose become key is none": ({ web }) => ({
    path: "inventory",
    body: { name: "Hosts", type: "static", inventory: "", become_key_id: web.keyId, holder_id: 0 },
    answered: { become_key_id: web.keyId },
  }),
  "an inventory whose become key is of ssh": async (world) => {
    const key = await world.api("alice", "POST", `/api/project/${world.web.id}/keys`, {
      name: "Git",
      type: "ssh",
      ssh: { private_key: "-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----\n" },
    });
    return {
      path: "inventory",
      body: { name: "Hosts", type: "static", become_key_id: key.body.id },
      answered: { become_key_id: key.body.id },
    };
  },
  "a key with blank parts of other types": ({ web }) => ({
    path: "keys",
    body: {
      name: "None",
      type: "none",
      project_id: web.id,
      string: "",
      override_secret: false,
      ssh: { login: "", passphrase: "", private_key: "" },
      login_password: { login: "", password: "" },
    },
    answered: { type: "none", string: "" },
  }),
  "a key with empty parts": () => ({
    path: "keys",
    body: {
      name: "Vault",
      type: "login_password",
      ssh: {},
      login_password: { password: "x", login: null },
    },
    answered: { type: "login_password", empty: false },
  }),
  "a repository over http": ({ web }) => ({
    path: "repositories",
    body: {
      name: "Plain",
      git_url: "http://git.example.com/shop.git",
      git_branch: "main",
      ssh_key_id: web.keyId,
    },
    answered: { git_url: "http://git.example.com/shop.git" },
  }),
  "a repository of ssh without a colon": ({ web }) => ({
    path: "repositories",
    body: {
      name: "Slash",
      git_url: "git@git.example.com/team/shop.git",
      git_branch: "main",
      ssh_key_id: web.keyId,
    },
    answered: { git_url: "git@git.example.com/team/shop.git" },
  }),
  "a folder with a branch": ({ web }) => ({
    path: "repositories",
    body: { name: "Folder", git_url: "/srv/plays", git_branch: "main", ssh_key_id: web.keyId },
    answered: { git_branch: "main" },
  }),
  "ids and numbers as text, and no project": ({ web }) => ({
    path: "repositories",
    body: {
      name: "Text",
      git_url: "/srv/plays",
      ssh_key_id: `${web.keyId}`,
      project_id: 0,
      id: "",
    },
    answered: { ssh_key_id: web.keyId, project_id: web.id },
  }),
  "a project id as text": ({ web }) => ({
    path: "views",
    body: { title: "Nightly", project_id: `${web.id}`, position: "3" },
    answered: { project_id: web.id, position: 3 },
  }),
  "a view of all templates, in an order of its own": () => ({
    path: "views",
    body: { title: "All", type: "all", hidden: true, sort_column: "playbook", sort_reverse: true },
    answered: { type: "all", hidden: true, sort_column: "playbook", sort_reverse: true },
  }),
  "a view in no order": () => ({
    path: "views",
    body: { title: "Nightly", type: "", hidden: false, sort_column: "", sort_reverse: false },
    answered: { type: "", hidden: false, sort_column: "", sort_reverse: false },
  }),
  "unknown members": () => ({
    path: "views",
    body: { title: "Nightly", filter: { any: [1] } },
    answered: { title: "Nightly" },
  }),
  "an environment with null wherever nothing is": ({ web }) => ({
    path: "environment",
    body: {
      name: "Null",
      project_id: web.id,
      password: null,
      json: "{}",
      env: null,
      secrets: null,
    },
    answered: { json: "{}", env: null, password: null, secrets: [] },
  }),
  "a schedule of 2.9": ({ web }) => ({
    path: "schedules",
    body: { template_id: web.templateId, cron_format: "@hourly", repository_id: null },
    answered: { active: true, name: "", repository_id: null },
  }),
  "a schedule with the zero time of Go": ({ web }) => ({
    path: "schedules",
    body: {
      id: 0,
      template_id: web.templateId,
      cron_format: "@hourly",
      name: "Nightly",
      active: true,
      type: "",
      run_at: "0001-01-01T00:00:00.000Z",
      task_params: null,
    },
    answered: { active: true, name: "Nightly", run_at: null, task_params: null },
  }),
  "a template whose vaults have no password": (world) => ({
    path: "templates",
    body: templateForm(world, {
      vaults: [
        { name: "", type: "password", vault_key_id: world.web.keyId },
        { name: "database" },
        { name: "files", type: null, vault_key_id: 0 },
      ],
    }),
    answered: {
      vault_key_id: world.web.keyId,
      vaults: [
        vaultOf(world, { id: 1, type: "password", vault_key_id: world.web.keyId, name: null }),
        vaultOf(world, { id: 2, type: "", vault_key_id: null, name: "database" }),
        vaultOf(world, { id: 3, type: "", vault_key_id: null, name: "files" }),
      ],
    },
  }),
  "a template with empty texts": (world) => ({
    path: "templates",
    body: templateForm(world, {
      description: "",
      start_version: "",
      start_warning: "",
      arguments: "[]",
      git_branch: "",
      runner_tag: "",
    }),
    answered: {
      description: "",
      start_version: "",
      start_warning: "",
      arguments: "[]",
      git_branch: "",
      runner_tag: "",
    },
  }),
  "an inventory with an empty tag": (world) => ({
    path: "inventory",
    body: inventoryForm(world, { runner_tag: "" }),
    answered: { runner_tag: "" },
  }),
  "an inventory without a tag": (world) => ({
    path: "inventory",
    body: inventoryForm(world, { runner_tag: null }),
    answered: { runner_tag: null },
  }),
  "a build with empty texts": (world) => ({
    path: "templates",
    body: templateForm(world, { type: "build", start_version: "", arguments: "" }),
    answered: { type: "build", start_version: "", arguments: "" },
  }),
  "a template with null texts": (world) => ({
    path: "templates",
    body: templateForm(world, {
      description: null,
      start_version: null,
      arguments: null,
      git_branch: null,
      runner_tag: null,
    }),
    answered: {
      description: null,
      start_version: null,
      arguments: null,
      git_branch: null,
      runner_tag: null,
    },
  }),
  "an environment with empty texts": () => ({
    path: "environment",
    body: { name: "Empty", json: "", env: "" },
    answered: { json: "", env: "" },
  }),
  "an environment with empty objects": () => ({
    path: "environment",
    body: { name: "Empty", json: "{}", env: "{}" },
    answered: { json: "{}", env: "{}" },
  }),
  "a project with empty texts": () => ({
    path: "/api/projects",
    body: { name: "Second shop", alert: false, alert_chat: "", max_parallel_tasks: "", type: "" },
    answered: { alert_chat: "", max_parallel_tasks: 0 },
  }),
  "a project with a number as text": () => ({
    path: "/api/projects",
    body: { name: "Third shop", max_parallel_tasks: "5", alert_chat: null },
    answered: { alert_chat: null, max_parallel_tasks: 5 },
  }),
  "a user without a password": () => ({
    path: "/api/users",
    body: { name: "Nora", username: "nora", email: "nora@example.com", admin: false },
    answered: { username: "nora", external: false },
  }),
  "an external user without an address": () => ({
    path: "/api/users",
    body: { name: "Jo", username: "jdoe", email: "jdoe", external: true, password: "" },
    answered: { email: "jdoe", external: true },
  }),
};

/** The template is the second one of the project. */
const vaultOf = ({ web }: World, vault: Members) => ({
  project_id: web.id,
  template_id: web.templateId + 1,
  ...vault,
});

for (const [what, sent] of Object.entries(TAKEN)) {
  Deno.test(`the API takes ${what}, and answers what was sent`, async () => {
    await using world = await newWorld();
    const { path, body, answered } = await sent(world);
    const isOwn = path.startsWith("/");
    const collection = isOwn ? path : `/api/project/${world.web.id}/${path}`;
    const made = await world.api("erin", "POST", collection, body);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const item = path === "/api/projects"
      ? `/api/project/${made.body.id}`
      : `${collection}/${made.body.id}`;
    const got = await world.api("erin", "GET", item);
    for (const answer of [made.body, got.body]) {
      assert.deepEqual(membersOf(answer, answered), answered);
    }
    assert.deepEqual(got.body, made.body, "the item is answered as it was when it was made");
    const put = await world.api("erin", "PUT", item, { ...body, id: made.body.id });
    assert.equal(put.status, 204, JSON.stringify(put.body));
    const after = await world.api("erin", "GET", item);
    assert.deepEqual(membersOf(after.body, answered), answered);
  });
}

/** Members of a body that are not lists, as a form sends them. */
const pageFields = (body: Members) =>
  Object.fromEntries(
    Object.entries(body).filter(([, value]) => !Array.isArray(value))
      .map(([name, value]) => [name, `${value}`]),
  );

const membersOf = (answer: Members, names: Members) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, answer[name]]));

Deno.test("empty texts of a template mean what null does, and its form keeps them", async () => {
  await using world = await newWorld();
  const project = `/api/project/${world.web.id}`;
  const texts = {
    description: "",
    start_version: "",
    arguments: "[]",
    git_branch: "",
    runner_tag: "",
    keep_paths: "",
  };
  const path = `${project}/templates/${world.web.templateId}`;
  const stored = (await world.api("mike", "GET", path)).body;
  const sent = { ...stored, ...texts };
  assert.equal((await world.api("mike", "PUT", path, sent)).status, 204);
  const started = await world.api("bob", "POST", `${project}/tasks`, {
    template_id: world.web.templateId,
    arguments: "[]",
    git_branch: "",
  });
  assert.equal(started.status, 201, JSON.stringify(started.body));
  assert.equal(started.body.arguments, "[]");
  const task = await getTaskRow(world.kv, world.web.id, started.body.id);
  assert.deepEqual([task.git_branch, task.template_arguments, task.arguments], [null, null, null]);
  const plan = await makePlan(world.deps, task);
  assert.deepEqual([plan.arguments, plan.repository.branch], [[], "main"]);

  const textsOf = async () => {
    const { body } = await world.api("mike", "GET", path);
    return Object.fromEntries(Object.keys(texts).map((name) => [name, body[name]]));
  };
  const { name, playbook, inventory_id, repository_id, environment_id } = stored;
  const fields = { name, playbook, inventory_id, repository_id, environment_id };
  const page = path.replace("/api", "");
  const save = async (more: Members) => {
    const form = pageFields({ ...fields, ...more });
    const saved = await world.post("mike", `${page}/edit`, form);
    assert.equal(saved.status, 303, await saved.text());
    return await textsOf();
  };
  assert.deepEqual(await save(texts), texts);
  assert.equal((await save({ ...texts, description: "Deploys" })).description, "Deploys");
  assert.equal((await save({ ...texts, description: "" })).description, null);
});

Deno.test("pages keep empty texts of environments and inventories as clients sent them", async () => {
  await using world = await newWorld();
  for (
    const [path, form, texts] of [
      ["environment", { name: "Empty" }, { json: "", env: "" }],
      ["environment", { name: "Empty" }, { json: "{}", env: null }],
      ["inventory", inventoryForm(world), { runner_tag: "" }],
      ["inventory", inventoryForm(world), { runner_tag: null }],
    ] as const
  ) {
    const collection = `/api/project/${world.web.id}/${path}`;
    const made = await world.api("mike", "POST", collection, { ...form, ...texts });
    const item = `${collection}/${made.body.id}`;
    const save = async (typed: Record<string, string>) => {
      const page = item.replace("/api", "");
      const saved = await world.post("mike", page, {
        ...pageFields({ ...form, name: "B" }),
        ...typed,
      });
      assert.equal(saved.status, 303, await saved.text());
      return membersOf((await world.api("mike", "GET", item)).body, texts);
    };
    // Pages show null as an empty object.
    const shown: Record<string, string> = path === "environment"
      ? { json: "{}", env: "{}" }
      : { runner_tag: "" };
    assert.deepEqual(await save(shown), texts);
    const filled: Record<string, string> = path === "environment"
      ? { json: '{"a":1}', env: '{"B":"2"}' }
      : { runner_tag: "dmz" };
    assert.deepEqual(await save(filled), filled);
    assert.notDeepEqual(await save(shown), filled);
  }
});

Deno.test("a vault without a password leaves a run alone; its template's form asks for one", async () => {
  await using world = await newWorld();
  const { id, keyId, templateId } = world.web;
  const path = `/api/project/${id}/templates/${templateId}`;
  const password = await addPasswordKey(world);
  const vaults = [{ name: "database" }, { type: "password", vault_key_id: keyId, name: "files" }];
  const known = { type: "password", vault_key_id: password, name: "" };
  const form = templateForm(world, { vaults: [...vaults, known] });
  assert.equal((await world.api("mike", "PUT", path, form)).status, 204);
  const started = await world.api("bob", "POST", `/api/project/${id}/tasks`, {
    template_id: templateId,
  });
  const plan = await makePlan(world.deps, await getTaskRow(world.kv, id, started.body.id));
  assert.deepEqual(plan.vaults.map(({ name }) => name), ["default"]);

  const page = `/project/${id}/templates/${templateId}/edit`;
  const fields = { ...pageFields(form), "vaults.0.name": "database", "vaults.1.name": "files" };
  const typed = { ...fields, "vaults.1.vault_key_id": `${keyId}` };
  const refused = await world.post("mike", page, typed);
  assert.equal(refused.status, 422);
  const html = await refused.text();
  assert.match(html, /id="field-vaults-0-vault_key_id-error"/);
  assert.doesNotMatch(html, /id="field-vaults-1-vault_key_id-error"/, "it was chosen by a client");
  const chosen = { ...typed, "vaults.0.vault_key_id": `${password}` };
  assert.equal((await world.post("mike", page, chosen)).status, 303);
});

Deno.test("people without a password cannot sign in until one is set", async () => {
  await using world = await newWorld();
  const nora = { name: "Nora", username: "nora", email: "nora@example.com" };
  const { body: { id } } = await world.api("erin", "POST", "/api/users", nora);
  const signIn = async (password: unknown) =>
    (await world.api(null, "POST", "/api/auth/login", { auth: "nora", password })).status;
  assert.notEqual(await signIn(""), 204);
  assert.equal(await signIn("null"), 401);
  const set = { password: PASSWORD };
  assert.equal((await world.api("erin", "POST", `/api/users/${id}/password`, set)).status, 204);
  assert.equal(await signIn(PASSWORD), 204);
});

Deno.test("a secret is deleted by its id alone, and keeps what an update does not say", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}/environment`;
  const { body } = await world.api("mike", "POST", path, {
    name: "Staging",
    secrets: ["a", "b"].map((name) => ({ type: "env", name, secret: "x", operation: "create" })),
  });
  const [a, b] = body.secrets;
  const put = (secrets: unknown) =>
    world.api("mike", "PUT", `${path}/${body.id}`, { name: "Staging", secrets });
  const secrets = async () => (await world.api("mike", "GET", `${path}/${body.id}`)).body.secrets;
  const changed = [{ id: a.id, operation: "delete" }, {
    id: `${b.id}`,
    name: "c",
    operation: "update",
  }];
  assert.equal((await put(changed)).status, 204);
  assert.deepEqual(await secrets(), [{ id: b.id, type: "env", name: "c" }]);
  assert.equal((await put([{ id: b.id, type: "", name: "", operation: "update" }])).status, 204);
  assert.deepEqual(await secrets(), [{ id: b.id, type: "env", name: "c" }]);
  for (const wrong of [{ operation: "create" }, { name: "d" }, { operation: "delete" }]) {
    const refused = await put([wrong]);
    assert.equal(refused.status, 400, JSON.stringify(wrong));
    assert.match(Object.keys(refused.body.fields)[0], /^secrets\.0\.(id|name|type)$/);
  }
});

Deno.test("forms of pages require what the API can do without", async () => {
  await using world = await newWorld();
  const web = `/project/${world.web.id}`;
  const { keyId } = world.web;
  const password = await addPasswordKey(world);
  const hosts = { name: "Hosts", type: "static", inventory: "localhost" };
  const plain = { name: "Plain", git_url: "http://git.example.com/x.git", git_branch: "main" };
  const nora = { name: "Nora", username: "nora", email: "nora@example.com", password: PASSWORD };
  const refused: [path: string, form: Record<string, string>][] = [
    [`${web}/inventory/new`, { ...hosts, ssh_key_id: "" }],
    [`${web}/inventory/new`, { ...hosts, ssh_key_id: `${keyId}`, become_key_id: `${keyId}` }],
    [`${web}/repositories/new`, { ...plain, ssh_key_id: `${keyId}` }],
    ["/users/new", { ...nora, email: "nora" }],
  ];
  for (const [path, form] of refused) {
    assert.equal((await world.post("erin", path, form)).status, 422, JSON.stringify(form));
  }
  const taken: typeof refused = [
    [`${web}/inventory/new`, { ...hosts, ssh_key_id: `${keyId}`, become_key_id: `${password}` }],
    ["/users/new", nora],
  ];
  for (const [path, form] of taken) {
    assert.equal((await world.post("erin", path, form)).status, 303, JSON.stringify(form));
  }
});

Deno.test("a page keeps the choices of API clients, and names an address in the clear", async () => {
  await using world = await newWorld();
  const { id, keyId } = world.web;
  const make = async (path: string, body: Members) =>
    (await world.api("alice", "POST", `/api/project/${id}/${path}`, body)).body.id as number;
  const plain = { name: "Plain", git_url: "http://git.example.com/x.git", git_branch: "main" };
  const repository = await make("repositories", { ...plain, ssh_key_id: keyId });
  const page = `/project/${id}/repositories/${repository}`;
  assert.match(await (await world.get("alice", page)).text(), /are not encrypted/);
  const own = `/project/${id}/repositories/${world.web.repositoryId}`;
  assert.doesNotMatch(await (await world.get("alice", own)).text(), /are not encrypted/);
  const renamed = { ...plain, name: "Renamed", ssh_key_id: `${keyId}` };
  assert.equal((await world.post("alice", page, renamed)).status, 303);
  const other = { ...renamed, git_url: "http://git.example.com/other.git" };
  assert.equal((await world.post("alice", page, other)).status, 422);

  const hosts = { name: "Hosts", type: "static", inventory: "localhost", become_key_id: keyId };
  const inventory = await make("inventory", hosts);
  const form = { ...hosts, ssh_key_id: `${keyId}`, become_key_id: `${keyId}` };
  const saved = await world.post("alice", `/project/${id}/inventory/${inventory}`, form);
  assert.equal(saved.status, 303);
  const html = await (await world.get("alice", `/project/${id}/inventory/${inventory}`)).text();
  const select = html.slice(html.indexOf('name="become_key_id"'));
  assert.match(select.slice(0, select.indexOf("</select>")), /selected[^>]*>None/);
});

Deno.test("a project stays of its type, whatever a change says", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}`;
  const sent = { name: "Web", type: "test" };
  assert.equal((await world.api("alice", "PUT", path, sent)).status, 204);
  assert.equal((await world.api("alice", "GET", path)).body.type, "");
  assert.equal((await world.api("erin", "POST", "/api/projects", sent)).status, 400);
});
