import assert from "node:assert/strict";
import { allOperations } from "@/lib/web/api/operations.ts";
import { PASSWORD } from "./cast.ts";
import { addPasswordKey, addSshKey } from "./forms.ts";
import type { World } from "./world.ts";

export type Members = Record<string, unknown>;

/** An object that is created with optional members, and then replaced without them. */
interface ReplaceCase {
  /** The collection that it is created in, below the project if it begins with a name. */
  path: string | ((world: World) => Promise<string>);
  /** Members that are required. */
  needed: Members;
  /** Members that may be missing. Afterwards each is empty, except for those of `after`. */
  optional: Members;
  /** Members that are not empty afterwards, with the reason. */
  after?: Record<string, [value: unknown, reason: string]>;
  /** The path is that of the object, of which there is only one. */
  isOnly?: boolean;
}

const PART = "clients change a part of it alone, as Semaphore takes it";
const OWN = "a client that cannot know it does not mean to clear it";
const OLD = "clients of 2.9 know neither names nor switches";
const SECRET = "is never answered, so nobody can send it back";

const RULE = {
  visible_to: { roles: ["manager"], user_ids: [] },
  run_by: { roles: ["manager"], user_ids: [] },
  edit_by: { roles: ["manager"], user_ids: [] },
};
const KEPT_RULE = Object.fromEntries(
  Object.entries(RULE).map(([name, audience]) => [name, [audience, OWN] as [unknown, string]]),
);

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
    registration_policy: "standard",
    is_default: true,
  },
};

const targetCase: Omit<ReplaceCase, "path"> = {
  needed: { name: "Ops", kind: "email", settings: { roles: "owner" } },
  optional: { language: "de", active: false, allow_private: false },
  after: { language: ["de", OWN], active: [false, OWN], allow_private: [false, OWN] },
};

const ruleCase: Omit<ReplaceCase, "path"> = {
  // The mails of the environment.
  needed: { name: "Failures", target_id: -1, events: ["failed"] },
  optional: {
    template_ids: [],
    view_ids: [],
    workflow_ids: [],
    hosts: ["web*"],
    repeat: "each",
    digest: true,
    quiet: { from: "22:00", to: "06:00", timezone: "UTC" },
    active: false,
  },
  after: { repeat: ["each", OWN], digest: [true, OWN], active: [false, OWN] },
};

const toolchainCase: Omit<ReplaceCase, "path"> = {
  needed: { name: "Old", ansible_core: "2.16" },
  optional: {
    pip: "netaddr",
    collections: "community.general",
    python: "3.11",
    path: "",
    image: "",
    kind: "built",
    is_default: true,
  },
  after: { kind: ["built", "most toolchains are built"] },
};

const addToolchain = async (world: World): Promise<number> =>
  (await make(world, "toolchains", { name: "Old", ansible_core: "2.16" })).id as number;

/** The cases of each operation that replaces an object. */
export const REPLACE_CASES: Record<
  string,
  (world: World) => ReplaceCase[] | Promise<ReplaceCase[]>
> = {
  updateUser: () => [{
    path: "/api/users",
    needed: { name: "Nora", username: "nora", email: "nora@example.com" },
    optional: {
      ...{ password: PASSWORD, current_password: PASSWORD, revoke_tokens: true },
      ...{ admin: true, alert: true, notify_own: ["failed"] },
    },
    after: {
      notify_own: [["failed"], "older clients do not know it"],
      password: [undefined, SECRET],
      current_password: [undefined, SECRET],
      revoke_tokens: [undefined, "it says what to do, and is not stored"],
    },
  }],

  setMaintenance: () => [{
    path: "/api/maintenance",
    isOnly: true,
    needed: { begins: "2126-01-01T00:00:00Z" },
    optional: { message: "Backup restore", ends: "2126-01-01T02:00:00Z" },
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
      toolchain_id: null,
    },
    after: {
      retention: [{ max_tasks_per_template: 10, max_age_days: 30 }, OWN],
      only_runners: [true, OWN],
      toolchain_id: [null, OWN],
    },
  }],

  updateServerAlertTarget: () => [{ path: "/api/alert_targets", ...targetCase }],
  updateProjectAlertTarget: () => [{ path: "alert_targets", ...targetCase }],
  updateServerAlertRule: ({ web }) => [{
    path: "/api/alert_rules",
    ...ruleCase,
    optional: { ...ruleCase.optional, project_ids: [web.id] },
    after: { ...ruleCase.after, project_ids: [[web.id], OWN] },
  }],
  updateProjectAlertRule: ({ deploy }) => [{
    path: "alert_rules",
    ...ruleCase,
    optional: { ...ruleCase.optional, project_ids: [], template_ids: [deploy.id] },
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
      string: "",
      generate: true,
      certificate: "",
      certificate_source: null,
      ssh_options: null,
      source: null,
      source_storage_id: null,
      source_storage_key: null,
      source_storage_type: null,
    },
    after: {
      generate: [undefined, "it says what to do, and is not stored"],
      type: ["login_password", "it changes with the secret alone, by override_secret"],
      login_password: [{ login: "", password: "" }, SECRET],
      override_secret: [false, "it says what to do, and is not stored"],
      ssh: [{ login: "", passphrase: "", private_key: "" }, SECRET],
    },
  }],

  updateSecretStorage: () => [{
    path: "secret_storages",
    needed: {
      name: "Vault",
      type: "vault",
      params: { url: "https://vault.example.com", auth_method: "jwt", role: "deploy" },
    },
    optional: { secret: "", unavailable: "fail", wait_seconds: 5, allow_private: true },
    after: {
      unavailable: ["fail", "only Callboard has it"],
      wait_seconds: [5, "only Callboard has it"],
      allow_private: [true, "only Callboard has it"],
    },
  }],

  updateRepository: ({ web }) => [{
    path: "repositories",
    needed: { name: "Folder", git_url: "/srv/plays", ssh_key_id: web.keyId },
    optional: { git_branch: "main", git_depth: 0 },
    after: { git_depth: [1, "the latest commit alone, as before this member"] },
  }],

  updateGitCredential: ({ web }) => [{
    path: "host_configs",
    needed: { type: "host", host: "git.example.com", ssh_key_id: web.keyId },
    optional: {},
  }],

  updateOwnKey: () => [{
    path: "/api/user/keys",
    needed: { name: "Laptop" },
    optional: { ssh: { login: "erin", passphrase: "", private_key: "" }, generate: true },
    after: { ssh: [{ login: "", passphrase: "", private_key: "" }, SECRET] },
  }],

  updateInventory: async (world): Promise<ReplaceCase[]> => {
    const rule = await addSshKey(world);
    const toolchain_id = await addToolchain(world);
    return [{
      path: "inventory",
      needed: { name: "Hosts", type: "static" },
      optional: {
        inventory: "localhost",
        ssh_key_id: world.web.keyId,
        ssh_key_ids: [world.web.keyId],
        become_key_id: await addPasswordKey(world, "Root"),
        runner_tag: "dmz",
        own_key: true,
        toolchain_id,
        keep_paths: "credentials",
      },
      after: {
        own_key: [true, OWN],
        toolchain_id: [toolchain_id, OWN],
        keep_paths: ["credentials", OWN],
      },
    }, {
      path: "inventory",
      needed: { name: "File", type: "file", inventory: "hosts" },
      optional: { repository_id: world.web.repositoryId },
    }, {
      path: "inventory",
      needed: { name: "Rules", type: "static", ssh_key_id: rule },
      optional: { ssh_key_ids: [rule], ssh_key_hosts: { [rule]: ["web*"] } },
      after: {
        ssh_key_ids: [[rule], OWN],
        ssh_key_hosts: [{ [rule]: ["web*"] }, OWN],
      },
    }];
  },
  updateServerToolchain: () => [{ path: "/api/toolchains", ...toolchainCase }],
  updateToolchain: async (world) => [{ path: "toolchains", ...toolchainCase }, {
    path: "toolchains",
    needed: { name: "Old", pip: "ansible==8.7.0" },
    optional: { ansible_core: "2.15" },
  }, {
    path: "toolchains",
    needed: { name: "Old", ansible_core: "2.16" },
    optional: { galaxy_url: "https://galaxy.example.com/api/" },
  }, {
    path: "toolchains",
    needed: {
      name: "Old",
      ansible_core: "2.16",
      galaxy_url: "https://galaxy.example.com/api/",
    },
    optional: { galaxy_key_id: await addPasswordKey(world) },
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

  updateView: () => [{
    path: "views",
    needed: { title: "Nightly" },
    optional: {
      position: 7,
      hidden: true,
      type: "all",
      sort_column: "name",
      sort_reverse: true,
      ...RULE,
    },
    after: KEPT_RULE,
  }],

  updateSchedule: async (world) => [{
    path: "schedules",
    needed: { template_id: world.web.templateId, cron_format: "@hourly" },
    optional: {
      name: "Nightly",
      active: false,
      timezone: "Europe/Berlin",
      offset_days: -2,
      missed: "run_once",
      if_waiting: "one",
      check: true,
      repository_id: world.web.repositoryId,
      task_params: { message: "by night" },
    },
    after: {
      name: ["Nightly", OLD],
      active: [false, OLD],
      task_params: [{ message: "by night" }, OLD],
      timezone: ["Europe/Berlin", OWN],
      offset_days: [-2, OWN],
      missed: ["run_once", OWN],
      if_waiting: ["one", OWN],
      check: [true, OWN],
    },
  }, {
    path: "schedules",
    needed: { template_id: world.web.templateId, cron_format: "@hourly", name: "Nightly" },
    optional: { active: true },
  }, {
    path: "schedules",
    needed: { workflow_id: await makeWorkflow(world), cron_format: "@hourly" },
    optional: { template_id: null },
  }, {
    path: "schedules",
    needed: { template_id: world.web.templateId, cron_format: "@hourly", offset_days: 0 },
    optional: { type: "run_at", run_at: "2030-01-01T00:00:00.000Z", delete_after_run: true },
  }],

  setTemplateDescription: ({ web }) => [{
    path: "templates",
    needed: {
      name: "Nightly",
      playbook: "night.yml",
      inventory_id: web.inventoryId,
      repository_id: web.repositoryId,
    },
    optional: { description: "Restarts the shop" },
  }],

  setScheduleActive: ({ web }) => [{
    path: "schedules",
    needed: { template_id: web.templateId, cron_format: "@hourly" },
    optional: { active: true },
  }],

  updateWorkflow: async (world) => {
    const { web } = world;
    const build_template_id = await makeBuild(world);
    return [{
      path: "workflows",
      needed: { name: "Release", steps: [{ kind: "wait", minutes: 1 }] },
      optional: {
        description: "Build, ask, deploy",
        start_warning: "Deploys to production",
        survey_vars: [{ name: "release", title: "Release" }],
        build_template_id,
        ...RULE,
      },
      after: { build_template_id: [build_template_id, OWN], ...KEPT_RULE },
    }, {
      path: "workflows",
      needed: {
        name: "Release",
        nodes: [{ id: -1, template_id: web.templateId }, { id: -2, template_id: web.templateId }],
      },
      optional: { edges: [{ source_node_id: -1, destination_node_id: -2 }] },
    }];
  },

  updateTemplate: async (world): Promise<ReplaceCase[]> => {
    const { inventoryId: inventory_id, repositoryId: repository_id, environmentId } = world.web;
    const targets = { inventory_id, repository_id };
    const needed = { name: "Second", app: "ansible", playbook: "site.yml", ...targets };
    const vault_key_id = await addPasswordKey(world);
    const ssh_key_id = await addSshKey(world);
    const toolchain_id = await addToolchain(world);
    const view = await make(world, "views", { title: "Nightly" });
    const build = await make(world, "templates", { ...needed, type: "build", start_version: "1" });
    return [{
      path: "templates",
      needed,
      optional: {
        description: "By night",
        start_warning: "Restarts everything in production",
        working_directory: "ansible",
        keep_paths: "credentials",
        environment_id: environmentId,
        environment_ids: [environmentId],
        vaults: [{ vault_key_id, name: "prod" }],
        ssh_key_ids: [ssh_key_id],
        ssh_key_hosts: { [ssh_key_id]: ["web*"] },
        view_id: view.id,
        survey_vars: [{ name: "release", title: "Release" }],
        arguments: '["-v"]',
        allow_override_args_in_task: true,
        allow_override_branch_in_task: true,
        suppress_success_alerts: true,
        suppress_error_alerts: true,
        runner_tags: [],
        runner_tag_match_mode: "all",
        executor_image: "",
        limit: "",
        muted: true,
        require_confirmation: true,
        suppress_full_results: true,
        preview_first: true,
        preview_end_unchanged: true,
        approval: { needed: 2 },
        allow_parallel_tasks: true,
        git_branch: "next",
        task_params: { allow_debug: true },
        runner_tag: "dmz,arm64",
        retry_attempts: 3,
        retry_minutes: 15,
        check_cron: "@daily",
        check_after_commit: true,
        task_identity: true,
        task_identity_audience: "vault",
        toolchain_id,
        ...RULE,
      },
      after: {
        ...KEPT_RULE,
        retry_attempts: [3, OWN],
        retry_minutes: [15, OWN],
        check_cron: ["@daily", OWN],
        check_after_commit: [true, OWN],
        task_identity: [true, OWN],
        task_identity_audience: ["vault", OWN],
        ssh_key_ids: [[ssh_key_id], OWN],
        ssh_key_hosts: [{ [ssh_key_id]: ["web*"] }, OWN],
        toolchain_id: [toolchain_id, OWN],
        keep_paths: ["credentials", OWN],
      },
    }, {
      path: "templates",
      needed,
      optional: { own_key: true, ask_become_password: true, ask_vault_password: true },
      after: {
        own_key: [true, OWN],
        ask_become_password: [true, OWN],
        ask_vault_password: [true, OWN],
      },
    }, {
      path: "templates",
      needed,
      optional: { ask_ssh_password: true },
      after: { ask_ssh_password: [true, OWN] },
    }, {
      path: "templates",
      needed,
      optional: { vault_key_id, type: "build", start_version: "1.0" },
    }, {
      path: "templates",
      needed,
      optional: { auto_fix: { hosts: ["web1"] } },
      after: { auto_fix: [{ hosts: ["web1"], tags: [] }, OWN] } as ReplaceCase["after"],
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
  }, {
    path: "integrations",
    needed: { name: "Git push", workflow_id: await makeWorkflow(world) },
    optional: { template_id: null },
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
    optional: { key: "ref", variable_type: "task", default_value: "none" },
    after: {
      key: ["ref", PART],
      variable_type: ["task", PART],
      default_value: ["none", PART],
    },
  }],
};

const ofIntegration = (parts: string) => async (world: World) => {
  const form = { name: "Git push", template_id: world.web.templateId };
  return `integrations/${(await make(world, "integrations", form)).id}/${parts}`;
};

const makeBuild = async (world: World) => {
  const { inventoryId: inventory_id, repositoryId: repository_id } = world.web;
  const targets = { inventory_id, repository_id };
  const build = { name: "Build", playbook: "site.yml", type: "build", start_version: "1" };
  return (await make(world, "templates", { ...build, ...targets })).id as number;
};

const makeWorkflow = async (world: World) =>
  (await make(world, "workflows", { name: "Release", steps: [] })).id;

const urlOf = ({ web }: World, path: string) =>
  path.startsWith("/") ? path : `/api/project/${web.id}/${path}`;

/** Creates an object as Erin, who may do everything. Returns the answer's body. */
async function make(world: World, path: string, body: Members): Promise<Members> {
  const answer = await world.api("erin", "POST", urlOf(world, path), body);
  assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Creates an object of a case. Returns its address. */
export async function makeCase(
  world: World,
  id: string,
  { path, isOnly }: Pick<ReplaceCase, "path" | "isOnly">,
  body: Members,
) {
  const collection = typeof path === "string" ? path : await path(world);
  if (isOnly) {
    const answer = await world.api("erin", "PUT", collection, body);
    assert.equal(answer.status, 204, JSON.stringify(answer.body));
    return collection;
  }
  const made = await make(world, collection, body);
  return id === "updateProject"
    ? `/api/project/${made.id}`
    : `${urlOf(world, collection)}/${made.id}`;
}

/** The operations that replace an object. */
export const replacing = allOperations.filter(({ method, body }) => method === "PUT" && body);
