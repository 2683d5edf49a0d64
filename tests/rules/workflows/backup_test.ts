import assert from "node:assert/strict";
import { newWorkflowStage } from "@/tests/support/world/workflows.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const restored = async (world: World, file: unknown, query = "") =>
  await world.api("erin", "POST", `/api/projects/restore${query}`, file);

const backUp = async (world: World, projectId: number) =>
  (await world.api("erin", "GET", `/api/project/${projectId}/backup`)).body;

/** The workflows of a project, as the API answers them. */
const workflowsOf = async (world: World, projectId: number) =>
  (await world.api("erin", "GET", `/api/project/${projectId}/workflows`)).body;

const question = (name: string) => ({ name, title: name, type: "" });

Deno.test("a restored project has the same workflows, with its own templates and inventories", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const { web, people } = world;
  const build = await stage.template({ name: "Build" });
  const deploy = await stage.template({ name: "Deploy", survey_vars: [question("version")] });
  const checks = await stage.workflow([{ kind: "template", template_id: deploy, name: "Check" }], {
    name: "Checks",
    survey_vars: [question("url")],
  });
  const steps = [
    { id: -1, kind: "template", template_id: build, params: { inventory_id: web.inventoryId } },
    { id: -2, kind: "wait", minutes: 5, name: "Cool down", after: [{ step: -1, when: "always" }] },
    {
      id: -3,
      kind: "approval",
      name: "Sign off",
      approval: {
        roles: ["owner"],
        user_ids: [people.bob.id],
        needed: 2,
        not_starter: true,
        message: "Deploy?",
      },
    },
    {
      id: -4,
      kind: "template",
      template_id: deploy,
      name: "Deploy",
      after: [{ step: -1, when: "changed" }, { step: -3, when: "success" }],
      join: "any",
      values: [{ var: "version", from: { step: -1, name: "version" } }],
    },
    {
      kind: "workflow",
      workflow_id: checks,
      name: "Checks",
      values: [{ var: "url", from: { answer: "where" } }],
    },
  ];
  await stage.workflow(steps, {
    description: "Builds and deploys",
    start_warning: "Production",
    survey_vars: [question("where")],
  });
  const file = await backUp(world, web.id);
  const { status, body } = await restored(world, file);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(body.report.left_out, []);
  assert.deepEqual(body.report.creates.workflows, ["Checks", "Release"]);
  assert.deepEqual(await backUp(world, body.id), file);

  // Equal but for the ids of the new project.
  const [before, after] = [await workflowsOf(world, web.id), await workflowsOf(world, body.id)];
  const api = async (project: number, kind: string): Promise<Record<string, number>> =>
    Object.fromEntries(
      (await world.api("erin", "GET", `/api/project/${project}/${kind}`)).body
        .map(({ name, id }: { name: string; id: number }) => [id, name]),
    );
  const plain = async (project: number, workflows: unknown) => {
    const names: Record<string, Record<string, unknown>> = {
      template_id: await api(project, "templates"),
      workflow_id: await api(project, "workflows"),
      inventory_id: await api(project, "inventory"),
      workflow_template_id: await api(project, "workflows"),
    };
    return JSON.parse(
      JSON.stringify(workflows),
      (key, value) => key === "project_id" ? 0 : key in names && value ? names[key][value] : value,
    )
      .map(({ id: _, ...workflow }: { id: number }) => workflow);
  };
  assert.deepEqual(await plain(body.id, after), await plain(web.id, before));

  // References hold: what a restored workflow uses cannot be deleted.
  const used = after[1].steps[0].template_id;
  const refs = await world.api("erin", "GET", `/api/project/${body.id}/templates/${used}/refs`);
  assert.deepEqual(refs.body.workflows.map(({ name }: { name: string }) => name), ["Release"]);
});

Deno.test("people who have no account here are left out of approvals, which become no wider", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const approval = (users: string[], roles: string[] = []) => ({
    kind: "approval",
    approval: { roles, users },
  });
  const file = {
    meta: { name: "Copy" },
    workflows: [
      { name: "Some", steps: [approval(["zoe", "bob"]), approval(["zoe", "bob"])] },
      {
        name: "Both",
        steps: [{ kind: "approval", approval: { users: ["zoe", "bob"], needed: 2 } }],
      },
      { name: "None", steps: [approval(["zoe", "zack"])] },
      { name: "Role", steps: [approval(["zoe"], ["manager"])] },
    ],
  };
  const { status, body } = await restored(world, file);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(
    body.report.left_out.map(({ kind, name }: Record<string, string>) => [kind, name]),
    [["users", "zoe"], ["users", "zoe"], ["users", "zoe"], ["users", "zack"], ["users", "zoe"]],
  );
  assert.match(body.report.left_out[0].reason, /"Some" lets "zoe" approve/);
  const rules = (await workflowsOf(world, body.id)).map((
    { name, steps }: { name: string; steps: { approval: { user_ids: number[]; roles: [] } }[] },
  ) => [name, steps[0].approval.user_ids, steps[0].approval.roles]);
  assert.deepEqual(
    new Set(rules.map(String)),
    new Set([
      ["Some", [world.people.bob.id], []],
      ["Both", [world.people.bob.id], ["owner"]],
      ["None", [], ["owner"]],
      ["Role", [], ["manager"]],
    ].map(String)),
  );
  const strict = await restored(world, file, "?strict=true");
  assert.equal(strict.status, 400);
  assert.match(strict.body.error, /no such account/);
});

Deno.test("a backup names no deleted person, and its approval does not become wider", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const { bob, carol } = world.people;
  const rule = (user: { id: number }) => ({ approval: { user_ids: [user.id] } });
  await stage.workflow([{ kind: "approval", name: "Sign off", ...rule(bob) }]);
  await stage.template({ name: "Careful", require_confirmation: true, ...rule(carol) });
  const rules = async () => {
    const { workflows, templates } = await backUp(world, world.web.id);
    const careful = templates.find(({ name }: { name: string }) => name === "Careful");
    return [workflows[0].steps[0].approval, careful.approval]
      .map(({ users, roles }) => [users, roles]);
  };
  assert.deepEqual(await rules(), [[["bob"], []], [["carol"], []]]);
  for (const { id } of [bob, carol]) {
    const gone = await world.api("erin", "DELETE", `/api/users/${id}`);
    assert.ok(gone.status < 300, JSON.stringify(gone.body));
  }
  assert.deepEqual(await rules(), [[[], ["owner"]], [[], ["owner"]]]);
});

/** A file of Semaphore 2.19 with a workflow. Nodes have templates and inventories by name. */
const SEMAPHORE_FILE = {
  meta: { name: "Shop", alert: false, max_parallel_tasks: 0, type: "" },
  keys: [{ name: "None", type: "none" }],
  environments: [{ name: "Empty", json: "{}" }],
  repositories: [{ name: "Plays", git_url: "/srv/plays", git_branch: "main", ssh_key: "None" }],
  inventories: [
    { name: "Hosts", type: "static", inventory: "localhost", ssh_key: "None" },
    { name: "Live", type: "static", inventory: "live", ssh_key: "None" },
  ],
  templates: ["Build", "Deploy", "Roll back"].map((name) => ({
    name,
    app: "ansible",
    playbook: "site.yml",
    inventory: "Hosts",
    repository: "Plays",
    environments: ["Empty"],
    survey_vars: [{ name: "version", title: "Version" }],
  })),
  workflows: [{
    name: "Release",
    description: null,
    start_version: "1.0.0",
    nodes: [
      { id: 41, kind: "task", template: "Build", position_x: 10, position_y: 20, later: {} },
      {
        id: 42,
        kind: "approval",
        approval_timeout: 90,
        approval_message: "Deploy?",
        template: null,
      },
      { id: 43, kind: "delay", delay_seconds: 600 },
      {
        id: 44,
        kind: "",
        template: "Deploy",
        convergence_mode: "any",
        task_params: { inventory_name: "Live", environment: '{"a": "b"}', message: "m" },
      },
      { id: 45, template: "Roll back" },
      { id: 46, kind: "note", note: "Ask Bob first", position_x: 1, position_y: 2 },
    ],
    edges: [
      { source_node_id: 41, destination_node_id: 42, condition: "on_success" },
      { source_node_id: 42, destination_node_id: 43, condition: "on_success" },
      { source_node_id: 43, destination_node_id: 44, condition: "always" },
      {
        source_node_id: 41,
        destination_node_id: 44,
        condition: "on_failure",
        input_mode: "explicit",
        input_mappings: [{ var: "version", key: "tag" }],
      },
      { source_node_id: 44, destination_node_id: 45, condition: "on_failure" },
    ],
  }, {
    name: "Shell",
    nodes: [{ id: 1, kind: "task", template: "Gone" }],
    edges: [],
  }, {
    name: "Circle",
    nodes: [{ id: 1, template: "Build" }, { id: 2, template: "Deploy" }],
    edges: [
      { source_node_id: 1, destination_node_id: 2, condition: "always" },
      { source_node_id: 2, destination_node_id: 1, condition: "always" },
    ],
  }, {
    name: "Unknown question",
    nodes: [{ id: 1, template: "Build" }, { id: 2, template: "Deploy" }],
    edges: [{
      source_node_id: 1,
      destination_node_id: 2,
      condition: "on_success",
      input_mappings: [{ var: "color", key: "color" }],
    }],
  }, {
    name: "Later",
    nodes: [{ id: 1, kind: "quantum", template: "Build" }],
    edges: [],
  }],
};

Deno.test("workflows of Semaphore are restored, those that cannot be are named", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const { status, body } = await restored(world, SEMAPHORE_FILE);
  assert.equal(status, 200, JSON.stringify(body));
  const told = body.report.left_out.map((
    { kind, name, reason }: Record<string, string>,
  ) => [kind, name, reason]);
  assert.deepEqual(told.map(([, name]: string[]) => name).toSorted(), [
    ...["Circle", "Later", "Shell", "Unknown question"],
  ]);
  const reasons = Object.fromEntries(told.map(([, name, reason]: string[]) => [name, reason]));
  assert.match(reasons.Shell, /nodes\.0\.template: The backup has no entry "Gone" in templates/);
  assert.match(reasons.Circle, /after/);
  assert.match(reasons["Unknown question"], /values/);

  const [{ steps, nodes, ...workflow }] = await workflowsOf(world, body.id);
  assert.equal(workflow.name, "Release");
  const templates = (await world.api("erin", "GET", `/api/project/${body.id}/templates`)).body;
  const idOf = (name: string) =>
    templates.find((template: { name: string }) => template.name === name).id;
  const live = (await world.api("erin", "GET", `/api/project/${body.id}/inventory`)).body
    .find(({ name }: { name: string }) => name === "Live").id;
  assert.deepEqual(steps[0], {
    id: 41,
    name: "",
    after: [],
    join: "all",
    kind: "template",
    template_id: idOf("Build"),
    params: null,
    values: [],
  });
  assert.equal(steps[1].approval.timeout_minutes, 2);
  assert.equal(steps[1].approval.message, "Deploy?");
  assert.equal(steps[2].minutes, 10);
  assert.deepEqual(steps[3], {
    id: 44,
    name: "",
    after: [{ step: 43, when: "always" }, { step: 41, when: "failure" }],
    join: "any",
    kind: "template",
    template_id: idOf("Deploy"),
    params: { environment: '{"a": "b"}', message: "m", inventory_id: live },
    values: [{ var: "version", from: { step: 41, name: "tag" } }],
  });
  const { workflow_template_id: _, ...note } = nodes.find(({ kind }: { kind: string }) =>
    kind === "note"
  );
  assert.deepEqual(note, {
    id: 46,
    kind: "note",
    note: "Ask Bob first",
    position_x: 1,
    position_y: 2,
  });
  assert.equal((await restored(world, SEMAPHORE_FILE, "?strict=true")).status, 400);
});

Deno.test("nested workflows of a file are restored unless they contain themselves", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  const level = (n: number) => ({
    name: `Level ${n}`,
    steps: [
      n === 1 ? { kind: "wait", minutes: 1 } : { kind: "workflow", workflow: `Level ${n - 1}` },
    ],
  });
  const file = {
    meta: { name: "Nested" },
    workflows: [
      ...[6, 5, 4, 3, 2, 1].map(level),
      { name: "Self", steps: [{ kind: "workflow", workflow: "Self" }] },
      { name: "User", steps: [{ kind: "workflow", workflow: "Self" }] },
    ],
  };
  const { status, body } = await restored(world, file);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.report.creates.workflows.length, 5);
  const names = body.report.left_out.map(({ name }: { name: string }) => name);
  assert.deepEqual(names.toSorted(), ["Level 6", "Self", "User"]);
});

Deno.test("schedules and integrations of a restored project start its own workflows", async () => {
  await using stage = await newWorkflowStage();
  const { world } = stage;
  await stage.workflow([{ kind: "wait", minutes: 1 }], { name: "First" });
  const workflow_id = await stage.workflow([{ kind: "wait", minutes: 2 }]);
  await stage.call("POST", "/schedules", { workflow_id, name: "Nightly", cron_format: "@daily" });
  await stage.call("POST", "/integrations", { workflow_id, name: "Push" });
  const file = await backUp(world, world.web.id);
  assert.equal(file.schedules[0].workflow, "Release");
  const { body } = await restored(world, file);
  assert.deepEqual(body.report.left_out, []);
  const [, { id }] = await workflowsOf(world, body.id);
  assert.notEqual(id, workflow_id);
  for (const kind of ["schedules", "integrations"]) {
    const { body: [trigger] } = await world.api("erin", "GET", `/api/project/${body.id}/${kind}`);
    assert.deepEqual([trigger.template_id, trigger.workflow_id], [null, id], kind);
  }
});

Deno.test("a schedule of a file whose workflow is left out is named", async () => {
  await using world = await newWorld();
  const trigger = { name: "Nightly", cron_format: "@daily", workflow: "Self" };
  const { body } = await restored(world, {
    meta: { name: "Loose" },
    ...{ keys: [], environments: [], views: [], repositories: [], inventories: [], templates: [] },
    workflows: [{ name: "Self", steps: [{ kind: "workflow", workflow: "Self" }] }],
    schedules: [trigger],
    integrations: [{ name: "Push", workflow: "Self" }],
  });
  const named = body.report.left_out.map(({ kind, name }: Record<string, string>) =>
    `${kind} ${name}`
  );
  assert.deepEqual(named, ["workflows Self", "schedules Nightly", "integrations Push"]);
});
