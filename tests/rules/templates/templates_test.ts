import { openProject } from "@/lib/access/scope.ts";
import assert from "node:assert/strict";
import { listTemplates } from "@/lib/templates/lists.ts";
import {
  addPasswordKey,
  addSshKey,
  inventoryForm,
  repositoryForm,
  templateForm,
} from "@/tests/support/world/forms.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import { VAULTS_MAX } from "@/lib/templates/vaults.ts";

const pathOf = ({ web }: World) => `/api/project/${web.id}/templates`;

async function add(world: World, fields: Record<string, unknown> = {}) {
  const { status, body } = await world.api(
    "mike",
    "POST",
    pathOf(world),
    templateForm(world, fields),
  );
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

/** Returns the fields that are named when a create with `fields` is refused. */
async function refusal(world: World, fields: Record<string, unknown>, expected = 400) {
  const { status, body } = await world.api(
    "mike",
    "POST",
    pathOf(world),
    templateForm(world, fields),
  );
  assert.equal(status, expected, JSON.stringify([fields, body]));
  assert.equal(typeof body.error, "string");
  return Object.keys(body.fields);
}

Deno.test("Mike adds a template with all that a client may send, and it is answered alike", async () => {
  await using world = await newWorld();
  const vault = await addPasswordKey(world);
  const sshKey = await addSshKey(world);
  const view = await world.api("mike", "POST", `/api/project/${world.web.id}/views`, {
    title: "A",
  });
  const sent = templateForm(world, {
    project_id: world.web.id,
    description: "Every night",
    start_warning: "Restarts <b>everything</b>",
    visible_to: { roles: ["manager", "guest"], user_ids: [1] },
    run_by: { roles: [], user_ids: [] },
    edit_by: { roles: ["manager"], user_ids: [] },
    type: "build",
    app: "ansible",
    start_version: "1.0.0",
    vaults: [{ vault_key_id: vault, name: "prod" }],
    view_id: view.body.id,
    autorun: true,
    survey_vars: [
      { name: " host ", title: "Host", type: "string", required: true, values: null },
      {
        name: "size",
        title: "Size",
        description: "How large",
        type: "enum",
        values: [{ name: "Small", value: "s" }, { name: "", value: "m" }],
        default_value: "m",
        target: "env",
      },
    ],
    working_directory: "sites/prod/",
    keep_paths: "credentials\nsecret/ca/\n",
    arguments: '["--forks", "20"]',
    allow_override_args_in_task: true,
    allow_override_branch_in_task: true,
    suppress_success_alerts: true,
    suppress_error_alerts: true,
    muted: true,
    require_confirmation: true,
    suppress_full_results: true,
    preview_first: true,
    preview_end_unchanged: true,
    approval: {
      roles: ["manager", "manager"],
      needed: 2,
      not_starter: true,
      timeout_minutes: 60,
      message: " Look at the preview ",
    },
    allow_parallel_tasks: true,
    retry_attempts: 3,
    retry_minutes: 15,
    check_cron: "@daily",
    check_after_commit: true,
    auto_fix: null,
    task_identity: true,
    task_identity_audience: " https://vault.example.com ",
    own_key: false,
    ask_ssh_password: false,
    ask_become_password: false,
    ask_vault_password: false,
    git_branch: "release",
    runner_tag: "DMZ, arm64",
    ssh_key_ids: [sshKey],
    ssh_key_hosts: { [sshKey]: ["web*"] },
    task_params: {
      limit: ["web"],
      tags: [],
      allow_override_limit: true,
      allow_override_git_branch: true,
      something_new: { a: 1 },
    },
    something_new: 1,
  });
  const created = await world.api("mike", "POST", pathOf(world), sent);
  assert.equal(created.status, 201);
  const { id, ...fields } = created.body;
  assert.deepEqual(fields, {
    ...templateForm(world),
    project_id: world.web.id,
    toolchain_id: null,
    description: "Every night",
    start_warning: "Restarts <b>everything</b>",
    visible_to: { roles: ["manager", "guest"], user_ids: [1] },
    run_by: { roles: [], user_ids: [] },
    edit_by: { roles: ["manager"], user_ids: [] },
    type: "build",
    app: "ansible",
    environment_ids: [world.web.environmentId],
    start_version: "1.0.0",
    build_template_id: null,
    vault_key_id: vault,
    vaults: [{
      id: 1,
      project_id: world.web.id,
      template_id: id,
      vault_key_id: vault,
      name: "prod",
      type: "password",
    }],
    view_id: view.body.id,
    autorun: false,
    survey_vars: [
      {
        name: "host",
        title: "Host",
        description: "",
        type: "string",
        required: true,
        values: [],
        target: "",
        default_value: "",
      },
      {
        name: "size",
        title: "Size",
        description: "How large",
        type: "enum",
        required: false,
        values: [{ name: "Small", value: "s" }, { name: "m", value: "m" }],
        target: "env",
        default_value: "m",
      },
    ],
    working_directory: "sites/prod/",
    keep_paths: "credentials\nsecret/ca/\n",
    arguments: '["--forks", "20"]',
    allow_override_args_in_task: true,
    allow_override_branch_in_task: true,
    suppress_success_alerts: true,
    suppress_error_alerts: true,
    muted: true,
    require_confirmation: true,
    suppress_full_results: true,
    preview_first: true,
    preview_end_unchanged: true,
    approval: {
      roles: ["manager"],
      user_ids: [],
      needed: 2,
      not_starter: true,
      not_editor: false,
      timeout_minutes: 60,
      on_timeout: "rejected",
      message: "Look at the preview",
    },
    allow_parallel_tasks: true,
    retry_attempts: 3,
    retry_minutes: 15,
    check_cron: "@daily",
    check_after_commit: true,
    auto_fix: null,
    task_identity: true,
    task_identity_audience: "https://vault.example.com",
    own_key: false,
    ask_ssh_password: false,
    ask_become_password: false,
    ask_vault_password: false,
    git_branch: "release",
    runner_tag: "dmz,arm64",
    ssh_key_ids: [sshKey],
    ssh_key_hosts: { [sshKey]: ["web*"] },
    task_params: {
      limit: ["web"],
      tags: [],
      allow_override_limit: true,
      allow_override_git_branch: true,
      something_new: { a: 1 },
    },
    tasks: 0,
    last_task: null,
    last_task_id: null,
  });
  assert.deepEqual((await world.api("carol", "GET", `${pathOf(world)}/${id}`)).body, created.body);
  const list = await world.api("carol", "GET", pathOf(world));
  assert.deepEqual(list.body.find((one: { id: number }) => one.id === id), created.body);
});

Deno.test("an answer can be sent back, and changes nothing", async () => {
  await using world = await newWorld();
  const build = await add(world, { type: "build", start_version: "0.0.1" });
  const deploy = await add(world, {
    type: "deploy",
    build_template_id: build.id,
    autorun: true,
    survey_vars: [{ name: "x", title: "X", type: "int", default_value: "-3" }],
    vault_key_id: await addPasswordKey(world),
  });
  for (const template of [build, deploy]) {
    const item = `${pathOf(world)}/${template.id}`;
    assert.equal((await world.api("mike", "PUT", item, template)).status, 204);
    assert.deepEqual((await world.api("mike", "GET", item)).body, template);
  }
});

Deno.test("a PUT replaces everything: what is left out is empty", async () => {
  await using world = await newWorld();
  const full = await add(world, {
    description: "x",
    arguments: '["-v"]',
    vault_key_id: await addPasswordKey(world),
    survey_vars: [{ name: "x", title: "X" }],
    task_params: { tags: ["a"] },
  });
  const item = `${pathOf(world)}/${full.id}`;
  await world.api("mike", "PUT", item, templateForm(world, { environment_id: 0, arguments: "" }));
  const { body } = await world.api("mike", "GET", item);
  assert.deepEqual(body, {
    ...full,
    description: null,
    arguments: "",
    environment_id: null,
    environment_ids: [],
    vault_key_id: null,
    vaults: [],
    survey_vars: [],
    task_params: null,
  });
});

Deno.test("required and invalid members of a template", async () => {
  await using world = await newWorld();
  for (const field of ["name", "playbook", "inventory_id", "repository_id"]) {
    assert.deepEqual(await refusal(world, { [field]: undefined }), [field]);
    assert.deepEqual(await refusal(world, { [field]: null }), [field]);
  }
  assert.deepEqual(await refusal(world, { inventory_id: `x${world.web.inventoryId}` }), [
    "inventory_id",
  ]);
  assert.deepEqual(await refusal(world, { type: "task" }), ["type"]);
  assert.deepEqual(await refusal(world, { app: "terraform" }), ["app"]);
  assert.deepEqual(await refusal(world, { playbook: "/etc/x.yml" }), ["playbook"]);
  assert.deepEqual(await refusal(world, { playbook: "../x.yml" }), ["playbook"]);
  const outside = ["/etc", "../x", "a/../b", "a\n/b", ".git/config", "x/.GIT", "."];
  for (const keep_paths of [...outside, Array.from({ length: 11 }, (_, n) => n).join("\n")]) {
    assert.deepEqual(await refusal(world, { keep_paths }), ["keep_paths"], keep_paths);
  }
  for (const working_directory of ["/srv", "../x", "a/../..", "a\nb", "a".repeat(1001)]) {
    assert.deepEqual(await refusal(world, { working_directory }), ["working_directory"]);
  }
  assert.deepEqual(await refusal(world, { git_branch: "--upload-pack=x" }), ["git_branch"]);
  for (const text of ["{}", "[1]", "-v", '["a"', '"a"']) {
    assert.deepEqual(await refusal(world, { arguments: text }), ["arguments"], text);
  }
  assert.deepEqual(await refusal(world, { task_params: { limit: "web" } }), ["task_params.limit"]);
  assert.deepEqual(await refusal(world, { autorun: "yes" }), ["autorun"]);
  const ssh = await world.api("mike", "POST", `/api/project/${world.web.id}/keys`, {
    name: "Git",
    type: "ssh",
    generate: true,
  });
  const vaults = [{ vault_key_id: ssh.body.id, name: null }];
  assert.deepEqual(await refusal(world, { vaults }), ["vaults.0.vault_key_id"]);
  const script = [{ type: "script", script: "./password.sh", name: "prod" }];
  const { body } = await world.api(
    "mike",
    "POST",
    pathOf(world),
    templateForm(world, { vaults: script }),
  );
  assert.match(body.error, /^vaults\.0\.type: Vault passwords come from keys/);
});

Deno.test("members are answered as the client has sent them", async () => {
  await using world = await newWorld();
  for (const [sent, answered] of [["ansible", "ansible"], ["", ""], [undefined, ""], [null, ""]]) {
    const { id, app } = await add(world, { app: sent });
    assert.equal(app, answered);
    const { body: task } = await world.api("bob", "POST", `/api/project/${world.web.id}/tasks`, {
      template_id: id,
    });
    assert.equal(task.tpl_app, answered);
  }
  const types = ["", "int", "secret", "string", "integer"];
  const survey_vars = types.map((type, n) => ({ name: `a${n}`, title: "A", type }));
  const asked = await add(world, { survey_vars });
  assert.deepEqual(asked.survey_vars.map(({ type }: { type: string }) => type), types);
});

Deno.test("a template's page keeps what other clients sent, and it does not show", async () => {
  await using world = await newWorld();
  const second = await secondEnvironment(world);
  const { id } = await add(world, {
    app: "",
    environment_ids: [world.web.environmentId, second],
    allow_override_branch_in_task: true,
    survey_vars: [{ name: "count", title: "Count", type: "integer" }],
  });
  const page = `/project/${world.web.id}/templates/${id}/edit`;
  const shown = await (await world.get("mike", page)).text();
  assert.match(
    shown,
    /<option[^>]* value="int"[^>]* selected|<option[^>]* selected[^>]* value="int"/,
  );
  assert.match(shown, /name="allow_override_branch_in_task"[^>]* checked/);
  const saved = await world.post("mike", page, {
    name: "Renamed",
    playbook: "site.yml",
    inventory_id: String(world.web.inventoryId),
    repository_id: String(world.web.repositoryId),
    environment_id: String(world.web.environmentId),
    "survey_vars.0.name": "count",
    "survey_vars.0.title": "Count",
    "survey_vars.0.type": "int",
    allow_override_branch_in_task: "true",
  });
  assert.equal(saved.status, 303);
  const { body } = await world.api("mike", "GET", `${pathOf(world)}/${id}`);
  assert.equal(body.name, "Renamed");
  assert.equal(body.app, "");
  assert.equal(body.allow_override_branch_in_task, true);
  assert.deepEqual(body.environment_ids, [world.web.environmentId, second]);
});

const secondEnvironment = async ({ api, web }: World): Promise<number> => {
  const path = `/api/project/${web.id}/environment`;
  return (await api("mike", "POST", path, { name: "Second", json: "{}" })).body.id;
};

Deno.test("environments are given by one id, by a list, or by both", async () => {
  await using world = await newWorld();
  const { web: { environmentId: first } } = world;
  const second = await secondEnvironment(world);
  const environmentsOf = async (fields: Record<string, unknown>) =>
    (await add(world, { environment_id: undefined, ...fields })).environment_ids;
  assert.deepEqual(await environmentsOf({}), []);
  assert.deepEqual(await environmentsOf({ environment_ids: [0] }), []);
  assert.deepEqual(await environmentsOf({ environment_id: 0, environment_ids: null }), []);
  assert.deepEqual(await environmentsOf({ environment_id: first }), [first]);
  assert.deepEqual(await environmentsOf({ environment_ids: [second, first, second] }), [
    second,
    first,
  ]);
  const { id, ...template } = await add(world, { environment_ids: [first, second] });
  assert.equal(template.environment_id, first);
  const item = `${pathOf(world)}/${id}`;
  const after = async (fields: Record<string, unknown>) => {
    assert.equal((await world.api("mike", "PUT", item, { ...template, ...fields })).status, 204);
    const { body } = await world.api("mike", "GET", item);
    await world.api("mike", "PUT", item, template);
    return body.environment_ids;
  };
  assert.deepEqual(await after({}), [first, second]);
  assert.deepEqual(await after({ environment_ids: [second] }), [second]);
  assert.deepEqual(await after({ environment_ids: undefined, environment_id: null }), [second]);
  assert.deepEqual(await after({ environment_id: null }), [second]);
  assert.deepEqual(
    await refusal(world, { environment_ids: [first, world.lab.environmentId] }, 404),
    [
      "environment_ids.1",
    ],
  );
  const path = `/api/project/${world.web.id}/environment/${second}`;
  assert.equal((await world.api("mike", "DELETE", path)).status, 409, "the template uses it");
});

Deno.test("a client that knows one vault password changes or takes away that one only", async () => {
  await using world = await newWorld();
  const [first, second, third] = [
    await addPasswordKey(world, "First"),
    await addPasswordKey(world, "Second"),
    await addPasswordKey(world, "Third"),
  ];
  const vaults = [{ vault_key_id: first, name: null }, { vault_key_id: second, name: "prod" }];
  const template = await add(world, { vaults });
  const item = `${pathOf(world)}/${template.id}`;
  const after = async (change: Record<string, unknown>) => {
    assert.equal((await world.api("mike", "PUT", item, { ...template, ...change })).status, 204);
    const { body } = await world.api("mike", "GET", item);
    await world.api("mike", "PUT", item, template);
    return body.vaults.map(({ vault_key_id }: { vault_key_id: number }) => vault_key_id);
  };
  assert.deepEqual(await after({ vault_key_id: null }), [second]);
  assert.deepEqual(await after({ vault_key_id: third }), [third, second]);
  assert.deepEqual(await after({ vaults: undefined, vault_key_id: null }), [second]);
  assert.deepEqual(await after({ vaults: undefined, vault_key_id: third }), [third, second]);
  assert.deepEqual(await after({ vaults: [] }), []);
  assert.deepEqual(await after({ vaults: undefined, vault_key_id: undefined }), []);
});

Deno.test("builds and deploys may be created in parts; a missing part is reported when they run", async () => {
  await using world = await newWorld();
  const missing: [Record<string, unknown>, RegExp][] = [
    [{ type: "build", name: "Made" }, /build template Made has no start version/],
    [{ type: "deploy", name: "Out" }, /deploy template Out has no build template/],
  ];
  for (const [fields, sentence] of missing) {
    const { id } = await add(world, fields);
    const tasks = `/api/project/${world.web.id}/tasks`;
    const { status, body } = await world.api("bob", "POST", tasks, { template_id: id });
    assert.equal(status, 400);
    assert.match(body.error, sentence);
    assert.deepEqual(Object.keys(body.fields), ["template_id"]);
    assert.deepEqual((await world.api("bob", "GET", tasks)).body, [], "nothing is left behind");
  }
  const page = await world.post("mike", `/project/${world.web.id}/templates/new/edit`, {
    ...Object.fromEntries(
      Object.entries(templateForm(world)).map(([name, value]) => [name, String(value)]),
    ),
    type: "build",
  });
  assert.equal(page.status, 422, "the page asks for all of it");
});

Deno.test("a template counts the tasks that were ever started of it", async () => {
  await using world = await newWorld();
  const { id } = await add(world, {});
  const tasks = `/api/project/${world.web.id}/tasks`;
  for (let n = 0; n < 3; n++) {
    const { body } = await world.api("erin", "POST", tasks, { template_id: id });
    await world.api("erin", "POST", `${tasks}/${body.id}/stop`, {});
    if (n === 0) await world.api("erin", "DELETE", `${tasks}/${body.id}`);
  }
  const { body: one } = await world.api("carol", "GET", `${pathOf(world)}/${id}`);
  assert.equal(one.tasks, 3);
  const { body: list } = await world.api("carol", "GET", pathOf(world));
  assert.equal(list.find((row: { id: number }) => row.id === id).tasks, 3);
});

Deno.test("a template may use as many vaults, and deploy as long a chain, as is allowed", async () => {
  await using world = await newWorld();
  const vaults: { vault_key_id: number; name: string }[] = [];
  for (let n = 1; n <= VAULTS_MAX; n++) {
    vaults.push({ vault_key_id: await addPasswordKey(world, `Vault ${n}`), name: `vault-${n}` });
  }
  const path = `/api/project/${world.web.id}/templates`;
  const make = async (fields: Record<string, unknown>) => {
    const { status, body } = await world.api("alice", "POST", path, templateForm(world, fields));
    assert.equal(status, 201, JSON.stringify(body));
    return body.id as number;
  };
  let last = await make({ type: "build", start_version: "1" });
  for (let n = 1; n < 20; n++) last = await make({ type: "deploy", build_template_id: last });
  const id = await make({ type: "deploy", build_template_id: last, vaults });
  const form = templateForm(world, { id, type: "deploy", build_template_id: last, vaults: [] });
  assert.equal((await world.api("alice", "PUT", `${path}/${id}`, form)).status, 204);
});

Deno.test("everything that a template refers to is of its project", async () => {
  await using world = await newWorld();
  const { api, lab } = world;
  const labOf = `/api/project/${lab.id}`;
  const view = await api("dave", "POST", `${labOf}/views`, { title: "Theirs" });
  const repository = await api("dave", "POST", `${labOf}/repositories`, {
    name: "Theirs",
    git_url: "/srv/theirs",
    ssh_key_id: lab.keyId,
  });
  const foreign: Record<string, unknown> = {
    repository_id: repository.body.id,
    inventory_id: 999,
    environment_id: lab.environmentId,
    view_id: view.body.id,
  };
  for (const [field, id] of Object.entries(foreign)) {
    assert.deepEqual(await refusal(world, { [field]: id }, 404), [field]);
  }
  assert.deepEqual(await refusal(world, foreign, 404), Object.keys(foreign));
  assert.deepEqual(await refusal(world, { vault_key_id: lab.keyId }, 404), [
    "vaults.0.vault_key_id",
  ]);
  assert.deepEqual(await refusal(world, { type: "deploy", build_template_id: 999 }, 404), [
    "build_template_id",
  ]);
  const item = `${pathOf(world)}/${world.deploy.id}`;
  const put = await api("mike", "PUT", item, templateForm(world, foreign));
  assert.equal(put.status, 404);
});

Deno.test("survey variables have names of their own that Ansible can use", async () => {
  await using world = await newWorld();
  const survey = async (...questions: Record<string, unknown>[]) => {
    const survey_vars = questions.map((asked) => ({ name: "a", title: "A", ...asked }));
    const [field] = await refusal(world, { survey_vars });
    return field.replace("survey_vars.", "");
  };
  assert.equal(await survey({}, { name: " a " }), "1.name");
  assert.equal(await survey({ name: "my-var" }), "0.name");
  assert.equal(await survey({ name: "1st" }), "0.name");
  assert.equal(await survey({ title: " " }), "0.title");
  assert.equal(await survey({ type: "a\nb" }), "0.type");
  assert.equal(await survey({ type: "enum", values: [] }), "0.values");
  assert.equal(
    await survey({ type: "enum", values: [{ name: "x", value: "" }] }),
    "0.values.0.value",
  );
  const values = [{ name: "X", value: "x" }];
  assert.equal(await survey({ type: "enum", values: [...values, ...values] }), "0.values");
  assert.equal(await survey({ type: "enum", values, default_value: "y" }), "0.default_value");
  assert.equal(await survey({ type: "int", default_value: "many" }), "0.default_value");
  assert.equal(await survey({ type: "secret", default_value: "x" }), "0.default_value");
  assert.equal(await survey({ target: "file" }), "0.target");
});

Deno.test("a long survey is stored whole; one that is too long is refused", async () => {
  await using world = await newWorld();
  const survey = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      name: `v${n}`,
      title: "Ü".repeat(500),
      description: "d".repeat(4096),
    }));
  const { id, survey_vars } = await add(world, { survey_vars: survey(45) });
  const { body } = await world.api("bob", "GET", `${pathOf(world)}/${id}`);
  assert.deepEqual(body.survey_vars, survey_vars);
  assert.equal(body.survey_vars.length, 45);
  assert.deepEqual(await refusal(world, { survey_vars: survey(100) }), ["survey_vars"]);
});

Deno.test("deploy templates deploy builds or deploys, and never themselves in the end", async () => {
  await using world = await newWorld();
  const deployOf = (id: number) => ({ type: "deploy", build_template_id: id });
  assert.deepEqual(await refusal(world, deployOf(world.deploy.id)), ["build_template_id"]);
  const build = await add(world, { type: "build", start_version: "1" });
  const first = await add(world, deployOf(build.id));
  const second = await add(world, deployOf(first.id));
  const put = (id: number, fields: Record<string, unknown>) =>
    world.api("mike", "PUT", `${pathOf(world)}/${id}`, templateForm(world, fields));
  for (const [id, source] of [[first.id, first.id], [first.id, second.id], [build.id, second.id]]) {
    const { status, body } = await put(id, deployOf(source));
    assert.equal(status, 400);
    assert.deepEqual(Object.keys(body.fields), ["build_template_id"]);
  }
  const toTask = await put(build.id, {});
  assert.equal(toTask.status, 409);
  assert.deepEqual(toTask.body.templates, [{ id: first.id, name: "Nightly" }]);
  assert.equal((await put(second.id, {})).status, 204);
});

Deno.test("a template has its latest task, in the list and alone", async () => {
  await using world = await newWorld();
  const tasks = `/api/project/${world.web.id}/tasks`;
  await world.api("bob", "POST", tasks, { template_id: world.deploy.id });
  const newest = await world.api("bob", "POST", tasks, { template_id: world.deploy.id });
  assert.equal(newest.status, 201, JSON.stringify(newest.body));
  const one = await world.api("carol", "GET", `${pathOf(world)}/${world.deploy.id}`);
  assert.equal(one.body.last_task_id, newest.body.id);
  const { reason, ...rest } = one.body.last_task;
  assert.deepEqual({ ...rest, reason: null }, newest.body);
  assert.match(reason.message, /^One task at a time/);
  assert.deepEqual((await world.api("carol", "GET", pathOf(world))).body, [one.body]);
});

Deno.test("a template with an open task stays; then it goes with its history and schedules", async () => {
  await using world = await newWorld();
  const base = `/api/project/${world.web.id}`;
  const item = `${pathOf(world)}/${world.deploy.id}`;
  const task = await world.api("bob", "POST", `${base}/tasks`, { template_id: world.deploy.id });
  for (let n = 0; n < 25; n++) {
    const schedule = { template_id: world.deploy.id, cron_format: `${n} 3 * * *`, name: `S${n}` };
    const { status, body } = await world.api("mike", "POST", `${base}/schedules`, schedule);
    assert.equal(status, 201, JSON.stringify(body));
  }
  assert.deepEqual((await world.api("carol", "GET", `${item}/refs`)).body, {
    templates: [],
    inventories: [],
    repositories: [],
    schedules: [],
    integrations: [],
    workflows: [],
    keys: [],
    git_credentials: [],
    environments: [],
    toolchains: [],
  });

  const refused = await world.api("mike", "DELETE", item);
  assert.equal(refused.status, 409);
  assert.deepEqual(refused.body.tasks, [task.body.id]);
  assert.equal((await world.api("carol", "GET", `${base}/schedules`)).body.length, 25);

  await world.api("bob", "POST", `${base}/tasks/${task.body.id}/stop`, { force: false });
  assert.equal((await world.api("mike", "DELETE", item)).status, 204);
  assert.equal((await world.api("mike", "GET", item)).status, 404);
  assert.deepEqual((await world.api("carol", "GET", `${base}/tasks`)).body, []);
  assert.deepEqual((await world.api("carol", "GET", `${base}/schedules`)).body, []);
  for (const kind of ["tasks", "tasks_by_template", "last_tasks", "schedules_due", "references"]) {
    const left = await Array.fromAsync(world.kv.list({ prefix: [kind] }), ({ key }) => key);
    const ofTemplate = left.filter((key) => key.includes("templates"));
    assert.deepEqual(kind === "references" ? ofTemplate : left, [], kind);
  }
});

Deno.test("Bob and Carol may look at templates, not change them; Dave sees none", async () => {
  await using world = await newWorld();
  const item = `${pathOf(world)}/${world.deploy.id}`;
  for (const person of ["bob", "carol"] as const) {
    assert.equal((await world.api(person, "GET", item)).status, 200);
    assert.equal((await world.api(person, "POST", pathOf(world), templateForm(world))).status, 403);
    assert.equal((await world.api(person, "PUT", item, templateForm(world))).status, 403);
    assert.equal((await world.api(person, "DELETE", item)).status, 403);
  }
  for (const path of [pathOf(world), item, `${item}/refs`]) {
    assert.equal((await world.api("dave", "GET", path)).status, 404);
    assert.equal((await world.api(null, "GET", path)).status, 401);
  }
  const throughOwn = `/api/project/${world.lab.id}/templates/${world.deploy.id}`;
  assert.equal((await world.api("dave", "GET", throughOwn)).status, 404);
  assert.equal((await world.api("dave", "DELETE", throughOwn)).status, 404);
  assert.equal((await world.api("erin", "GET", item)).status, 200);
});

Deno.test("templates are sorted by their own columns, and by the names of their resources", async () => {
  await using world = await newWorld();
  const base = `/api/project/${world.web.id}`;
  const addOf = async (kind: string, form: unknown): Promise<number> =>
    (await world.api("mike", "POST", `${base}/${kind}`, form)).body.id;
  const last = await addOf("repositories", repositoryForm(world, { name: "zebra" }));
  const first = await addOf("inventory", inventoryForm(world, { name: "Aaa" }));
  await add(world, { name: "b", repository_id: last, playbook: "x.yml" });
  await add(world, { name: "C", inventory_id: first, playbook: "a.yml" });
  const sorted = async (query: string) => {
    const { body } = await world.api("carol", "GET", pathOf(world) + query);
    return body.map(({ name }: { name: string }) => name).join(",");
  };
  assert.equal(await sorted(""), "b,C,Deploy shop");
  assert.equal(await sorted("?sort=name&order=desc"), "Deploy shop,C,b");
  assert.equal(await sorted("?sort=playbook&order=asc"), "C,Deploy shop,b");
  assert.equal(await sorted("?sort=inventory"), "C,Deploy shop,b");
  assert.equal(await sorted("?sort=repository&order=desc"), "b,Deploy shop,C");
  const unknown = await world.api("carol", "GET", `${pathOf(world)}?sort=constructor`);
  assert.equal(unknown.status, 400);
});

Deno.test("500 templates are listed with few reads", async () => {
  await using world = await newWorld();
  const { deps, people, web, kv } = world;
  const [row] = await Array.fromAsync(kv.list({ prefix: ["templates", web.id] }));
  for (let n = 0; n < 499; n++) {
    const id = 1000 + n;
    await kv.set(["templates", web.id, id], { ...row.value as object, id });
  }
  let reads = 0;
  const counting = new Proxy(kv, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        reads++;
        return Reflect.apply(member, target, args);
      };
    },
  });
  const templates = await listTemplates(
    await openProject({ deps: { ...deps, kv: counting }, actor: people.carol.actor }, web.id),
  );
  assert.equal(templates?.length, 500);
  assert.ok(reads < 10, `${reads} calls of KV`);
});
