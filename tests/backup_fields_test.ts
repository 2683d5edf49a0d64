import { openProject, requireCreator } from "@/lib/access/scope.ts";
import { FACTS } from "./support/runners.ts";
import assert from "node:assert/strict";
import { plantProject } from "@/lib/maintenance/backup/plant.ts";
import { type ProjectRows, readProjectRows } from "@/lib/maintenance/backup/rows.ts";
import { sentBackup } from "@/lib/maintenance/backup/schema.ts";
import { backUpProject, restoreProject } from "@/lib/maintenance/backup/service.ts";
import { rowKeys } from "@/lib/kv/keys.ts";
import type { ProjectRow } from "@/lib/access/rows.ts";
import { newWorld } from "./support/world.ts";

type Member<Kind extends keyof ProjectRows> = ProjectRows[Kind] extends (infer Row)[] ? keyof Row
  : keyof ProjectRows[Kind];

/**
 * How a backup treats a member: it keeps it, replaces an id by name and position, or leaves it out.
 */
type Fate = "kept" | "id" | "left out";

/** Each member of each row. A new one does not compile until someone has decided its fate. */
const FATES: { [Kind in keyof ProjectRows]: Record<Member<Kind>, Fate> } = {
  project: {
    id: "left out",
    created: "left out",
    deleting: "left out",
    name: "kept",
    alert: "kept",
    alert_chat: "kept",
    max_parallel_tasks: "kept",
    type: "kept",
    retention: "kept",
    only_runners: "kept",
  },
  keys: {
    id: "id",
    project_id: "left out",
    name: "kept",
    type: "kept",
    secret: "left out",
    public_key: "left out",
  },
  environments: {
    id: "id",
    project_id: "left out",
    name: "kept",
    password: "left out",
    json: "kept",
    env: "kept",
    secrets: "kept",
  },
  runners: {
    id: "id",
    project_id: "left out",
    name: "kept",
    description: "kept",
    project_ids: "left out",
    labels: "kept",
    max_parallel_tasks: "kept",
    state: "kept",
    is_default: "kept",
    // Tokens belong to one server, so that a runner is registered anew.
    wire: "left out",
    public_key: "left out",
    token_hash: "left out",
    next_token_hash: "left out",
    registration: "left out",
    facts: "left out",
    created: "left out",
    registered: "left out",
    one_off: "left out",
    outdated: "left out",
    lost: "left out",
  },
  views: { id: "id", project_id: "left out", title: "kept", position: "kept" },
  repositories: {
    id: "id",
    project_id: "left out",
    name: "kept",
    git_url: "kept",
    url_secret: "left out",
    git_branch: "kept",
    ssh_key_id: "id",
  },
  inventories: {
    id: "id",
    project_id: "left out",
    name: "kept",
    type: "kept",
    inventory: "kept",
    ssh_key_id: "id",
    become_key_id: "id",
    repository_id: "id",
    runner_labels: "kept",
  },
  templates: {
    id: "id",
    project_id: "left out",
    name: "kept",
    description: "kept",
    start_warning: "kept",
    playbook: "kept",
    type: "kept",
    app: "kept",
    inventory_id: "id",
    repository_id: "id",
    environment_id: "id",
    more_environment_ids: "id",
    view_id: "id",
    vaults: "kept",
    start_version: "kept",
    build_template_id: "id",
    autorun: "kept",
    survey_vars: "kept",
    arguments: "kept",
    allow_override_args_in_task: "kept",
    allow_override_branch_in_task: "kept",
    suppress_success_alerts: "kept",
    require_confirmation: "kept",
    suppress_full_results: "kept",
    preview_first: "kept",
    preview_end_unchanged: "kept",
    allow_parallel_tasks: "kept",
    git_branch: "kept",
    task_params: "kept",
    runner_labels: "kept",
    approval: "kept",
    changed_by: "left out",
  },
  workflows: {
    id: "id",
    project_id: "left out",
    name: "kept",
    description: "kept",
    start_warning: "kept",
    survey_vars: "kept",
    steps: "kept",
    notes: "kept",
    // Runs, which follow versions, belong to the history.
    version: "left out",
    changed_by: "left out",
    next_step_id: "left out",
  },
  schedules: {
    id: "id",
    project_id: "left out",
    template_id: "id",
    name: "kept",
    type: "kept",
    cron_format: "kept",
    timezone: "kept",
    run_at: "kept",
    delete_after_run: "kept",
    active: "kept",
    repository_id: "id",
    missed: "kept",
    if_waiting: "kept",
    task_params: "kept",
    commit: "left out",
    next_at: "kept",
    last_task_id: "left out",
    checking_until: "left out",
    last_error: "left out",
    last_skipped_at: "left out",
  },
  integrations: {
    id: "id",
    project_id: "left out",
    name: "kept",
    template_id: "id",
    auth_method: "kept",
    auth_secret_id: "id",
    auth_header: "kept",
    searchable: "kept",
    task_params: "kept",
    keep_bodies: "kept",
    if_waiting: "kept",
    matchers: "kept",
    values: "kept",
    aliases: "left out",
  },
  aliases: { id: "left out", text: "left out" },
};

const PROJECT = 900;
const at = { project_id: PROJECT };
const where = { body_data_type: "json", key: "a.b" } as const;

/** A project in which no member has the value that it has if no one sets it. */
const FULL: ProjectRows = {
  project: {
    id: PROJECT,
    created: "2020-01-01T00:00:00.000Z",
    name: "Full",
    alert: true,
    alert_chat: "-5",
    max_parallel_tasks: 3,
    type: "",
    retention: { max_tasks_per_template: 7, max_age_days: 8 },
    only_runners: true,
  },
  keys: [
    { ...at, id: 901, name: "Root", type: "login_password", secret: new Uint8Array([1]) },
    { ...at, id: 902, name: "Git", type: "ssh", secret: new Uint8Array([2]) },
  ],
  environments: [{
    ...at,
    id: 911,
    name: "Live",
    password: null,
    json: '{"a": 1}',
    env: '{"B":"2"}',
    secrets: [{ id: 1, type: "env", name: "TOKEN", sealed: new Uint8Array([3]) }],
  }, {
    ...at,
    id: 912,
    name: "More",
    password: null,
    json: "{}",
    env: null,
    secrets: [],
  }],
  views: [{ ...at, id: 921, title: "Nights", position: 4 }],
  repositories: [
    { ...at, id: 931, name: "A", git_url: "git@h:a.git", git_branch: "m", ssh_key_id: 902 },
    { ...at, id: 932, name: "B", git_url: "https://h/b.git", git_branch: "n", ssh_key_id: 901 },
  ],
  inventories: [
    {
      ...at,
      id: 941,
      name: "File",
      type: "file",
      inventory: "invs/live",
      ssh_key_id: 902,
      become_key_id: 901,
      repository_id: 932,
      runner_labels: ["dmz", "arm64"],
    },
    {
      ...at,
      id: 942,
      name: "Text",
      type: "static-yaml",
      inventory: "all: {}",
      ssh_key_id: null,
      become_key_id: null,
      repository_id: null,
      runner_labels: [],
    },
  ],
  templates: [
    {
      ...at,
      id: 951,
      name: "Build",
      description: "Makes it",
      start_warning: "Replaces the last build",
      playbook: "build.yml",
      type: "build",
      app: "ansible",
      inventory_id: 942,
      repository_id: 932,
      environment_id: 911,
      more_environment_ids: [912],
      view_id: 921,
      vaults: [{ vault_key_id: 901, name: "prod" }],
      start_version: "1.2",
      build_template_id: null,
      autorun: false,
      survey_vars: [{
        name: "size",
        title: "Size",
        description: "How large",
        type: "enum",
        required: true,
        values: [{ name: "Small", value: "s" }],
        target: "env",
        default_value: "s",
      }],
      arguments: '["-v"]',
      allow_override_args_in_task: true,
      allow_override_branch_in_task: true,
      suppress_success_alerts: true,
      require_confirmation: true,
      suppress_full_results: true,
      preview_first: true,
      preview_end_unchanged: true,
      allow_parallel_tasks: true,
      git_branch: "dev",
      task_params: { tags: ["t"], allow_debug: true, unknown: [1, null] },
      runner_labels: ["dmz"],
      approval: {
        roles: ["manager"],
        user_ids: [],
        needed: 2,
        not_starter: true,
        not_editor: false,
        timeout_minutes: null,
        on_timeout: "approved",
        message: "Look twice",
      },
      changed_by: 5,
    },
    {
      ...at,
      id: 952,
      name: "Deploy",
      description: null,
      start_warning: null,
      playbook: "deploy.yml",
      type: "deploy",
      app: "ansible",
      inventory_id: null,
      repository_id: 931,
      environment_id: null,
      more_environment_ids: [],
      view_id: null,
      vaults: [],
      start_version: null,
      build_template_id: 951,
      autorun: true,
      survey_vars: [],
      arguments: null,
      allow_override_args_in_task: false,
      allow_override_branch_in_task: false,
      suppress_success_alerts: false,
      require_confirmation: false,
      suppress_full_results: false,
      preview_first: false,
      preview_end_unchanged: false,
      allow_parallel_tasks: false,
      git_branch: null,
      task_params: null,
      runner_labels: [],
      approval: null,
      changed_by: null,
    },
  ],
  workflows: [
    {
      ...at,
      id: 991,
      name: "Release",
      description: "Builds and deploys",
      start_warning: "Deploys to production",
      survey_vars: [{
        name: "why",
        title: "Why",
        description: "",
        type: "",
        required: false,
        values: [],
        target: "",
        default_value: "",
      }],
      steps: [
        {
          id: 4,
          name: "Build",
          after: [],
          join: "all",
          kind: "template",
          template_id: 951,
          params: { message: "m", inventory_id: 942 },
          values: [{ var: "size", from: { answer: "why" } }],
        },
        { id: 2, name: "Cool down", after: null, join: "all", kind: "wait", minutes: 7 },
        {
          id: 9,
          name: "",
          after: [{ step: 2, when: "always" }, { step: 4, when: "changed" }],
          join: "any",
          kind: "approval",
          approval: {
            roles: ["manager"],
            user_ids: [],
            needed: 2,
            not_starter: true,
            not_editor: true,
            timeout_minutes: 30,
            on_timeout: "approved",
            message: "Deploy ${4.version}?",
          },
        },
        {
          id: 7,
          name: "Checks",
          after: null,
          join: "all",
          kind: "workflow",
          workflow_id: 992,
          values: [{ var: "url", from: { step: 4, name: "url" } }],
        },
      ],
      notes: [{ id: 12, kind: "note", note: "Ask Bob", position_x: 5 }],
      version: 3,
      changed_by: 77,
      next_step_id: 11,
    },
    {
      ...at,
      id: 992,
      name: "Checks",
      description: "",
      start_warning: null,
      survey_vars: [{
        name: "url",
        title: "URL",
        description: "",
        type: "",
        required: false,
        values: [],
        target: "",
        default_value: "",
      }],
      steps: [{
        id: 1,
        name: "Check",
        after: null,
        join: "all",
        kind: "template",
        template_id: 952,
        params: null,
        values: [],
      }],
      notes: [],
      version: 1,
      changed_by: null,
      next_step_id: 2,
    },
  ],
  schedules: [
    {
      ...at,
      id: 961,
      template_id: 951,
      name: "Once",
      type: "run_at",
      cron_format: "",
      timezone: null,
      run_at: "2030-01-01T00:00:00.000Z",
      delete_after_run: true,
      active: false,
      repository_id: null,
      missed: "skip",
      if_waiting: "one",
      task_params: null,
      commit: null,
      next_at: null,
      last_task_id: null,
      last_error: null,
    },
    {
      ...at,
      id: 962,
      template_id: 952,
      name: "Nightly",
      type: "",
      cron_format: "0 3 * * *",
      timezone: "Asia/Tokyo",
      run_at: null,
      delete_after_run: false,
      active: true,
      repository_id: 932,
      missed: "run_once",
      if_waiting: "latest",
      task_params: { message: "hi", inventory_id: 941, build_task_id: 77 },
      commit: "abc",
      next_at: "2024-05-02T18:00:00.000Z",
      last_task_id: 5,
      last_error: null,
    },
  ],
  integrations: [{
    ...at,
    id: 971,
    name: "Push",
    template_id: 951,
    auth_method: "hmac",
    auth_secret_id: 901,
    auth_header: "X-Sign",
    searchable: true,
    task_params: { message: "pushed" },
    keep_bodies: true,
    if_waiting: "one",
    matchers: [
      { id: 1, name: "m", match_type: "body", ...where, method: "contains", value: "x" },
    ],
    values: [{
      id: 1,
      name: "v",
      value_source: "body",
      ...where,
      variable: "sha",
      variable_type: "task",
    }],
    aliases: [{ id: 1, text: "k3v9a0q7m2c8x1zd" }],
  }],
  runners: [{
    ...at,
    id: 981,
    name: "dmz-1",
    description: "Rack 7",
    project_ids: [],
    labels: ["dmz"],
    max_parallel_tasks: 2,
    state: "paused",
    is_default: true,
    public_key: "A".repeat(43),
    token_hash: "1",
    next_token_hash: "2",
    registration: { hash: "3", until: "2024-01-01T00:00:00Z", used: true },
    facts: FACTS,
    created: "2024-01-01T00:00:00Z",
    registered: "2024-01-01T00:00:00Z",
    lost: true,
  }],
  aliases: [{ id: 2, text: "p0o9i8u7y6t5r4e3" }],
};

type AnyRow = Record<string, unknown> & { id: number };

const KINDS: Record<string, keyof ProjectRows> = {
  ssh_key_id: "keys",
  become_key_id: "keys",
  auth_secret_id: "keys",
  vault_key_id: "keys",
  repository_id: "repositories",
  inventory_id: "inventories",
  environment_id: "environments",
  more_environment_ids: "environments",
  view_id: "views",
  template_id: "templates",
  build_template_id: "templates",
  workflow_id: "workflows",
};

/**
 * Returns the rows with ids replaced by their position among their kind, and without members that a
 * backup leaves out.
 */
function comparable(rows: ProjectRows) {
  const place = (kind: keyof ProjectRows, id: unknown): unknown =>
    Array.isArray(id)
      ? id.map((one) => place(kind, one))
      : id === null
      ? null
      : (rows[kind] as AnyRow[]).findIndex((row) => row.id === id);
  const plain = (kind: keyof ProjectRows) => (row: AnyRow) => {
    const fates: Record<string, Fate> = FATES[kind];
    const kept = Object.entries(row).filter(([name]) => fates[name] !== "left out");
    return Object.fromEntries(kept.map(([name, member]) => [
      name,
      fates[name] === "id" ? place(KINDS[name] ?? kind, member) : inner(member, place),
    ]));
  };
  const kinds = Object.entries(rows) as [keyof ProjectRows, AnyRow | AnyRow[]][];
  return kinds.map(([kind, value]) => [kind, [value].flat().map(plain(kind))]);
}

/** Replaces ids inside lists: those of vault keys, and the new ids of the parts themselves. */
function inner(member: unknown, place: (kind: keyof ProjectRows, id: unknown) => unknown): unknown {
  if (Array.isArray(member)) return member.map((part) => inner(part, place));
  if (typeof member !== "object" || member === null) return member;
  const { id: _, sealed: __, build_task_id: ___, ...rest } = member as Record<string, unknown>;
  for (const name of ["vault_key_id", "inventory_id", "template_id", "workflow_id"]) {
    if (name in rest) rest[name] = place(KINDS[name], rest[name]);
  }
  for (const name of ["params", "approval"]) {
    if (name in rest) rest[name] = inner(rest[name], place);
  }
  return rest;
}

Deno.test("restore(backup(project)) is the project but for ids, secrets and history", async () => {
  await using world = await newWorld();
  const { deps, people: { erin } } = world;
  await plantProject(deps, erin.actor, FULL);
  const { file } = await backUpProject(
    await openProject({ deps, actor: erin.actor }, PROJECT, "update_project"),
  );
  const sent = sentBackup.parse(JSON.parse(JSON.stringify(file)));
  const { id } = await restoreProject(requireCreator({ deps, actor: erin.actor }), sent);
  const project = (await world.kv.get<ProjectRow>(rowKeys.project(id!))).value!;
  const copy = await readProjectRows(world.kv, project);
  const json = (value: unknown) => JSON.parse(JSON.stringify(value));
  assert.deepEqual(json(comparable(copy)), json(comparable(FULL)));
  assert.deepEqual(copy.keys.map(({ secret }) => secret), [null, null]);
  assert.equal(copy.environments[0].secrets[0].sealed.length, 0);
});
