import assert from "node:assert/strict";
import * as z from "zod";
import { allOperations } from "@/lib/web/api/operations.ts";
import { goodCall } from "@/tests/support/world/api_calls.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

type Body = Record<string, unknown>;

/** Creates one object of each kind in Dave's project. Returns their ids. */
async function seedLab({ api, lab, people }: World) {
  const make = async (path: string, body: Body, place = `/api/project/${lab.id}`) => {
    const made = await api("dave", "POST", `${place}/${path}`, body);
    assert.ok(made.status < 300, JSON.stringify(made.body));
    return made.body.id as number;
  };
  const keys = await make("keys", { name: "Root", type: "ssh", generate: true });
  const environment = lab.environmentId;
  const repositories = await make("repositories", {
    name: "Books",
    git_url: "https://git.example.com/lab.git",
    git_branch: "main",
    ssh_key_id: keys,
  });
  const inventory = await make("inventory", { name: "Lab", type: "static", inventory: "lab1" });
  const templates = await make("templates", {
    name: "Build",
    type: "build",
    start_version: "1",
    playbook: "site.yml",
    inventory_id: inventory,
    repository_id: repositories,
    environment_id: environment,
  });
  return {
    people: people.dave.id,
    keys,
    environment,
    repositories,
    inventory,
    templates,
    tasks: await make("tasks", { template_id: templates }),
    views: await make("views", { title: "Lab" }),
    toolchains: await make("toolchains", { name: "Old", ansible_core: "2.16" }),
    workflows: await make("workflows", {
      name: "Lab",
      steps: [{ kind: "template", template_id: templates }],
    }),
    secret_storages: await make("secret_storages", {
      name: "Vault",
      type: "vault",
      params: { url: "https://vault.example.com" },
      secret: "hush",
    }),
    runners: await make("runners", { name: "Lab" }),
    targets: await make("alert_targets", {
      name: "Chat",
      kind: "http",
      settings: { url: "https://chat.example.com" },
    }),
  };
}
type Kind = keyof Awaited<ReturnType<typeof seedLab>>;

const source = (storage_id: number) => ({ storage_id, path: "a", field: "" });
/** A key whose secret is replaced. */
const KEY = { type: "ssh", override_secret: true };

/** Members that refer to objects of a project, by their places in bodies, with the kind. */
const FIELDS: Record<string, [kind: Kind, body: (id: number) => Body]> = {
  toolchain_id: ["toolchains", (id) => ({ toolchain_id: id })],
  inventory_id: ["inventory", (id) => ({ inventory_id: id })],
  repository_id: ["repositories", (id) => ({ repository_id: id })],
  environment_id: ["environment", (id) => ({ environment_id: id })],
  environment_ids: ["environment", (id) => ({ environment_ids: [id] })],
  vault_key_id: ["keys", (id) => ({ vault_key_id: id })],
  "vaults[].vault_key_id": ["keys", (id) => ({ vaults: [{ vault_key_id: id, name: "" }] })],
  ssh_key_ids: ["keys", (id) => ({ ssh_key_ids: [id] })],
  ssh_key_id: ["keys", (id) => ({ ssh_key_id: id })],
  become_key_id: ["keys", (id) => ({ become_key_id: id })],
  galaxy_key_id: [
    "keys",
    (id) => ({ galaxy_url: "https://galaxy.example.com/api/", galaxy_key_id: id }),
  ],
  auth_secret_id: ["keys", (id) => ({ auth_method: "github", auth_secret_id: id })],
  "ssh_options.jump.key_id": [
    "keys",
    (id) => ({
      type: "ssh",
      generate: true,
      override_secret: true,
      ssh_options: { jump: { host: "jump", key_id: id } },
    }),
  ],
  "visible_to.user_ids": ["people", (id) => ({ visible_to: { user_ids: [id] } })],
  "run_by.user_ids": ["people", (id) => ({ run_by: { user_ids: [id] } })],
  "edit_by.user_ids": ["people", (id) => ({ edit_by: { user_ids: [id] } })],
  view_id: ["views", (id) => ({ view_id: id })],
  build_template_id: ["templates", (id) => ({ type: "deploy", build_template_id: id })],
  template_id: ["templates", (id) => ({ template_id: id, workflow_id: null })],
  workflow_id: ["workflows", (id) => ({ workflow_id: id, template_id: null })],
  "steps[].template_id": [
    "templates",
    (id) => ({ steps: [{ id: -1, kind: "template", template_id: id }] }),
  ],
  "steps[].workflow_id": [
    "workflows",
    (id) => ({ steps: [{ id: -1, kind: "workflow", workflow_id: id }] }),
  ],
  "nodes[].template_id": [
    "templates",
    (id) => ({ steps: undefined, nodes: [{ id: -1, kind: "task", template_id: id }], edges: [] }),
  ],
  "nodes[].workflow_id": [
    "workflows",
    (id) => ({
      steps: undefined,
      nodes: [{ id: -1, kind: "workflow", workflow_id: id }],
      edges: [],
    }),
  ],
  "nodes[].inventory_id": [
    "inventory",
    (id) => ({
      steps: undefined,
      nodes: [{ id: -1, kind: "task", template_id: 1, inventory_id: id }],
      edges: [],
    }),
  ],
  build_task_id: ["tasks", (id) => ({ build_task_id: id })],
  "secrets[].source.storage_id": [
    "secret_storages",
    (id) => ({
      secrets: [{ name: "A", type: "var", operation: "create", source: source(id) }],
    }),
  ],
  "source.storage_id": ["secret_storages", (id) => ({ ...KEY, source: source(id) })],
  "certificate_source.storage_id": [
    "secret_storages",
    (id) => ({ ...KEY, generate: true, certificate_source: source(id) }),
  ],
  source_storage_id: [
    "secret_storages",
    (id) => ({ ...KEY, source_storage_id: id, source_storage_key: "a" }),
  ],
  target_id: ["targets", (id) => ({ target_id: id })],
  template_ids: ["templates", (id) => ({ template_ids: [id] })],
  view_ids: ["views", (id) => ({ view_ids: [id] })],
  workflow_ids: ["workflows", (id) => ({ workflow_ids: [id] })],
};

const IN_REPOSITORY: Body = { type: "file", inventory: "hosts" };

/** Members without which an operation would ignore the reference. */
const MORE: Record<string, (world: World) => Body | Promise<Body>> = {
  createInventory: () => IN_REPOSITORY,
  updateInventory: () => IN_REPOSITORY,
  startTask: deployOf,
};

/** Creates a template whose tasks roll out a build. */
async function deployOf({ api, web }: World): Promise<Body> {
  const place = `/api/project/${web.id}/templates`;
  const { body: template } = await api("alice", "GET", `${place}/${web.templateId}`);
  const make = async (body: Body) =>
    (await api("alice", "POST", place, { ...template, ...body })).body.id as number;
  const build_template_id = await make({ name: "Build", type: "build", start_version: "1" });
  return { template_id: await make({ name: "Roll out", type: "deploy", build_template_id }) };
}

/** Members of bodies that are no references, or not of a project. */
const OTHERS = new Set([
  ...["id", "steps[].id", "nodes[].id", "secrets[].id"],
  ...["nodes[].input_mappings[].source_node_id", "edges[].source_node_id"],
  ...["edges[].destination_node_id"],
  // Accounts. Only members can vote.
  ...["user_id", "own_key_id", "approval.user_ids", "steps[].approval.user_ids"],
  // Only admins can choose projects. For others it has no effect.
  "project_ids",
  // Refused in the body of a token.
  "project_id",
]);

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  oneOf?: JsonSchema[];
}

/** Returns the places of members whose names are those of ids. */
function idsIn(schema: JsonSchema, place = ""): string[] {
  const { properties = {}, items, anyOf = [], allOf = [], oneOf = [] } = schema;
  return [
    ...[...anyOf, ...allOf, ...oneOf].flatMap((one) => idsIn(one, place)),
    ...items ? idsIn(items, `${place}[]`) : [],
    ...Object.entries(properties).flatMap(([name, member]) => {
      const its = place === "" ? name : `${place}.${name}`;
      return [...(/(^|_)ids?$/.test(name) ? [its] : []), ...idsIn(member, its)];
    }),
  ];
}

const schemaOf = (body: z.ZodType): JsonSchema =>
  z.toJSONSchema(body, { io: "input", unrepresentable: "any" }) as JsonSchema;

Deno.test("no body can refer to an object of another project", async () => {
  const tried = new Set<string>();
  for (const operation of allOperations) {
    const { id, body, path, method, access } = operation;
    if (!body || !path.includes("{projectId}") || access === "admin") continue;
    const places = [...new Set(idsIn(schemaOf(body)))].filter((place) => !OTHERS.has(place));
    if (places.length === 0) continue;
    await using world = await newWorld();
    const foreign = await seedLab(world);
    const good = await goodCall(operation, world, "alice");
    const more = await MORE[id]?.(world);
    for (const place of places) {
      assert.ok(FIELDS[place], `${id}: ${place}`);
      const [kind, bodyOf] = FIELDS[place];
      const sent = { ...good.body as Body, ...more, ...bodyOf(foreign[kind]) };
      const answer = await world.api("alice", method, good.path, sent);
      const what = `${id} ${place}: ${answer.status} ${JSON.stringify(answer.body)}`;
      assert.ok([400, 404].includes(answer.status), what);
      tried.add(place);
    }
  }
  assert.deepEqual([...tried].toSorted(), Object.keys(FIELDS).toSorted());
});

/** Parameters that name objects of a project, with the kind. */
const PARAMETERS: Record<string, Kind | "people" | "objects"> = {
  template_id: "templates",
  workflow_id: "workflows",
  runner_id: "runners",
  user_id: "people",
  object_id: "objects",
};
/** An id that nothing has. */
const NOTHING = 987_654;

Deno.test("queries answer the same for an object of another project as for one that does not exist", async () => {
  await using world = await newWorld();
  const foreign = await seedLab(world);
  const tried = new Set<string>();
  for (const operation of allOperations) {
    const { id, query, method, access } = operation;
    if (!query || method !== "GET" || access === "admin") continue;
    const { path } = await goodCall(operation, world, "alice");
    for (const name of idsIn(schemaOf(query))) {
      const kind = PARAMETERS[name];
      assert.ok(kind, `${id}: ${name}`);
      const of = { ...foreign, people: world.people.dave.id, objects: foreign.tasks };
      const ask = async (value: number) => {
        const type = kind === "objects" ? "&object_type=task" : "";
        const { status, body } = await world.api("alice", "GET", `${path}?${name}=${value}${type}`);
        // Each answer to a failure names its own request.
        return [status, status < 400 ? body : { ...body, request_id: "" }];
      };
      assert.deepEqual(await ask(of[kind]), await ask(NOTHING), `${id}: ${name}`);
      tried.add(name);
    }
  }
  assert.deepEqual([...tried].toSorted(), Object.keys(PARAMETERS).toSorted());
});

/** Objects whose numbers begin anew in each one that has them. */
const NUMBERED = ["resultId", "stepId", "deliveryId"];

Deno.test("objects of one parent are not found through another one of the project", async () => {
  const numbered = new Set<string>();
  for (const operation of allOperations) {
    if (!/\{projectId\}.*\{\w+Id\}.*\{\w+Id\}/.test(operation.path)) continue;
    await using world = await newWorld();
    const first = await goodCall(operation, world, "alice");
    const second = await goodCall(operation, world, "alice");
    const names = operation.path.split("/").slice(1);
    const [one, other] = [first, second].map(({ path }) => path.split("/").slice(2));
    const at = names.findIndex((name, n) => /^\{(?!projectId)\w+Id\}$/.test(name) && one[n]);
    const child = names.findLastIndex((name) => name.endsWith("Id}"));
    if (one[child] === other[child]) {
      numbered.add(names[child].slice(1, -1));
      continue;
    }
    const mixed = one.map((part, n) => n === at ? other[n] : part);
    const { status } = await world.api(
      "alice",
      operation.method,
      `/api/${mixed.join("/")}`,
      first.body,
    );
    assert.equal(status, 404, `${operation.id}: ${mixed.join("/")}`);
  }
  assert.deepEqual([...numbered].toSorted(), NUMBERED.toSorted());
});
