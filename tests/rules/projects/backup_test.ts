import { openProject, requireCreator } from "@/lib/access/scope.ts";
import * as fc from "@/tests/packages/fast_check.ts";
import assert from "node:assert/strict";
import { exportProject } from "@/lib/maintenance/backup/export.ts";
import { readProjectRows } from "@/lib/maintenance/backup/rows.ts";
import { sentBackup } from "@/lib/maintenance/backup/schema.ts";
import { restoreProject } from "@/lib/maintenance/backup/service.ts";
import type { AppError } from "@/lib/base/errors.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import type { Store } from "@/lib/store/store.ts";
import type { ProjectRow } from "@/lib/model/project_row.ts";
import { doDue } from "@/lib/jobs/engine.ts";
import { deletionWorker } from "@/lib/maintenance/projects/deletion.ts";
import { makePlan } from "@/lib/queue/plan/make_plan.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { startTask } from "@/lib/queue/start/start.ts";
import { parseStart } from "@/lib/tasks/start_form.ts";
import { backupFile } from "@/tests/support/world/backups.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** A file as Semaphore 2.10 writes it. */
const HEAD_FILE = {
  meta: { name: "Web shop", alert: true, alert_chat: "-100200", max_parallel_tasks: 2, type: "" },
  keys: [
    { name: "None", type: "none" },
    { name: "Deploy key", type: "ssh" },
    { name: "Vault pass", type: "login_password" },
  ],
  environments: [{ name: "Staging", json: '{"region":"eu"}', env: '{"LANG":"C"}' }],
  views: [{ title: "Releases", position: 0 }],
  repositories: [{
    name: "Playbooks",
    git_url: "git@git.example.org:ops/shop.git",
    git_branch: "main",
    ssh_key: "Deploy key",
  }],
  inventories: [{
    name: "Staging hosts",
    type: "static",
    inventory: "[web]\n10.0.0.5",
    ssh_key: "Deploy key",
    become_key: "Vault pass",
  }],
  templates: [
    {
      name: "Deploy shop",
      playbook: "deploy.yml",
      type: "deploy",
      build_template: "Build shop",
      app: "ansible",
      inventory: "Staging hosts",
      repository: "Playbooks",
      environment: "Staging",
      autorun: true,
      allow_override_args_in_task: false,
      suppress_success_alerts: true,
      survey_vars: [],
      vaults: [{ name: "prod", vault_key: "Vault pass" }],
    },
    {
      name: "Build shop",
      playbook: "build.yml",
      type: "build",
      start_version: "0.1.0",
      app: "ansible",
      inventory: "Staging hosts",
      repository: "Playbooks",
      environment: "Staging",
      view: "Releases",
      arguments: '["--forks","20"]',
      description: "Makes the artefact",
      survey_vars: [
        { name: "branch", title: "Branch", required: true, type: "", description: "", values: [] },
      ],
      vaults: [],
      cron: "0 3 * * *",
    },
  ],
  integrations: [{
    name: "Git push",
    template: "Build shop",
    auth_method: "hmac",
    auth_header: "X-Sign",
    auth_secret: "Vault pass",
    searchable: true,
    task_params: {},
    aliases: ["k3v9a0q7m2c8x1zd"],
    matchers: [{
      name: "main only",
      match_type: "body",
      body_data_type: "json",
      method: "equals",
      key: "ref",
      value: "refs/heads/main",
    }],
    extract_values: [{
      name: "sha",
      value_source: "body",
      body_data_type: "json",
      key: "after",
      variable: "commit",
    }],
  }, {}],
  integration_aliases: ["p0o9i8u7y6t5r4e3"],
};

/** A file as Semaphore 2.9 writes it: nulls, views with `name`, surveys as text. */
const OLD_FILE = {
  meta: { name: "Old shop", alert: false, alert_chat: null, max_parallel_tasks: 0 },
  keys: [{ name: "None", type: "none" }, { name: "Vault pass", type: "login_password" }],
  environments: [{ name: "Staging", password: null, json: "{}", env: null }],
  views: [{ name: "Nights", position: 3 }],
  repositories: [{
    name: "Playbooks",
    git_url: "https://git.example.org/a.git",
    git_branch: "main",
    ssh_key: "None",
  }],
  inventories: [{
    name: "Staging hosts",
    inventory: "localhost",
    ssh_key: "None",
    become_key: null,
    type: "static",
  }],
  templates: [{
    name: "Nightly",
    playbook: "night.yml",
    inventory: "Staging hosts",
    repository: "Playbooks",
    environment: "Staging",
    type: "",
    view: "Nights",
    vault_key: "Vault pass",
    arguments: null,
    description: null,
    start_version: null,
    build_template: null,
    autorun: false,
    allow_override_args_in_task: false,
    suppress_success_alerts: false,
    survey_vars: '[{"name":"host","title":"Host","required":false,"type":"","description":""}]',
    cron: "30 2 * * *",
  }],
};

const restored = async (world: World, file: unknown, query = "") =>
  await world.api("erin", "POST", `/api/projects/restore${query}`, file);

const backUp = async (world: World, projectId: number, query = "") =>
  (await world.api("erin", "GET", `/api/project/${projectId}/backup${query}`)).body;

async function rowsOf(world: World, projectId: number) {
  const { value } = await world.kv.get<ProjectRow>(rowKeys.project(projectId));
  return await readProjectRows(world.kv, value!);
}

/** Returns all keys except counters of ids, to check that nothing was left behind. */
async function allKeys(kv: Store): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of kv.list({ prefix: [] })) {
    if (key[0] !== "ids" && key[0] !== "jobs_wake") found.push(JSON.stringify(key));
  }
  return found;
}

Deno.test("a file of Semaphore 2.10 is restored with all that it holds", async () => {
  await using world = await newWorld();
  const { status, body } = await restored(world, HEAD_FILE);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.name, "Web shop");
  assert.equal(body.alert_chat, "-100200");
  assert.deepEqual(body.report.secrets.map(({ name }: { name: string }) => name), [
    "Deploy key",
    "Vault pass",
  ]);

  const rows = await rowsOf(world, body.id);
  const [deploy, build] = rows.templates;
  assert.equal(deploy.build_template_id, build.id);
  assert.equal(deploy.autorun, true);
  assert.deepEqual(deploy.vaults, [{ vault_key_id: rows.keys[2].id, name: "prod" }]);
  assert.equal(build.survey_vars[0].title, "Branch");
  assert.equal(build.view_id, rows.views[0].id);
  const [schedule] = rows.schedules;
  assert.deepEqual(
    [schedule.template_id, schedule.cron_format, schedule.repository_id, schedule.active],
    // The file does not say whether it runs at these times or only looks for commits.
    [build.id, "0 3 * * *", null, false],
  );
  assert.deepEqual(body.report.inactive_schedules, [
    { template: "Build shop", cron_format: "0 3 * * *" },
  ]);
  assert.deepEqual(body.report.left_out, []);
  const [integration] = rows.integrations;
  assert.equal(rows.integrations.length, 1);
  assert.equal(integration.auth_secret_id, rows.keys[2].id);
  assert.deepEqual(integration.aliases.map(({ text }) => text), ["k3v9a0q7m2c8x1zd"]);
  assert.deepEqual(rows.aliases.map(({ text }) => text), ["p0o9i8u7y6t5r4e3"]);
  assert.equal(schedule.next_at, null);
});

Deno.test("a file of Semaphore 2.9 is restored, its survey and vault password too", async () => {
  await using world = await newWorld();
  const { status, body } = await restored(world, OLD_FILE);
  assert.equal(status, 200, JSON.stringify(body));
  const rows = await rowsOf(world, body.id);
  const [nightly] = rows.templates;
  assert.equal(rows.views[0].title, "Nights");
  assert.equal(nightly.survey_vars[0].name, "host");
  assert.deepEqual(nightly.vaults, [{ vault_key_id: rows.keys[1].id, name: null }]);
  assert.equal(rows.schedules[0].cron_format, "30 2 * * *");
});

Deno.test("restore and backup give the file again, whatever the project holds", async () => {
  await using world = await newWorld();
  const asJson = backupFile.map((file) => JSON.parse(JSON.stringify(file)));
  const generated = fc.asyncProperty(asJson, async (file) => {
    const { status, body } = await restored(world, file);
    assert.equal(status, 200, JSON.stringify(body));
    const { templates, ...others } = await backUp(world, body.id);
    // A second copy for servers with only one schedule per template, so it is not compared.
    const same = templates.map(({ cron: _, ...template }: { cron?: string }) => template);
    assert.deepEqual({ ...others, templates: same }, file);
  });
  await fc.assert(generated, { numRuns: 40 });
});

Deno.test("backup and restore keep names that are there twice", async () => {
  await using world = await newWorld();
  const { body: project } = await restored(world, HEAD_FILE);
  const path = `/api/project/${project.id}/keys`;
  for (const name of ["None", "None (2)"]) {
    const made = await world.api("erin", "POST", path, { name, type: "none" });
    assert.equal(made.status, 201);
  }
  const file = await backUp(world, project.id);
  assert.deepEqual(file.keys.map(({ name }: { name: string }) => name), [
    "None",
    "Deploy key",
    "Vault pass",
    "None (3)",
    "None (2)",
  ]);
  const { body: copy } = await restored(world, file);
  const names = (await rowsOf(world, copy.id)).keys.map(({ name }) => name);
  assert.deepEqual(names, ["None", "Deploy key", "Vault pass", "None", "None (2)"]);
});

Deno.test("?format=2.9 writes surveys as that version reads them", async () => {
  await using world = await newWorld();
  const { body: project } = await restored(world, HEAD_FILE);
  const [{ id }] = (await rowsOf(world, project.id)).schedules;
  const switched = `/api/project/${project.id}/schedules/${id}/active`;
  assert.equal((await world.api("erin", "PUT", switched, { active: true })).status, 204);
  const old = await backUp(world, project.id, "?format=2.9");
  const build = old.templates.find(({ name }: { name: string }) => name === "Build shop");
  assert.equal(JSON.parse(build.survey_vars)[0].name, "branch");
  assert.deepEqual(old.views, [{ name: "Releases", title: "Releases", position: 0 }]);
  const deploy = old.templates.find(({ name }: { name: string }) => name === "Deploy shop");
  assert.equal(deploy.vault_key, "Vault pass");
  assert.equal(build.cron, "0 3 * * *");
  assert.ok(old.templates.indexOf(build) < old.templates.indexOf(deploy), "the build comes first");
  assert.equal(
    (await world.api("erin", "GET", `/api/project/${project.id}/backup?format=3`)).status,
    400,
  );
});

Deno.test("a backup is a download, and holds no secret, member or task", async () => {
  await using world = await newWorld();
  const { web } = world;
  const secret = "very-secret-value";
  await world.api("alice", "POST", `/api/project/${web.id}/keys`, {
    name: "Sudo",
    type: "login_password",
    login_password: { login: "root", password: secret },
  });
  const made = await world.api("alice", "POST", `/api/project/${web.id}/environment`, {
    name: "Live",
    json: "{}",
    secrets: [{ type: "var", name: "token", secret, operation: "create" }],
  });
  assert.equal(made.status, 201);
  const { status, headers, body } = await world.api(
    "alice",
    "GET",
    `/api/project/${web.id}/backup`,
  );
  assert.equal(status, 200);
  assert.match(
    headers.get("content-disposition")!,
    new RegExp(`^attachment; filename="backup_${web.id}_\\d+\\.json"$`),
  );
  const text = JSON.stringify(body);
  for (const hidden of [secret, "root", "alice", "bob"]) assert.ok(!text.includes(hidden), hidden);
  const { body: report } = await world.api(
    "erin",
    "POST",
    "/api/projects/restore?dry_run=true",
    body,
  );
  assert.deepEqual(report.report.secrets, [
    { kind: "key", name: "Sudo", type: "login_password", variable: null },
    { kind: "environment", name: "Live", type: "var", variable: "token" },
  ]);
});

Deno.test("a file with an error is restored except for one part, which is reported", async (t) => {
  await using world = await newWorld();
  for (
    const [what, mistake] of MISTAKES.filter(([, , sentence]) =>
      !/meta|backup file/.test(`${sentence}`)
    )
  ) {
    await t.step(what, async () => {
      const file = structuredClone(HEAD_FILE);
      mistake(file);
      const dry = await restored(world, file, "?dry_run=true");
      const { status, body } = await restored(world, file);
      assert.equal(status, 200, JSON.stringify(body));
      assert.ok(body.report.left_out.length > 0);
      assert.deepEqual(dry.body.report.left_out, body.report.left_out);
      for (const { name, reason } of body.report.left_out) {
        assert.ok(name && reason, JSON.stringify(body));
      }
      // Nothing that was restored refers to an object that was not.
      const rows = await rowsOf(world, body.id);
      assert.ok(rows.keys.length + rows.environments.length > 0);
    });
  }
});

/** A file as Semaphore writes it since 2.11, with more than Ansible in it. */
const NEWER_FILE = {
  meta: { name: "Mixed shop", alert: false, max_parallel_tasks: 0, type: "" },
  keys: [
    { name: "None", type: "none", owner: "" },
    { name: "Vault", type: "login_password", owner: "", storage: null },
    { name: "Token", type: "string", owner: "environment" },
  ],
  environments: [{ name: "Empty", json: "{}" }],
  views: [{ title: "Releases", position: 0, type: "", hidden: false }],
  repositories: [
    {
      name: "Playbooks",
      git_url: "https://git.example.org/a.git",
      git_branch: "main",
      ssh_key: "None",
    },
  ],
  inventories: [
    { name: "Hosts", type: "static", inventory: "localhost", ssh_key: "None" },
    { name: "Workspace", type: "terraform-workspace", inventory: "prod", ssh_key: "None" },
  ],
  templates: [
    {
      name: "Site",
      app: "ansible",
      type: "",
      playbook: "site.yml",
      repository: "Playbooks",
      inventory: "Hosts",
      environments: ["Empty"],
      vaults: [{ name: "prod", type: "password", vault_key: "Vault" }],
      task_params: { allow_debug: true },
      survey_vars: [],
      roles: [],
    },
    {
      name: "Shell",
      app: "bash",
      playbook: "run.sh",
      repository: "Playbooks",
      environment: "Empty",
    },
    {
      name: "Infra",
      app: "terraform",
      playbook: "",
      repository: "Playbooks",
      inventory: "Workspace",
      environment: "Empty",
      type: "build",
      start_version: "1",
    },
    {
      name: "Rollout",
      app: "ansible",
      type: "deploy",
      build_template: "Infra",
      playbook: "site.yml",
      repository: "Playbooks",
      inventory: "Hosts",
      environment: "Empty",
    },
    {
      name: "Scripted",
      app: "ansible",
      playbook: "site.yml",
      repository: "Playbooks",
      inventory: "Hosts",
      environment: "Empty",
      vaults: [{ name: "prod", type: "script", vault_key: null, script: "print-it" }],
    },
  ],
  schedules: [
    { template: "Site", name: "Nightly", cron_format: "0 3 * * *", active: true, type: "" },
    {
      template: "Site",
      name: "New commits",
      cron_format: "*/5 * * * *",
      active: true,
      checkable_repository: "Playbooks",
    },
    { template: "Site", name: "Never", cron_format: "0 0 31 2 *", active: true },
    { template: "Shell", name: "Shell nightly", cron_format: "0 4 * * *", active: true },
  ],
  integrations: [
    { name: "Push", template: "Site", auth_method: "quantum", searchable: true },
    { name: "Shell push", template: "Shell", auth_method: "", searchable: false },
  ],
  integration_aliases: [],
  workflows: [{ name: "Pipeline", nodes: [{ id: 1, kind: "quantum" }], edges: [] }],
  secret_storages: [],
};

Deno.test("parts for Ansible of a newer Semaphore's file are restored, the rest is named", async () => {
  await using world = await newWorld();
  const { status, body } = await restored(world, NEWER_FILE);
  assert.equal(status, 200, JSON.stringify(body));
  const { creates, left_out, inactive_schedules } = body.report;
  assert.deepEqual(creates.templates, ["Site"]);
  assert.deepEqual(creates.inventories, ["Hosts"]);
  assert.deepEqual(creates.schedules, ["Nightly", "New commits"]);
  assert.deepEqual(creates.integrations, []);
  assert.deepEqual(inactive_schedules, []);
  const named = left_out.map(({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`);
  assert.deepEqual(
    new Set(named),
    new Set([
      "workflows Pipeline",
      "inventories Workspace",
      "templates Shell",
      "templates Infra",
      "templates Rollout",
      "templates Scripted",
      "schedules Never",
      "schedules Shell nightly",
      "integrations Push",
      "integrations Shell push",
    ]),
  );
  const infra = left_out.find(({ name }: { name: string }) => name === "Infra");
  assert.equal(infra.reason, 'inventory: It needs "Workspace" in inventories, which was skipped.');
  const rows = await rowsOf(world, body.id);
  assert.equal(rows.templates[0].environment_id, rows.environments[0].id);
  assert.deepEqual(rows.schedules.map(({ active, repository_id }) => [active, repository_id]), [
    [true, null],
    [true, rows.repositories[0].id],
  ]);
});

Deno.test("a file may be a member of a form, as an Ansible collection sends it", async () => {
  await using world = await newWorld();
  const { status, body } = await restored(world, { changed: false, backup: HEAD_FILE });
  assert.deepEqual([status, body.name], [200, "Web shop"], JSON.stringify(body));
});

Deno.test("the page lists the parts of a file that were left out, and can refuse the file instead", async () => {
  await using world = await newWorld();
  const send = (fields: Record<string, string>) => {
    const form = new FormData();
    form.set("file", new File([JSON.stringify(NEWER_FILE)], "backup.json"));
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    return world.post("erin", "/project/restore", form);
  };
  const refused = await send({ strict: "true" });
  assert.equal(refused.status, 422);
  assert.match(await refused.text(), /In the file, templates.4.vaults.0/);
  const response = await send({});
  assert.equal(response.status, 200);
  const html = await response.text();
  for (const name of ["Shell nightly", "Workspace", "Pipeline"]) {
    assert.match(html, new RegExp(name));
  }
  assert.match(html, /10 entries were skipped/);
});

Deno.test("repositories whose address needs its login again are named, by the API and on the page", async () => {
  await using world = await newWorld();
  const repository = (name: string, login: string) => ({
    name,
    git_url: `https://${login}git.example.org/${name}.git`,
    git_branch: "main",
    ssh_key: "None",
  });
  const repositories = [repository("Open", ""), repository("Plays", "***@")];
  const file = { ...OLD_FILE, repositories, templates: [] };
  const again = [{ kind: "repository", name: "Plays", type: "login", variable: null }];
  for (const query of ["?dry_run=true", ""]) {
    const { body } = await restored(world, file, query);
    const logins = body.report.secrets.filter(({ kind }: { kind: string }) =>
      kind === "repository"
    );
    assert.deepEqual(logins, again, query);
  }
  const upload = new FormData();
  upload.set("file", new File([JSON.stringify(file)], "backup.json"));
  const html = await (await world.post("erin", "/project/restore", upload)).text();
  assert.match(html, /need their login again.*<li[^>]*>Plays<\/li>/s);
  assert.doesNotMatch(html, /<li ?>Open<\/li>/);
});

Deno.test("reading a backup with hundreds of templates gives others their turns", async () => {
  await using world = await newWorld();
  const templates = Array.from({ length: 400 }, (_, n) => ({
    ...OLD_FILE.templates[0],
    name: `Nightly ${n}`,
  }));
  let [looks, looksOfTurn, longestTurn] = [0, 0, 0];
  let others = setTimeout(function next() {
    looksOfTurn = 0;
    others = setTimeout(next);
  });
  // A clock that goes on by a millisecond with each look, however fast the machine is.
  performance.now = () => {
    longestTurn = Math.max(longestTurn, ++looksOfTurn);
    return ++looks;
  };
  try {
    const { body } = await restored(world, { ...OLD_FILE, templates }, "?dry_run=true");
    assert.equal(body.report.creates.templates.length, 400);
  } finally {
    clearTimeout(others);
    delete (performance as Partial<Performance>).now;
  }
  assert.ok(looks >= 3 * 400, `${looks} looks at the clock for reading, templates and schedules`);
  assert.ok(longestTurn < 100, `${longestTurn} looks in one turn`);
});

Deno.test("a dry run lists the objects that it would create, and creates nothing", async () => {
  await using world = await newWorld();
  const before = await allKeys(world.kv);
  const { status, body } = await world.api(
    "erin",
    "POST",
    "/api/projects/restore?dry_run=true",
    HEAD_FILE,
  );
  assert.equal(status, 200);
  assert.equal(body.dry_run, true);
  assert.equal("id" in body, false);
  assert.deepEqual(body.report.creates, {
    secret_storages: [],
    keys: ["None", "Deploy key", "Vault pass"],
    environments: ["Staging"],
    views: ["Releases"],
    repositories: ["Playbooks"],
    inventories: ["Staging hosts"],
    templates: ["Deploy shop", "Build shop"],
    workflows: [],
    schedules: ["0 3 * * *"],
    integrations: ["Git push"],
    runners: [],
    alert_targets: [],
    alert_rules: [],
    toolchains: [],
    host_configs: [],
  });
  assert.deepEqual(await allKeys(world.kv), before);
});

// deno-lint-ignore no-explicit-any -- any mistake in a file
type Break = (file: any) => void;
const MISTAKES: [what: string, mistake: Break, sentence: RegExp][] = [
  ["no meta", (file) => delete file.meta, /not a backup file of a project/],
  [
    "a name that nothing has",
    (file) => file.repositories[0].ssh_key = "Gone",
    /repositories\[0\] "Playbooks", ssh_key: The backup has no entry "Gone" in keys/,
  ],
  [
    "a name that two have",
    (file) => file.keys.push({ name: "Deploy key", type: "none" }),
    /"Playbooks", ssh_key: .*several entries named "Deploy key"/,
  ],
  [
    "a template without repository",
    (file) => delete file.templates[1].repository,
    /templates\[1\] "Build shop", repository_id: This is required/,
  ],
  [
    "a template for another tool",
    (file) => file.templates[0].app = "terraform",
    /templates\[0\] "Deploy shop", app/,
  ],
  [
    "a deploy of itself",
    (file) => file.templates[0].build_template = "Deploy shop",
    /"Deploy shop", build_template/,
  ],
  ["a bad cron", (file) => file.templates[1].cron = "61 * * *", /"Build shop", .*cron.*: Cron:/],
  [
    "an unknown key type",
    (file) => file.keys[1].type = "gpg",
    /keys\[1\] "Deploy key", type: This type does not exist/,
  ],
  [
    "a vault key without password",
    (file) => file.templates[0].vaults[0].vault_key = "Deploy key",
    /"Deploy shop", vaults.0.vault_key/,
  ],
  [
    "broken variables",
    (file) => file.environments[0].json = "{",
    /environments\[0\] "Staging", json/,
  ],
  [
    "a broken survey",
    (file) => file.templates[1].survey_vars = "[",
    /"Build shop", survey_vars: This text is not valid JSON/,
  ],
  [
    "a wrong matcher",
    (file) => file.integrations[0].matchers[0].method = "like",
    /integrations\[0\] "Git push", matchers.0.method/,
  ],
  ["an empty project name", (file) => file.meta.name = " ", /meta, name: This is required/],
  ["a name of the wrong type", (file) => file.keys[0].name = 5, /keys.0.name/],
];

Deno.test("strictly, a file with a mistake is refused whole, and the sentence names the entry", async (t) => {
  await using world = await newWorld();
  const before = await allKeys(world.kv);
  for (const [what, mistake, sentence] of MISTAKES) {
    await t.step(what, async () => {
      const file = structuredClone(HEAD_FILE);
      mistake(file);
      const { status, body } = await restored(world, file, "?strict=true");
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(body.error, sentence);
      assert.ok(Object.keys(body.fields).length > 0);
      assert.deepEqual(await allKeys(world.kv), before);
    });
  }
});

Deno.test("restored beside itself, a project gets new addresses, and says so", async () => {
  await using world = await newWorld();
  const first = await restored(world, HEAD_FILE);
  assert.deepEqual(first.body.report.new_aliases, []);
  const second = await restored(world, HEAD_FILE);
  assert.equal(second.status, 200, JSON.stringify(second.body));
  const changed = second.body.report.new_aliases;
  assert.deepEqual(
    changed.map(({ integration, alias }: Record<string, string>) => [integration, alias]),
    [["Git push", "k3v9a0q7m2c8x1zd"], [null, "p0o9i8u7y6t5r4e3"]],
  );
  const rows = await rowsOf(world, second.body.id);
  assert.equal(rows.integrations[0].aliases[0].text, changed[0].new_alias);
  assert.equal(rows.aliases[0].text, changed[1].new_alias);
});

Deno.test("people who may create projects may restore, and those who may update one may back it up", async () => {
  await using world = await newWorld();
  for (const person of ["alice", "dave"] as const) {
    const { status } = await world.api(person, "POST", "/api/projects/restore", OLD_FILE);
    assert.equal(status, 403);
  }
  assert.equal((await world.api(null, "POST", "/api/projects/restore", OLD_FILE)).status, 401);
  const path = `/api/project/${world.web.id}/backup`;
  const statuses = { alice: 200, erin: 200, mike: 403, bob: 403, carol: 403, dave: 404 } as const;
  for (const [person, status] of Object.entries(statuses)) {
    assert.equal((await world.api(person as "alice", "GET", path)).status, status, person);
  }
});

Deno.test("the person who restores owns the project, and others do not see it", async () => {
  await using world = await newWorld({ config: { usersCreateProjects: true } });
  const { status, body } = await world.api("alice", "POST", "/api/projects/restore", OLD_FILE);
  assert.equal(status, 200);
  const role = await world.api("alice", "GET", `/api/project/${body.id}/role`);
  assert.equal(role.body.role, "owner");
  assert.equal((await world.api("bob", "GET", `/api/project/${body.id}`)).status, 404);
});

/** Returns a KV whose commits fail after this many. */
function failingAfter(kv: Store, commits: number): Store {
  return new Proxy(kv, {
    get(target, property) {
      const member = Reflect.get(target, property, target);
      if (property !== "atomic") return typeof member === "function" ? member.bind(target) : member;
      return () => {
        const op = target.atomic();
        const commit = op.commit.bind(op);
        op.commit = () => {
          if (commits-- <= 0) throw new Error("the database is gone");
          return commit();
        };
        return op;
      };
    },
  });
}

Deno.test("a restore that dies at any moment shows nothing, and is swept at the next start", async () => {
  await using world = await newWorld();
  const before = await allKeys(world.kv);
  const file = sentBackup.parse(OLD_FILE);
  const { actor } = world.people.erin;
  let died = 0;
  for (let commits = 0;; commits++) {
    const kv = failingAfter(world.kv, commits);
    try {
      await restoreProject(requireCreator({ deps: { ...world.deps, kv }, actor }), file);
      break;
    } catch (error) {
      assert.match(String(error), /the database is gone/);
    }
    died++;
    const seen = await world.api("erin", "GET", "/api/projects");
    assert.ok(!seen.body.some(({ name }: { name: string }) => name === "Old shop"));
    await doDue(world.deps, deletionWorker);
    assert.deepEqual(await allKeys(world.kv), before);
  }
  assert.ok(died > 15, String(died));
});

Deno.test("a backup of a project with long texts is restored whole", async () => {
  await using world = await newWorld();
  const file = structuredClone(HEAD_FILE);
  file.inventories[0].inventory = Array.from({ length: 20_000 }, (_, n) => `host${n}`).join("\n");
  const { status, body } = await restored(world, file);
  assert.equal(status, 200, JSON.stringify(body).slice(0, 300));
  const rows = await rowsOf(world, body.id);
  assert.equal(rows.inventories[0].inventory, file.inventories[0].inventory);
  assert.deepEqual(
    exportProject(rows, "2.10").inventories![0].inventory,
    file.inventories[0].inventory,
  );
});

Deno.test("until a restored secret is typed in again, a run ends with a sentence that names it", async () => {
  await using world = await newWorld();
  const file = structuredClone(HEAD_FILE);
  file.repositories[0].ssh_key = file.inventories[0].ssh_key = "None";
  Reflect.deleteProperty(file.inventories[0], "become_key");
  Object.assign(file.environments[0], { secrets: [{ type: "var", name: "token" }] });
  const { body: project } = await restored(world, file);
  const { templates } = await rowsOf(world, project.id);
  const { id } = await startTask(
    await openProject(
      { deps: world.deps, actor: world.people.erin.actor },
      project.id,
      "run_tasks",
    ),
    parseStart({
      template_id: templates.find(({ type }) => type === "build")!.id,
      environment: '{"branch":"main"}',
    }),
  );
  const task = await getTaskRow(world.kv, project.id, id);
  await assert.rejects(makePlan(world.deps, task), (error: AppError) => {
    assert.equal(error.key, "errors.run.empty_secret");
    assert.deepEqual(error.params, { name: "Staging", variable: "token" });
    return true;
  });
});

Deno.test("targets come back without secrets, and rules with the same targets", async () => {
  await using world = await newWorld();
  const project = `/api/project/${world.web.id}`;
  const { body: target } = await world.api("erin", "POST", `${project}/alert_targets`, {
    name: "Push",
    kind: "gotify",
    allow_private: true,
    settings: { server: "https://push.example.com", token: "hush" },
  });
  const rule = { name: "Nights", events: ["failed"], template_ids: [world.deploy.id] };
  for (const target_id of [target.id, -2]) {
    await world.api("alice", "POST", `${project}/alert_rules`, { ...rule, target_id });
  }
  const gone = await world.api("alice", "POST", `${project}/templates`, {
    ...(await world.api("alice", "GET", `${project}/templates/${world.deploy.id}`)).body,
    name: "Gone",
  });
  await world.api("alice", "POST", `${project}/alert_rules`, {
    ...rule,
    name: "Gone",
    target_id: target.id,
    template_ids: [gone.body.id],
  });
  await world.api("alice", "DELETE", `${project}/templates/${gone.body.id}`);

  const { body: file } = await world.api("alice", "GET", `${project}/backup`);
  assert.ok(!JSON.stringify(file).includes("hush"));
  const { body: restored } = await world.api("erin", "POST", "/api/projects/restore", file);
  assert.deepEqual(restored.report.left_out, []);
  assert.deepEqual(
    restored.report.secrets.filter(({ kind }: { kind: string }) => kind === "alert_target"),
    [{ kind: "alert_target", name: "Push", type: "gotify", variable: "token" }],
  );
  const copy = `/api/project/${restored.id}`;
  const { body: targets } = await world.api("erin", "GET", `${copy}/alert_targets`);
  assert.deepEqual(
    targets.map(({ settings, secrets, allow_private }: Record<string, unknown>) => [
      settings,
      secrets,
      allow_private,
    ]),
    [[{ server: "https://push.example.com", token: "" }, [], false]],
  );
  const { body: rules } = await world.api("erin", "GET", `${copy}/alert_rules`);
  assert.deepEqual(rules.map(({ name, target_id }: Record<string, unknown>) => [name, target_id]), [
    ["Nights", targets[0].id],
    ["Nights", -2],
  ]);
  const test = await world.api("erin", "POST", `${copy}/alert_targets/${targets[0].id}/test`);
  assert.deepEqual([test.body.ok, test.body.reason], [
    false,
    "This target is not complete. Enter its secrets.",
  ]);
});
