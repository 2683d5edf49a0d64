import assert from "node:assert/strict";
import { makePlan } from "@/lib/queue/plan/make_plan.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { inventoryRows } from "@/lib/resources/inventories/repository.ts";
import { keyRows } from "@/lib/resources/keys/repository.ts";
import { templateRows } from "@/lib/templates/repository.ts";
import { transact } from "@/lib/store/transact.ts";
import { templateForm } from "@/tests/support/world/forms.ts";
import { type ApiAnswer, newWorld, type World } from "@/tests/support/world/world.ts";

type Sent = Record<string, unknown>;
type Person = "alice" | "bob" | "mike";

/** Creates a template that lets its tasks choose everything. */
async function openTemplate(world: World, change: Sent = {}): Promise<number> {
  const form = templateForm(world, {
    allow_override_args_in_task: true,
    task_params: {
      allow_override_limit: true,
      allow_override_tags: true,
      allow_override_skip_tags: true,
      allow_override_branch: true,
    },
    ...change,
  });
  const made = await world.api("mike", "POST", `/api/project/${world.web.id}/templates`, form);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body.id;
}

/** Returns every way to send input for a run, and how each names a wrong field. */
async function waysIn(world: World): Promise<[RegExp, (sent: Sent) => Promise<ApiAnswer>][]> {
  const template_id = await openTemplate(world);
  const project = `/api/project/${world.web.id}`;
  const send = (person: Person, path: string, body: object) =>
    world.api(person, "POST", path, body);
  const at = { template_id, cron_format: "@daily" };
  await send("mike", `${project}/schedules`, { ...at, name: "Nightly", task_params: {} });
  await send("mike", `${project}/integrations`, { name: "Push", template_id, task_params: {} });
  const { body: file } = await world.api("alice", "GET", `${project}/backup`);
  // deno-lint-ignore no-explicit-any -- a backup file
  const restore = (change: (file: any) => void) => {
    const changed = structuredClone(file);
    change(changed);
    return send("alice", "/api/projects/restore?strict=true", changed);
  };
  const inFile = (name: string) => new RegExp(`^(templates|integrations)\\.\\d+\\..*${name}`);
  return [
    [/^\w+$/, (sent) => send("bob", `${project}/tasks`, { template_id, ...sent })],
    [/^params\./, (params) => send("bob", `${project}/tasks`, { template_id, params })],
    [
      /^task_params\./,
      (task_params) => send("mike", `${project}/templates`, templateForm(world, { task_params })),
    ],
    [
      /^task_params\./,
      (task_params) => send("mike", `${project}/schedules`, { ...at, task_params }),
    ],
    [
      /^task_params\./,
      (task_params) =>
        send("mike", `${project}/integrations`, { name: "Push", template_id, task_params }),
    ],
    [inFile("task_params"), (sent) => restore((file) => file.templates[1].task_params = sent)],
    [
      inFile("schedules"),
      (sent) => restore((file) => file.templates[1].schedules[0].task_params = sent),
    ],
    [inFile("task_params"), (sent) => restore((file) => file.integrations[0].task_params = sent)],
  ];
}

Deno.test("no way in takes a limit without hosts or with a file, or what no process can have", async () => {
  await using world = await newWorld({ config: { usersCreateProjects: true } });
  const wrong: Sent[] = [
    { limit: ["@/etc/passwd"] },
    { limit: ["web1", "!db1:@/etc/passwd"] },
    { limit: ["web1\0"] },
    ...["~", "[", ":", " ", ",", "!", "web1,!", "web[0", "! a,! b"].map((text) => ({
      limit: [text],
    })),
    { tags: [" "] },
    { skip_tags: [","] },
    { tags: ["a\nb"] },
    { skip_tags: ["a\u001b[2J"] },
  ];
  for (const [field, send] of await waysIn(world)) {
    for (const sent of wrong) {
      const { status, body } = await send(sent);
      assert.equal(status, 400, `${field} ${JSON.stringify(sent)} ${JSON.stringify(body)}`);
      const [told] = Object.keys(body.fields);
      assert.match(told, field);
      assert.ok(told.endsWith(Object.keys(sent)[0]), told);
    }
    const { status, body } = await send({ limit: ["web*:!db1"], tags: ["deploy"] });
    assert.ok(status < 300, JSON.stringify(body));
  }
});

Deno.test("input for arguments or variables of a process is checked where it is sent", async () => {
  await using world = await newWorld();
  const template_id = await openTemplate(world, {
    survey_vars: [
      { name: "release", title: "Release" },
      { name: "region", title: "Region", target: "env" },
      { name: "ansible_host", title: "Host", default_value: "web1" },
    ],
  });
  const project = `/api/project/${world.web.id}`;
  const wrong: [Person, string, Sent, string][] = [
    ["bob", "tasks", { template_id, message: "a\0b" }, "message"],
    ["bob", "tasks", { template_id, git_branch: "main\0" }, "git_branch"],
    ["bob", "tasks", { template_id, git_branch: "--upload-pack=x" }, "git_branch"],
    ["bob", "tasks", { template_id, git_branch: "../../../etc/passwd" }, "git_branch"],
    ["bob", "tasks", { template_id, git_branch: "main:refs/heads/other" }, "git_branch"],
    ["bob", "tasks", { template_id, arguments: ["--tags=a\0"] }, "arguments"],
    ["bob", "tasks", { template_id, environment: '{"release":"\\u0000"}' }, "release"],
    ["bob", "tasks", { template_id, environment: '{"region":"\\u0000"}' }, "region"],
    ["bob", "tasks", { template_id, environment: '{"ansible_host":"-oX=y"}' }, "ansible_host"],
    ["bob", "tasks", { template_id, environment: '{"ansible_user":"root"}' }, "ansible_user"],
    [
      "bob",
      "tasks",
      { template_id, secret: '{"ansible_become_password":"x"}' },
      "ansible_become_password",
    ],
    [
      "bob",
      "tasks",
      { template_id, environment: { ansible_host: { toString: 1 } } },
      "ansible_host",
    ],
    ["mike", "tasks", { template_id, secret: '{"x\\u0000":"y"}' }, "x\0"],
    ["mike", "tasks", { template_id, secret: '{"x":{}}' }, "x"],
    ["mike", "templates", templateForm(world, { playbook: "a\0b" }), "playbook"],
    [
      "mike",
      "templates",
      templateForm(world, { start_version: "1\0", type: "build" }),
      "start_version",
    ],
    [
      "mike",
      "templates",
      templateForm(world, { vaults: [{ vault_key_id: 1, name: "a\0" }] }),
      "vaults.0.name",
    ],
    ["mike", "keys", {
      name: "K",
      type: "login_password",
      login_password: { login: "a\nb", password: "x" },
    }, "login_password.login"],
    ["mike", "environment", { name: "E", env: '{"A":"\\u0000"}' }, "env"],
    ["mike", "environment", { name: "E", env: '{"A\\u0001":"x"}' }, "env"],
    ["mike", "environment", { name: "E", env: '{"OPTIND":"x"}' }, "env"],
    [
      "mike",
      "environment",
      { name: "E", secrets: [{ type: "env", name: "IFS" }] },
      "secrets.0.name",
    ],
    [
      "mike",
      "templates",
      templateForm(world, { survey_vars: [{ name: "IFS", title: "X", target: "env" }] }),
      "survey_vars.0.name",
    ],
    [
      "mike",
      "environment",
      { name: "E", secrets: [{ type: "env", name: "A", secret: "\0" }] },
      "secrets.0.secret",
    ],
  ];
  for (const [person, path, sent, field] of wrong) {
    const { status, body } = await world.api(person, "POST", `${project}/${path}`, sent);
    assert.equal(status, 400, `${JSON.stringify(sent)} ${JSON.stringify(body)}`);
    assert.deepEqual(Object.keys(body.fields), [field]);
  }
  const message = "Several lines\n\tare fine";
  const { status, body } = await world.api("bob", "POST", `${project}/tasks`, {
    template_id,
    message,
  });
  assert.equal(status, 201);
  assert.equal(body.message, message);
});

Deno.test("a default is an answer like any other: what would be refused later is not saved", async () => {
  await using world = await newWorld();
  const values = [{ name: "One", value: "1" }];
  const texts = ["1", "-1", "01", "1.5", "abc", " 1", "99999999999999999999", "x\0"];
  for (const type of ["", "int", "enum"]) {
    for (const default_value of texts) {
      const survey_vars = [{ name: "x", title: "X", type, values, required: true }];
      const save = (change: Sent) =>
        world.api(
          "mike",
          "POST",
          `/api/project/${world.web.id}/templates`,
          templateForm(world, { survey_vars: [{ ...survey_vars[0], ...change }] }),
        );
      const [saved, made] = [await save({ default_value }), await save({})];
      const answered = await world.api("bob", "POST", `/api/project/${world.web.id}/tasks`, {
        template_id: made.body.id,
        environment: { x: default_value },
      });
      assert.equal(saved.status, answered.status, JSON.stringify([type, default_value]));
      if (saved.status !== 201) {
        assert.deepEqual(Object.keys(saved.body.fields), ["survey_vars.0.default_value"]);
      }
    }
  }
});

Deno.test("Bob's arguments stay inside what Alice allowed; Mike's are any", async () => {
  await using world = await newWorld();
  const survey_vars = [{ name: "region", title: "Region" }];
  const open = await openTemplate(world, { survey_vars });
  const closed = await openTemplate(world, {
    survey_vars,
    arguments: ["--limit", "staging"],
    task_params: { tags: ["deploy"], allow_debug: false },
  });
  const start = (person: Person, template_id: number, words: string[]) =>
    world.api(person, "POST", `/api/project/${world.web.id}/tasks`, {
      template_id,
      arguments: JSON.stringify(words),
    });
  const refused: [number, string[], RegExp][] = [
    [open, ["--inventory", "localhost,"], /--inventory affects more/],
    [open, ["other.yml"], /"other.yml" is not an option/],
    [open, ["-e", "region=mars"], /asks for region/],
    [open, ["-e", "ansible_ssh_common_args=-oProxyCommand=id"], /ansible_ssh_common_args/],
    [closed, ["-l", "all"], /override --limit/],
    [closed, ["--lim=all"], /override --limit/],
    [closed, ["-t", "wipe"], /override --tags/],
    [closed, ["-v"], /override --verbose/],
  ];
  for (const [template, words, sentence] of refused) {
    const { status, body } = await start("bob", template, words);
    assert.equal(status, 400, JSON.stringify(words));
    assert.match(body.fields.arguments, sentence);
    assert.equal((await start("mike", template, words)).status, 201);
  }
  const words = ["-Cl", "web1", "-e", "release='{{ 1 + 1 }}'"];
  const { status, body } = await start("bob", open, words);
  assert.equal(status, 201, JSON.stringify(body));
  assert.equal(body.arguments, JSON.stringify(words));
  const planOf = async (id: number) =>
    await makePlan(world.deps, await getTaskRow(world.kv, world.web.id, id));
  const plan = await planOf(body.id);
  assert.deepEqual(plan.arguments, ["--check", "--limit=web1"]);
  assert.deepEqual(plan.extraVars, { release: { __ansible_unsafe: "{{ 1 + 1 }}" } });
  const mikes = await planOf((await start("mike", open, words)).body.id);
  assert.deepEqual(mikes.arguments, words);
});

Deno.test("a text without hosts is not an empty limit, and an empty text is", async () => {
  await using world = await newWorld();
  const template_id = await openTemplate(world);
  const start = (sent: Sent) =>
    world.api("bob", "POST", `/api/project/${world.web.id}/tasks`, { template_id, ...sent });
  for (const name of ["limit", "tags", "skip_tags"]) {
    for (const sent of [{ [name]: "," }, { [name]: " , " }, { params: { [name]: "," } }]) {
      const { status, body } = await start(sent);
      assert.equal(status, 400, JSON.stringify(sent));
      assert.match(Object.keys(body.fields)[0], new RegExp(`${name}$`));
    }
    assert.equal((await start({ [name]: "" })).status, 201);
    assert.equal((await start({ [name]: [] })).status, 201);
  }
});

Deno.test("a limit in arguments or in a stored row names hosts, too", async () => {
  await using world = await newWorld();
  const start = (template_id: number, sent: Sent = {}) =>
    world.api("mike", "POST", `/api/project/${world.web.id}/tasks`, { template_id, ...sent });
  const open = await openTemplate(world);
  for (const words of [["--limit", ""], ["-l,"], ["--lim=~"], ["-vl", "!"], ["-l", "a", "-l:"]]) {
    const { status, body } = await start(open, { arguments: words });
    assert.equal(status, 400, JSON.stringify(words));
    assert.match(body.fields.arguments, /names no hosts/);
    const saved = await world.api(
      "mike",
      "PUT",
      `/api/project/${world.web.id}/templates/${open}`,
      templateForm(world, { arguments: JSON.stringify(words) }),
    );
    assert.deepEqual([saved.status, Object.keys(saved.body.fields)], [400, ["arguments"]]);
  }
  await transact(world.kv, async (op) => {
    await templateRows.update(world.kv, op, world.web.id, open, (row) => ({
      ...row,
      task_params: { limit: [","] },
    }));
    await templateRows.update(world.kv, op, world.web.id, world.web.templateId, (row) => ({
      ...row,
      arguments: '["-l,"]',
    }));
  });
  for (const [template, field] of [[open, "limit"], [world.web.templateId, "arguments"]] as const) {
    const { status, body } = await start(template);
    assert.equal(status, 400);
    assert.match(body.fields[field], /names no hosts/);
  }
});

Deno.test("a variable that Bob sets goes below what the environment says", async () => {
  await using world = await newWorld();
  const project = `/api/project/${world.web.id}`;
  const { body: environment } = await world.api("mike", "POST", `${project}/environment`, {
    name: "Production",
    json: '{"target":"db1"}',
  });
  const template_id = await openTemplate(world, { environment_id: environment.id });
  const { body } = await world.api("bob", "POST", `${project}/tasks`, {
    template_id,
    arguments: ["-e", "target=db2 other=x"],
  });
  const { extraVars } = await makePlan(
    world.deps,
    await getTaskRow(world.kv, world.web.id, body.id),
  );
  assert.deepEqual(extraVars, { target: "db1", other: { __ansible_unsafe: "x" } });
});

Deno.test("a become key of type ssh ends the run in a sentence", async () => {
  await using world = await newWorld();
  const { web, kv, deps } = world;
  const secret = { type: "ssh", login: "", passphrase: "", privateKey: "x" };
  await transact(kv, async (op) => {
    await keyRows.insert(kv, op, {
      id: 900,
      project_id: web.id,
      name: "SSH",
      type: "ssh",
      secret: await deps.secrets.seal(JSON.stringify(secret)),
    });
  });
  await transact(kv, async (op) => {
    await inventoryRows.update(kv, op, web.id, web.inventoryId, (row) => ({
      ...row,
      become_key_id: 900,
    }));
  });
  const path = `/api/project/${web.id}/tasks`;
  const { body } = await world.api("bob", "POST", path, { template_id: world.deploy.id });
  const task = await getTaskRow(kv, web.id, body.id);
  await assert.rejects(makePlan(deps, task), { key: "errors.run.become_key" });
});
