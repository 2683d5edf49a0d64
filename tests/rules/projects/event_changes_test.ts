import assert from "node:assert/strict";
import * as z from "zod";
import type { Changes } from "@/lib/events/differences.ts";
import type { EventRow } from "@/lib/events/schema.ts";
import { PASSWORD } from "@/tests/support/world/cast.ts";
import {
  makeCase,
  type Members,
  REPLACE_CASES,
  replacing,
} from "@/tests/support/world/replacements.ts";
import { CERTIFICATE } from "@/tests/support/services/ssh_authority.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** A private key without a known public half, which any certificate may belong to. */
const UNREADABLE = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----";

/** Secrets that the cases send. */
const SECRETS = ["hush", PASSWORD];

const SAYS_WHAT_TO_DO = null;
/** Only an empty value is accepted. */
const NOT_SUPPORTED = null;
/** Fields that events name otherwise, or not at all because they are not stored. */
const RECORDED_AS: Record<string, Record<string, string | null>> = {
  // A project has one type.
  updateProject: { type: SAYS_WHAT_TO_DO },
  updateUser: { current_password: SAYS_WHAT_TO_DO, revoke_tokens: SAYS_WHAT_TO_DO },
  updateKey: {
    // Other clients send these in place of `source`.
    source_storage_id: null,
    source_storage_key: null,
    source_storage_type: null,
    login_password: "secret",
    string: "secret",
    ssh: "secret",
    generate: "public_key",
    override_secret: SAYS_WHAT_TO_DO,
  },
  updateRunner: {
    tag: "tags",
    active: "state",
    webhook: SAYS_WHAT_TO_DO,
    registration_policy: NOT_SUPPORTED,
  },
  updateProjectRunner: {
    tag: "tags",
    active: "state",
    webhook: SAYS_WHAT_TO_DO,
    project_ids: SAYS_WHAT_TO_DO,
    registration_policy: NOT_SUPPORTED,
  },
  // Nothing of a project belongs to the server, and no other project to one.
  updateProjectAlertRule: { project_ids: SAYS_WHAT_TO_DO },
  updateServerAlertRule: {
    template_ids: SAYS_WHAT_TO_DO,
    view_ids: SAYS_WHAT_TO_DO,
    workflow_ids: SAYS_WHAT_TO_DO,
  },
  // Both are shapes of other clients for the steps.
  updateWorkflow: { nodes: "steps", edges: "steps" },
  updateTemplate: {
    environment_id: "environment_ids",
    vault_key_id: "vaults",
    runner_tags: NOT_SUPPORTED,
    runner_tag_match_mode: NOT_SUPPORTED,
    executor_image: NOT_SUPPORTED,
    limit: NOT_SUPPORTED,
  },
};

/** Members that only a new object needs. */
const CREATED: Record<string, Members> = { updateKey: { type: "none" } };

/** Replacements with tests of their own, because nothing in them may be missing. */
const TESTED_BELOW = [
  ...["changeMemberRole", "updateInvite", "updateToken"],
  ...["updateRole", "updateServerRole"], // in roles_test
];
/** Replacements of what is no object that people change, or that only its owner may know. */
const NOT_RECORDED = ["updateOwnKey"];

const otherToolchain = [
  { name: "Other", ansible_core: "2.18" },
  { name: "Other", kind: "path", path: "/opt/other" },
  { name: "Other", kind: "image", image: "example.com/ansible:2.19" },
];

const otherTarget = [{
  name: "Other",
  kind: "gotify",
  settings: { server: "https://push.example.com", token: "hush" },
}, { allow_private: true }];

const RULED = {
  visible_to: { roles: ["guest"], user_ids: [] },
  run_by: { roles: [], user_ids: [1] },
  edit_by: { roles: ["manager"], user_ids: [] },
};

/** Another value for each required field, and for the optional ones that the cases leave out. */
const OTHERS: Record<string, (world: World) => Members[] | Promise<Members[]>> = {
  updateUser: () => [{ name: "Nora B.", username: "norab", email: "norab@example.com" }],
  setMaintenance: () => [{ begins: "2126-01-01T01:00:00Z" }],
  updateProject: async (world) => [{
    name: "Third shop",
    toolchain_id: (await world.api("erin", "POST", "/api/toolchains", {
      name: "Old",
      kind: "path",
      path: "/opt/ansible",
    })).body.id,
  }],
  updateRunner: ({ web }) => [{ name: "dmz-2", project_ids: [web.id] }],
  updateProjectRunner: () => [{ name: "dmz-2" }],
  updateKey: () => [{ name: "Other" }, {
    type: "login_password",
    override_secret: true,
    source: { type: "env", path: "CALLBOARD_VALUE_DEPLOY" },
  }, {
    type: "ssh",
    override_secret: true,
    ssh: { login: "", passphrase: "", private_key: UNREADABLE },
    certificate: CERTIFICATE,
    ssh_options: { port: 2200, jump: { host: "gate" } },
  }, {
    type: "ssh",
    override_secret: true,
    generate: true,
    certificate_source: { type: "command", path: "deploy" },
  }],
  updateRepository: async (world) => [{
    name: "Other",
    git_url: "https://me:hush@example.com/x.git",
    git_branch: "main",
    ssh_key_id: await keyId(world),
  }],
  updateGitCredential: async (world) => [{
    type: "url",
    host: "https://git.example.com/other",
    ssh_key_id: await idOf(world, "keys", {
      name: "Other",
      type: "string",
      string: "hush",
    }),
  }],
  updateInventory: ({ web }) => [{
    name: "Other",
    type: "file",
    inventory: "hosts/all",
    repository_id: web.repositoryId,
  }],
  updateSecretStorage: () => [{
    name: "Other",
    type: "onepassword",
    params: { url: "https://connect.example.com" },
    secret: "hush",
  }],
  updateToolchain: () => otherToolchain,
  updateServerToolchain: () => otherToolchain,
  updateEnvironment: () => [{ name: "Other" }],
  updateView: () => [{ title: "Other", ...RULED }],
  updateSchedule: async (world) => [{
    template_id: await templateId(world),
    workflow_id: null,
    cron_format: "@daily",
  }],
  updateWorkflow: ({ web }) => [{
    name: "Other",
    notes: [{ content: "Ask Ops first" }],
    steps: [{ kind: "template", template_id: web.templateId }],
    ...RULED,
  }],
  updateTemplate: async (world) => [{
    name: "Other",
    app: "",
    playbook: "other.yml",
    inventory_id: await idOf(world, "inventory", { name: "Other", type: "static" }),
    repository_id: await idOf(world, "repositories", {
      name: "Other",
      git_url: "/srv/other",
      ssh_key_id: world.web.keyId,
    }),
    ...RULED,
  }],
  updateServerAlertTarget: () => otherTarget,
  updateProjectAlertTarget: () => otherTarget,
  updateServerAlertRule: ({ web }) => [{
    name: "Other",
    target_id: -2,
    events: ["succeeded"],
    project_ids: [web.id],
  }],
  updateProjectAlertRule: async (world) => [{
    name: "Other",
    target_id: -2,
    events: ["succeeded"],
    view_ids: [await idOf(world, "views", { title: "Other" })],
    workflow_ids: [
      await idOf(world, "workflows", {
        name: "Other",
        steps: [{ kind: "template", template_id: world.web.templateId }],
      }),
    ],
  }],
  updateIntegration: async (world) => [{
    name: "Other",
    template_id: await templateId(world),
    workflow_id: null,
  }],
  updateMatcher: () => [{
    name: "Other",
    match_type: "header",
    body_data_type: "json",
    key: "ref",
    method: "equals",
    value: "y",
  }],
  updateExtractValue: () => [{
    name: "Other",
    value_source: "header",
    body_data_type: "json",
    key: "ref",
    variable: "other",
  }],
};

async function idOf(world: World, path: string, body: Members): Promise<number> {
  const { status, body: made } = await world.api(
    "alice",
    "POST",
    `/api/project/${world.web.id}/${path}`,
    body,
  );
  assert.ok(status < 300, JSON.stringify(made));
  return made.id;
}
const keyId = (world: World) => idOf(world, "keys", { name: "Other", type: "none" });
const templateId = (world: World) =>
  idOf(world, "templates", {
    name: "Other",
    app: "ansible",
    playbook: "site.yml",
    inventory_id: world.web.inventoryId,
    repository_id: world.web.repositoryId,
  });

/** Returns the latest event of the store. */
async function latest({ kv }: World): Promise<EventRow> {
  const rows = await Array.fromAsync(kv.list<EventRow>({ prefix: ["events"] }));
  return rows.map(({ value, key }) => ({ value, at: `${String(key[2])} ${String(key[3])}` }))
    .toSorted((a, b) => a.at < b.at ? 1 : -1)[0].value;
}

const has = (changes: Changes, field: string) =>
  Object.keys(changes).some((name) => name === field || name.startsWith(`${field}.`));

const recordable = replacing.filter(({ id }) => id in REPLACE_CASES && !NOT_RECORDED.includes(id));

for (const { id, body } of recordable) {
  Deno.test(`${id}: an event has the old and new value of each field of the schema`, async () => {
    await using world = await newWorld();
    const recorded = new Set<string>();
    const send = async (item: string, sent: Members) => {
      world.clock.advance(1000);
      const [address, whole] = id === "setScheduleActive" ? [`${item}/active`, sent] : [item, sent];
      const { status, body } = await world.api("erin", "PUT", address, whole);
      assert.equal(status, 204, JSON.stringify(body));
      return await latest(world);
    };
    for (const one of await REPLACE_CASES[id](world)) {
      const item = await makeCase(world, id, one, { ...CREATED[id], ...one.needed });
      const others = await OTHERS[id]?.(world) ?? [];
      const all = id === "setScheduleActive" ? [{ active: false }] : [
        ...others.map((members) => ({ ...one.needed, ...members })),
        { ...one.needed, ...one.optional },
      ];
      for (const sent of all) {
        const before = (await world.api("erin", "GET", item)).body;
        const { changes, user_id } = await send(item, sent);
        assert.equal(user_id, world.people.erin.id);
        const after = (await world.api("erin", "GET", item)).body;
        for (const field of Object.keys(sent)) {
          const name = RECORDED_AS[id]?.[field] === undefined ? field : RECORDED_AS[id][field];
          if (name === null || has(changes!, name)) recorded.add(field);
          const change = changes![field];
          if (!change || change === "changed") continue;
          assertValue(change[0], before[field], `${id}: old ${field}`);
          assertValue(change[1], after[field], `${id}: new ${field}`);
        }
      }
    }
    const schema = z.toJSONSchema(body!, { io: "input", unrepresentable: "any" });
    const missing = Object.keys(schema.properties ?? {}).filter((name) =>
      !recorded.has(name) && RECORDED_AS[id]?.[name] !== null
    );
    assert.deepEqual(missing, [], `${id}: no event has these`);
    await assertNoSecrets(world);
  });
}

/** Compares what an event keeps of a field with what the API answers for it. */
function assertValue(kept: unknown, shown: unknown, what: string) {
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain);
    return typeof value === "object" && value !== null && "id" in value ? value.id : value;
  };
  // A rule is kept as one list.
  if (typeof shown === "object" && shown && "user_ids" in shown && "roles" in shown) {
    shown = [shown.roles, shown.user_ids].flat();
  }
  const empty = (value: unknown) =>
    value === "" || value === undefined || value === false ||
      Array.isArray(value) && value.length === 0
      ? null
      : value;
  if (typeof shown === "string" && Array.isArray(kept)) return; // labels joined by commas
  if (Array.isArray(shown) && typeof shown[0] === "object") return; // its members are listed
  assert.deepEqual(empty(plain(kept)), empty(shown), what);
}

async function assertNoSecrets(world: World) {
  const rows = await Array.fromAsync(world.kv.list({ prefix: ["events"] }));
  const project = await world.api("alice", "GET", `/api/project/${world.web.id}/events`);
  const own = await world.api("erin", "GET", "/api/events");
  const seen = JSON.stringify([rows.map(({ value }) => value), project.body, own.body]);
  for (const secret of SECRETS) assert.ok(!seen.includes(secret), `an event shows ${secret}`);
}

const inEvents = async (world: World, person: "alice" | "bob" | "erin" | "mike") =>
  (await world.api(person, "GET", `/api/project/${world.web.id}/events?limit=1`)).body[0];

Deno.test("references have the names that their objects had", async () => {
  await using world = await newWorld();
  const { web } = world;
  const path = `/api/project/${web.id}/templates/${web.templateId}`;
  const { body } = await world.api("alice", "GET", path);
  const inventory_id = await idOf(world, "inventory", { name: "Stage", type: "static" });
  world.clock.advance(1000);
  const { status } = await world.api("alice", "PUT", path, { ...body, inventory_id });
  assert.equal(status, 204);
  const { changes } = await inEvents(world, "alice");
  const { body: old } = await world.api(
    "alice",
    "GET",
    `/api/project/${web.id}/inventory/${web.inventoryId}`,
  );
  assert.deepEqual(changes, {
    inventory_id: [{ id: web.inventoryId, name: old.name }, { id: inventory_id, name: "Stage" }],
  });
});

Deno.test("ids of others do not reveal their names", async () => {
  await using world = await newWorld();
  const { web, lab, people: { bob, dave } } = world;
  await idOf(world, "integrations", {
    name: "Push",
    template_id: web.templateId,
    task_params: { project_ids: [web.id, lab.id], user_ids: [bob.id, dave.id] },
  });
  const { changes } = await inEvents(world, "alice");
  const named = (id: number, name = "") => ({ id, name });
  const users = [named(bob.id, "Bob"), named(dave.id)];
  assert.deepEqual(changes["task_params.user_ids"], [null, users]);
  assert.deepEqual(changes["task_params.project_ids"], [null, [web.id, lab.id]]);
});

Deno.test("a field with the name of a member of all objects refers to nothing", async () => {
  await using world = await newWorld();
  const names = ["toString", "constructor", "hasOwnProperty"];
  const task_params = Object.fromEntries(names.map((name) => [name, 5]));
  const made = await idOf(world, "integrations", {
    name: "Push",
    template_id: world.web.templateId,
    task_params,
  });
  assert.ok(made > 0);
});

Deno.test("changes are for people who manage resources, addresses for those who manage people", async () => {
  await using world = await newWorld({
    config: { trustProxy: true },
  });
  const path = `/api/project/${world.web.id}/keys`;
  const answer = await world.request(path, {
    method: "POST",
    headers: {
      Cookie: `callboard=${world.people.alice.token}`,
      "Content-Type": "application/json",
      "User-Agent": "audit/1.0",
      "X-Forwarded-For": "203.0.113.9, 192.0.2.7",
    },
    body: JSON.stringify({ name: "Git", type: "none" }),
  });
  assert.equal(answer.status, 201, await answer.text());
  const sees = async (person: "alice" | "bob" | "erin" | "mike") => {
    const { changes, address, user_agent } = await inEvents(world, person);
    return { changes, address, user_agent };
  };
  const changes = { name: [null, "Git"], type: [null, "none"] };
  const client = { address: "192.0.2.7", user_agent: "audit/1.0" };
  const none = { address: null, user_agent: null };
  assert.deepEqual(await sees("alice"), { changes, ...client });
  assert.deepEqual(await sees("erin"), { changes, ...client });
  assert.deepEqual(await sees("mike"), { changes, ...none });
  assert.deepEqual(await sees("bob"), { changes: null, ...none });
});

Deno.test("the change of a token has its old and new name and limits", async () => {
  await using world = await newWorld();
  const made = await world.api("alice", "POST", "/api/user/tokens", { name: "CI" });
  const path = `/api/user/tokens/${made.body.id.slice(0, 8)}`;
  const sent = { name: "Builds", scopes: ["read"] };
  assert.equal((await world.api("alice", "PUT", path, sent)).status, 204);
  const { action, changes } = await latest(world);
  assert.equal(action, "token_changed");
  assert.deepEqual(changes!.name, ["CI", "Builds"]);
  assert.match(JSON.stringify(changes), /read/);
});

Deno.test("each replacement has a case, or a test of its own", () => {
  const known = [...Object.keys(REPLACE_CASES), ...TESTED_BELOW, ...NOT_RECORDED];
  assert.deepEqual(replacing.map(({ id }) => id).filter((id) => !known.includes(id)), []);
});

Deno.test("forms of pages record what was changed", async () => {
  await using world = await newWorld();
  const project = `/project/${world.web.id}`;
  const sends = async (path: string, form: Record<string, string>) => {
    world.clock.advance(1000);
    const answer = await world.post("alice", path, form);
    assert.equal(answer.status, 303, await answer.text());
    const { changes, action, address } = await latest(world);
    assert.ok(address);
    return { [action]: changes };
  };
  const id = await idOf(world, "views", { title: "Nightly", position: 3 });
  assert.deepEqual(await sends(`${project}/views`, { [`title.${id}`]: "Weekly" }), {
    updated: { title: ["Nightly", "Weekly"] },
  });
  const before = (await world.api("alice", "GET", `/api${project}`)).body;
  const settings = { name: "Shop", max_parallel_tasks: "3" };
  assert.deepEqual(await sends(`${project}/settings`, settings), {
    updated: {
      name: [before.name, "Shop"],
      max_parallel_tasks: [before.max_parallel_tasks, 3],
    },
  });
});

Deno.test("a member's role is recorded from the first to the last one", async () => {
  await using world = await newWorld();
  const { dave } = world.people;
  const path = `/api/project/${world.web.id}/users`;
  const calls: [string, string, unknown, unknown][] = [
    ["POST", path, { user_id: dave.id, role: "guest" }, [null, "guest"]],
    ["PUT", `${path}/${dave.id}`, { role: "manager" }, ["guest", "manager"]],
    ["DELETE", `${path}/${dave.id}`, undefined, ["manager", null]],
  ];
  for (const [method, address, body, role] of calls) {
    world.clock.advance(1000);
    const { status } = await world.api("alice", method, address, body);
    assert.ok(status < 300, `${method} ${status}`);
    assert.deepEqual((await latest(world)).changes, { role });
  }
});

Deno.test("deleted objects leave their last values", async () => {
  await using world = await newWorld();
  const id = await idOf(world, "environment", {
    name: "Staging",
    json: '{"region":"eu"}',
    secrets: [{ type: "var", name: "token", secret: "hush", operation: "create" }],
  });
  world.clock.advance(1000);
  const path = `/api/project/${world.web.id}/environment/${id}`;
  assert.equal((await world.api("alice", "DELETE", path)).status, 204);
  const { changes, action } = await latest(world);
  assert.equal(action, "deleted");
  assert.deepEqual(changes, {
    name: ["Staging", null],
    json: ['{"region":"eu"}', null],
    secrets: [["token"], null],
    "secrets.token.type": ["var", null],
    "secrets.token.secret": "changed",
  });
  await assertNoSecrets(world);
});

Deno.test("a sign-in has the address and the user agent of its client", async () => {
  await using world = await newWorld();
  const headers = { "Content-Type": "application/json", "User-Agent": "w3m/0.5" };
  const body = JSON.stringify({ auth: "bob", password: PASSWORD });
  await world.request("/api/auth/login", { method: "POST", headers, body, address: "192.0.2.8" });
  const { action, address, user_agent } = await latest(world);
  assert.deepEqual([action, address, user_agent], ["signed_in_password", "192.0.2.8", "w3m/0.5"]);
});
