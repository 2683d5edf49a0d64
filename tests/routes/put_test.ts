import assert from "node:assert/strict";
import * as z from "zod";
import { allOperations } from "@/routes/api/(_tables)/all.ts";
import { PASSWORD } from "../support/cast.ts";
import { addPasswordKey } from "../support/forms.ts";
import { newWorld, type World } from "../support/world.ts";

type Members = Record<string, unknown>;

/** An object that is created with optional members, and then replaced without them. */
interface Case {
  /** The collection that it is created in, below the project if it begins with a name. */
  path: string | ((world: World) => Promise<string>);
  /** Members that are required. */
  needed: Members;
  /** Members that may be missing. Afterwards each is empty, except for those of `after`. */
  optional: Members;
  /** Members that are not empty afterwards, with the reason. */
  after?: Record<string, [value: unknown, reason: string]>;
}

const PART = "clients change a part of it alone, as Semaphore takes it";
const OWN = "a client that cannot know it does not mean to clear it";
const OLD = "clients of 2.9 know neither names nor switches";
const SECRET = "is never answered, so nobody can send it back";

const runnerCase = {
  needed: { name: "dmz-1" },
  optional: {
    description: "In the DMZ",
    project_ids: [],
    tags: ["dmz"],
    tag: "dmz",
    max_parallel_tasks: 2,
    active: true,
    webhook: "",
    is_default: true,
  },
};

/** The cases of each operation that replaces an object. */
const CASES: Record<string, (world: World) => Case[] | Promise<Case[]>> = {
  updateUser: () => [{
    path: "/api/users",
    needed: { name: "Nora", username: "nora", email: "nora@example.com" },
    optional: {
      ...{ password: PASSWORD, current_password: PASSWORD, revoke_tokens: true },
      ...{ admin: true, alert: true },
    },
    after: {
      password: [undefined, SECRET],
      current_password: [undefined, SECRET],
      revoke_tokens: [undefined, "it says what to do, and is not stored"],
    },
  }],

  updateProject: () => [{
    path: "/api/projects",
    needed: { name: "Second shop" },
    optional: {
      alert: true,
      alert_chat: "-100",
      max_parallel_tasks: 3,
      type: "",
      retention: { max_tasks_per_template: 10, max_age_days: 30 },
      only_runners: true,
    },
    after: {
      retention: [{ max_tasks_per_template: 10, max_age_days: 30 }, OWN],
      only_runners: [true, OWN],
    },
  }],

  updateRunner: () => [{ path: "/api/runners", ...runnerCase }],
  updateProjectRunner: () => [{ path: "runners", ...runnerCase }],

  updateKey: () => [{
    path: "keys",
    needed: { name: "Vault" },
    optional: {
      type: "login_password",
      login_password: { login: "deploy", password: "hush" },
      override_secret: true,
      ssh: { login: "", passphrase: "", private_key: "" },
      generate: true,
    },
    after: {
      generate: [undefined, "it says what to do, and is not stored"],
      type: ["login_password", "it changes with the secret alone, by override_secret"],
      login_password: [{ login: "", password: "" }, SECRET],
      override_secret: [false, "it says what to do, and is not stored"],
      ssh: [{ login: "", passphrase: "", private_key: "" }, SECRET],
    },
  }],

  updateRepository: ({ web }) => [{
    path: "repositories",
    needed: { name: "Folder", git_url: "/srv/plays", ssh_key_id: web.keyId },
    optional: { git_branch: "main" },
  }],

  updateInventory: async (world) => [{
    path: "inventory",
    needed: { name: "Hosts", type: "static" },
    optional: {
      inventory: "localhost",
      ssh_key_id: world.web.keyId,
      become_key_id: await addPasswordKey(world, "Root"),
      runner_tag: "dmz",
    },
  }, {
    path: "inventory",
    needed: { name: "File", type: "file", inventory: "hosts" },
    optional: { repository_id: world.web.repositoryId },
  }],

  updateEnvironment: () => [{
    path: "environment",
    needed: { name: "Staging" },
    optional: {
      json: '{"region":"eu"}',
      env: '{"LANG":"C"}',
      secrets: [{ type: "var", name: "token", secret: "hush", operation: "create" }],
    },
    after: {
      json: ["{}", "that is no variable at all"],
      secrets: [[{ type: "var", name: "token" }], SECRET],
    },
  }],

  updateView: () => [{ path: "views", needed: { title: "Nightly" }, optional: { position: 7 } }],

  updateSchedule: ({ web }) => [{
    path: "schedules",
    needed: { template_id: web.templateId, cron_format: "@hourly" },
    optional: {
      name: "Nightly",
      active: false,
      timezone: "Europe/Berlin",
      missed: "run_once",
      if_waiting: "one",
      repository_id: web.repositoryId,
      task_params: { message: "by night" },
    },
    after: {
      name: ["Nightly", OLD],
      active: [false, OLD],
      task_params: [{ message: "by night" }, OLD],
      timezone: ["Europe/Berlin", OWN],
      missed: ["run_once", OWN],
      if_waiting: ["one", OWN],
    },
  }, {
    path: "schedules",
    needed: { template_id: web.templateId, cron_format: "@hourly", name: "Nightly" },
    optional: { active: true },
  }, {
    path: "schedules",
    needed: { template_id: web.templateId, cron_format: "@hourly" },
    optional: { type: "run_at", run_at: "2030-01-01T00:00:00.000Z", delete_after_run: true },
  }],

  setScheduleActive: ({ web }) => [{
    path: "schedules",
    needed: { template_id: web.templateId, cron_format: "@hourly" },
    optional: { active: true },
  }],

  updateWorkflow: ({ web }) => [{
    path: "workflows",
    needed: { name: "Release", steps: [{ kind: "wait", minutes: 1 }] },
    optional: {
      description: "Build, ask, deploy",
      start_warning: "Deploys to production",
      survey_vars: [{ name: "release", title: "Release" }],
    },
  }, {
    path: "workflows",
    needed: {
      name: "Release",
      nodes: [{ id: -1, template_id: web.templateId }, { id: -2, template_id: web.templateId }],
    },
    optional: { edges: [{ source_node_id: -1, destination_node_id: -2 }] },
  }],

  updateTemplate: async (world) => {
    const { inventoryId: inventory_id, repositoryId: repository_id, environmentId } = world.web;
    const targets = { inventory_id, repository_id };
    const needed = { name: "Second", app: "ansible", playbook: "site.yml", ...targets };
    const vault_key_id = await addPasswordKey(world);
    const view = await make(world, "views", { title: "Nightly" });
    const build = await make(world, "templates", { ...needed, type: "build", start_version: "1" });
    return [{
      path: "templates",
      needed,
      optional: {
        description: "By night",
        start_warning: "Restarts everything in production",
        environment_id: environmentId,
        environment_ids: [environmentId],
        vaults: [{ vault_key_id, name: "prod" }],
        view_id: view.id,
        survey_vars: [{ name: "release", title: "Release" }],
        arguments: '["-v"]',
        allow_override_args_in_task: true,
        allow_override_branch_in_task: true,
        suppress_success_alerts: true,
        require_confirmation: true,
        suppress_full_results: true,
        preview_first: true,
        preview_end_unchanged: true,
        approval: { needed: 2 },
        allow_parallel_tasks: true,
        git_branch: "next",
        task_params: { allow_debug: true },
        runner_tag: "dmz,arm64",
      },
    }, {
      path: "templates",
      needed,
      optional: { vault_key_id, type: "build", start_version: "1.0" },
    }, {
      path: "templates",
      needed,
      optional: { type: "deploy", build_template_id: build.id, autorun: true },
    }];
  },

  updateIntegration: async (world) => [{
    path: "integrations",
    needed: { name: "Git push", template_id: world.web.templateId },
    optional: {
      auth_method: "hmac",
      auth_secret_id: await addPasswordKey(world),
      auth_header: "X-Sign",
      searchable: true,
      task_params: { message: "pushed" },
      keep_bodies: true,
      if_waiting: "one",
    },
    after: { if_waiting: ["one", OWN] },
  }],

  updateMatcher: () => [{
    path: ofIntegration("matchers"),
    needed: {
      name: "All",
      match_type: "body",
      body_data_type: "string",
      method: "contains",
      value: "x",
    },
    optional: { key: "ref" },
    after: { key: ["ref", PART] },
  }],

  updateExtractValue: () => [{
    path: ofIntegration("values"),
    needed: { name: "All", value_source: "body", body_data_type: "string", variable: "all" },
    optional: { key: "ref", variable_type: "task" },
    after: { key: ["ref", PART], variable_type: ["task", PART] },
  }],
};

const ofIntegration = (parts: string) => async (world: World) => {
  const form = { name: "Git push", template_id: world.web.templateId };
  return `integrations/${(await make(world, "integrations", form)).id}/${parts}`;
};

const urlOf = ({ web }: World, path: string) =>
  path.startsWith("/") ? path : `/api/project/${web.id}/${path}`;

/** Creates an object as Erin, who may do everything. Returns the answer's body. */
async function make(world: World, path: string, body: Members): Promise<Members> {
  const answer = await world.api("erin", "POST", urlOf(world, path), body);
  assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Creates the object of a case with all its optional members. Returns its address. */
async function makeWhole(world: World, id: string, { path, needed, optional }: Case) {
  const collection = typeof path === "string" ? path : await path(world);
  const made = await make(world, collection, { ...needed, ...optional });
  return id === "updateProject"
    ? `/api/project/${made.id}`
    : `${urlOf(world, collection)}/${made.id}`;
}

const isEmpty = (value: unknown) =>
  [false, null, "", 0].includes(value as never) || Array.isArray(value) && value.length === 0;

/** Removes the ids that only the server knows. */
const known = (value: unknown) =>
  Array.isArray(value) ? value.map(({ id: _, ...rest }) => rest) : value;

const replacing = allOperations.filter(({ method, body }) => method === "PUT" && body);

for (const operation of replacing) {
  const { id } = operation;
  Deno.test(`${id}: what is not sent is empty afterwards`, async () => {
    await using world = await newWorld();
    const schema = z.toJSONSchema(operation.body!, { io: "input", unrepresentable: "any" });
    const mayMiss = Object.keys(schema.properties ?? {})
      .filter((name) => !schema.required?.includes(name));
    if (mayMiss.length === 0) return;
    const cases = await CASES[id]?.(world) ?? [];
    const told = new Set(
      cases.flatMap(({ needed, optional }) => Object.keys({ ...needed, ...optional })),
    );
    assert.deepEqual(mayMiss.filter((name) => !told.has(name)), [], `${id} has no case for these`);
    for (const { after: kept = {}, ...one } of cases) {
      const item = await makeWhole(world, id, one);
      const get = async () => (await world.api("erin", "GET", item)).body as Members;
      const stored = await get();
      const isSwitch = id === "setScheduleActive";
      const [path, body] = isSwitch ? [`${item}/active`, {}] : [item, one.needed];
      const put = await world.api("erin", "PUT", path, body);
      assert.equal(put.status, 204, JSON.stringify(put.body));
      const left = await get();
      for (const [name, sent] of Object.entries(one.optional)) {
        if (name in kept) {
          assert.deepEqual(known(left[name]), kept[name][0], `${id}: ${name}`);
        } else if (name in left) {
          assert.equal(isEmpty(stored[name]), isEmpty(sent), `${id}: ${name} was not stored`);
          assert.ok(isEmpty(left[name]), `${id}: ${name} is ${JSON.stringify(left[name])}`);
        }
      }
    }
  });
}

Deno.test("one's own admin switch stays when it is not sent", async () => {
  await using world = await newWorld();
  const path = `/api/users/${world.people.erin.id}`;
  const sent = { name: "Erin", username: "erin", email: "erin@example.com" };
  assert.equal((await world.api("erin", "PUT", path, sent)).status, 204);
  assert.equal((await world.api("erin", "GET", "/api/user")).body.admin, true);
  assert.equal((await world.api("erin", "PUT", path, { ...sent, admin: false })).status, 403);
});
