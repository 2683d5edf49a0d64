import * as fc from "@/tests/packages/fast_check.ts";

/** A valid cron format. */
const cron = fc.constantFrom("0 3 * * *", "*/5 * * * 1-5", "@hourly", "30 2 1 * *");
const flag = fc.boolean();
/** A name as people type it: letters of any script, quotes, blanks inside. */
const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 })
  .map((text) => text.trim()).filter((text) => text !== "" && text.length <= 60);
const variable = fc.stringMatching(/^[a-z_][a-z0-9_]{0,20}$/);
const text = fc.string({ maxLength: 60 });
const jsonText = fc.dictionary(variable, fc.oneof(text, fc.integer(), flag), { maxKeys: 4 })
  .map((object) => JSON.stringify(object));

const names = (max: number) => fc.uniqueArray(name, { minLength: 1, maxLength: max });

/** One entry for each name. */
const entries = <T>(names: string[], entry: (name: string) => fc.Arbitrary<T>) =>
  fc.tuple(...names.map(entry));

const optional = <K extends string, T>(key: K, value: fc.Arbitrary<T>) =>
  fc.option(value, { nil: null }).map((made) => made === null ? {} : { [key]: made });

/** Merges parts of an entry, some of which may be empty. */
const merged = (...parts: fc.Arbitrary<object>[]) =>
  fc.tuple(...parts).map((made) => Object.assign({}, ...made));

const surveyVar = (name: string) =>
  fc.oneof(
    fc.record({
      name: fc.constant(name),
      title: fc.constant(`Title of ${name}`),
      description: text,
      type: fc.constantFrom("", "int", "secret"),
      required: flag,
      values: fc.constant([]),
      target: fc.constantFrom("", "env"),
      default_value: fc.constant(""),
    }),
    fc.record({
      name: fc.constant(name),
      title: fc.constant(`Title of ${name}`),
      description: text,
      type: fc.constant("enum"),
      required: flag,
      values: fc.constant([{ name: "One", value: "1" }, { name: "Two", value: "2" }]),
      target: fc.constantFrom("", "env"),
      default_value: fc.constantFrom("", "1", "2"),
    }),
    fc.record({
      name: fc.constant(name),
      title: fc.constant(`Title of ${name}`),
      description: text,
      type: fc.constant("select"),
      required: flag,
      values: fc.constant([]),
      target: fc.constantFrom("", "env"),
      default_value: fc.constantFrom([], ["a"], ["a", "b"]),
      choices_from: fc.constantFrom(
        { source: "file", path: "vars/choices.yml", key: "a.b" },
        { source: "url", url: "https://cmdb.example.com/zones" },
        { source: "hosts" },
      ),
    }),
  );

const schedule = (repositories: string[], inventories: string[]) =>
  merged(
    fc.record({
      name: fc.string({ maxLength: 20 }).map((text) => text.trim()),
      active: flag,
      delete_after_run: fc.constant(false),
      missed: fc.constantFrom("skip", "run_once"),
      if_waiting: fc.constantFrom("all", "one", "latest"),
      check: fc.boolean(),
      type: fc.constant(""),
      cron_format: cron,
    }),
    optional("timezone", fc.constantFrom("Europe/Berlin", "America/New_York")),
    optional("offset_days", fc.constantFrom(1, -31)),
    optional("repository", fc.constantFrom(...repositories)),
    fc.oneof(
      fc.constant({}),
      merged(
        fc.record({ task_params: fc.record({ message: text, dry_run: flag }) }),
        optional("inventory", fc.constantFrom(...inventories)),
      ),
    ),
  );

/** A rule who may approve. It names enough people, or roles. */
const rule = merged(
  fc.record({
    roles: fc.subarray(["owner", "manager"]),
    users: fc.subarray(["alice", "bob"]),
    needed: fc.integer({ min: 1, max: 3 }),
    not_starter: flag,
    not_editor: flag,
    on_timeout: fc.constantFrom("approved", "rejected"),
    message: text.map((text) => text.trim()),
  }),
  optional("timeout_minutes", fc.integer({ min: 1, max: 99 })),
).map((rule) => {
  const { roles, users, needed } = rule as { roles: string[]; users: string[]; needed: number };
  const isNamed = users.length > 0 && roles.length === 0;
  return { ...rule, needed: isNamed ? Math.min(needed, users.length) : needed };
});

interface Names {
  keys: string[];
  environments: string[];
  views: string[];
  repositories: string[];
  inventories: string[];
  templates: string[];
}

/** A backup has a list of environments only if there are several. */
const withoutShortLists = (entry: object) =>
  Object.fromEntries(
    Object.entries(entry).filter(([, value]) => !Array.isArray(value) || value.length > 1),
  );

const template = (own: string, at: number, all: Names) =>
  merged(
    fc.record({
      name: fc.constant(own),
      playbook: fc.constantFrom("site.yml", "plays/deploy.yml"),
      app: fc.constantFrom("ansible", ""),
      repository: fc.constantFrom(...all.repositories),
      inventory: fc.constantFrom(...all.inventories),
      survey_vars: fc.uniqueArray(variable, { maxLength: 3 })
        .chain((names) => entries(names, surveyVar)),
      allow_override_args_in_task: flag,
      suppress_success_alerts: flag,
      allow_parallel_tasks: flag,
      schedules: fc.array(schedule(all.repositories, all.inventories), { maxLength: 3 }),
    }),
    fc.oneof(
      fc.record({ require_confirmation: flag }),
      fc.record({ require_confirmation: fc.constant(true), approval: rule }),
    ),
    // The first key has a password: see `keys` below.
    fc.array(fc.record({ vault_key: fc.constant(all.keys[0]), name: fc.constant("prod") }), {
      maxLength: 1,
    }).map((vaults) => ({
      vaults,
      ...(vaults.length > 0 ? { vault_key: vaults[0].vault_key } : {}),
    })),
    // The first template is a build, so that others can deploy it.
    at === 0
      ? fc.record({
        type: fc.constant("build"),
        start_version: fc.constant("1.0.9"),
        autorun: fc.constant(false),
      })
      : fc.oneof(
        fc.record({ type: fc.constantFrom("", "build", "deploy"), autorun: fc.constant(false) }),
        fc.record({
          type: fc.constant("deploy"),
          build_template: fc.constant(all.templates[0]),
          autorun: flag,
        }),
      ),
    fc.oneof(
      fc.constant({}),
      merged(
        fc.record({ environment: fc.constant(all.environments[0]) }),
        optional("environments", fc.constant(all.environments)),
      ),
    ).map(withoutShortLists),
    optional("view", fc.constantFrom(...all.views)),
    optional("description", fc.string({ minLength: 1, maxLength: 50 })),
    optional("start_warning", fc.constantFrom("Restarts everything", "Läuft\nlange")),
    optional("working_directory", fc.constantFrom("ansible", "sites/prod")),
    optional("keep_paths", fc.constantFrom("credentials", "secret\nca/private")),
    optional("arguments", fc.constant('["--forks","20"]')),
    optional("allow_override_branch_in_task", fc.constant(true)),
    optional("suppress_error_alerts", fc.constant(true)),
    optional("muted", fc.constant(true)),
    optional("suppress_full_results", fc.constant(true)),
    optional("preview_first", fc.constant(true)),
    optional("preview_end_unchanged", fc.constant(true)),
    optional("own_key", fc.constant(true)),
    optional("ask_vault_password", fc.constant(true)),
    optional("retry_attempts", fc.integer({ min: 1, max: 10 })),
    optional("retry_minutes", fc.integer({ min: 1, max: 1440 })),
    optional("check_cron", fc.constantFrom("@daily", "5 4 * * 1")),
    optional("check_after_commit", fc.constant(true)),
    optional("task_identity", fc.constant(true)),
    optional("task_identity_audience", fc.constant("vault")),
    optional("git_branch", fc.constantFrom("main", "release/2")),
    optional(
      "task_params",
      fc.record({ tags: fc.constant(["web"]), allow_override_limit: flag, allow_debug: flag }),
    ),
  );

const integration = (all: Names) =>
  merged(
    fc.record({
      name,
      template: fc.constantFrom(...all.templates),
      auth_method: fc.constantFrom("", "github", "token", "hmac"),
      auth_header: fc.constantFrom("", "X-Sign"),
      auth_secret: fc.constant(all.keys[0]),
      searchable: flag,
      keep_bodies: flag,
      if_waiting: fc.constantFrom("all", "one", "latest"),
      matchers: fc.array(
        fc.record({
          name,
          match_type: fc.constant("body"),
          body_data_type: fc.constant("json"),
          key: fc.constant("ref"),
          method: fc.constantFrom("equals", "unequals", "contains"),
          value: fc.string({ minLength: 1, maxLength: 20 }),
        }),
        { maxLength: 2 },
      ),
      extract_values: fc.array(
        fc.record({
          name,
          value_source: fc.constant("header"),
          body_data_type: fc.constant(""),
          key: fc.constant("X-Commit"),
          variable,
          default_value: text,
        }),
        { maxLength: 2 },
      ),
      aliases: fc.constant([]),
    }),
    optional("task_params", fc.record({ message: text })),
  );

/** A condition on an earlier step, or nothing for "after the step above". */
const afterOf = (n: number) =>
  n === 0 ? fc.oneof(fc.constant({}), fc.constant({ after: [] })) : optional(
    "after",
    fc.uniqueArray(
      fc.record({
        step: fc.nat(n - 1).map((at) => 10 + at),
        when: fc.constantFrom("success", "failure", "always", "changed"),
      }),
      { maxLength: 3, selector: ({ step }) => step },
    ),
  );

const step = (n: number, all: Names, nested: string[]) =>
  merged(
    fc.record({ id: fc.constant(10 + n), name, join: fc.constantFrom("all", "any") }),
    afterOf(n),
    fc.oneof(
      merged(
        fc.record({
          kind: fc.constant("template"),
          template: fc.constantFrom(...all.templates),
          values: fc.constant([]),
        }),
        fc.oneof(
          fc.constant({}),
          merged(
            fc.record({ task_params: fc.record({ message: text, dry_run: flag }) }),
            optional("inventory", fc.constantFrom(...all.inventories)),
          ),
        ),
      ),
      fc.record({ kind: fc.constant("wait"), minutes: fc.integer({ min: 1, max: 99 }) }),
      fc.record({ kind: fc.constant("approval"), approval: rule }),
      ...nested.length === 0 ? [] : [fc.record({
        kind: fc.constant("workflow"),
        workflow: fc.constantFrom(...nested),
        values: fc.constant([]),
      })],
    ),
  );

/** A workflow, which may contain the first one. */
const workflow = (own: string, at: number, all: Names, first: string) =>
  merged(
    fc.record({
      name: fc.constant(own),
      description: text,
      survey_vars: fc.uniqueArray(variable, { maxLength: 2 })
        .chain((names) => entries(names, surveyVar)),
      steps: fc.integer({ min: 1, max: 5 }).chain((count) =>
        fc.tuple(...Array.from({ length: count }, (_, n) => step(n, all, at === 0 ? [] : [first])))
      ),
    }),
    optional("start_warning", fc.constant("Deploys to production")),
    optional("notes", fc.constant([{ id: 3, kind: "note", note: "Ask Bob", color: null }])),
  );

const allNames: fc.Arbitrary<Names> = fc.record({
  keys: names(4),
  environments: names(3),
  views: names(3),
  repositories: names(3),
  inventories: names(3),
  templates: names(5),
});

/** Backup files as a server writes them, with every kind of entry, and each member used or not. */
export const backupFile = allNames.chain((all) =>
  fc.record({
    generator: fc.constant("callboard"),
    meta: merged(
      fc.record({ name, alert: flag, max_parallel_tasks: fc.nat(9), type: fc.constant("") }),
      optional("alert_chat", fc.constant("-100200")),
    ),
    keys: entries(all.keys, (name) =>
      fc.record({
        name: fc.constant(name),
        type: name === all.keys[0]
          ? fc.constant("login_password")
          : fc.constantFrom("none", "ssh", "login_password"),
      })),
    environments: entries(all.environments, (name) =>
      merged(
        fc.record({
          name: fc.constant(name),
          json: jsonText,
          secrets: fc.uniqueArray(variable, { maxLength: 2 }).chain((names) =>
            entries(
              names,
              (name) => fc.record({ type: fc.constantFrom("var", "env"), name: fc.constant(name) }),
            )
          ),
        }),
        optional("env", jsonText),
      )),
    views: entries(
      all.views,
      (name) =>
        fc.record({ name: fc.constant(name), title: fc.constant(name), position: fc.nat(20) }),
    ),
    repositories: entries(all.repositories, (name) =>
      merged(
        fc.record({
          name: fc.constant(name),
          git_url: fc.constantFrom("git@git.example.org:a/b.git", "https://git.example.org/a.git"),
          git_branch: fc.constantFrom("main", "dev"),
          ssh_key: fc.constantFrom(...all.keys),
        }),
        optional("git_depth", fc.constantFrom(0, 50)),
      )),
    inventories: entries(all.inventories, (name) =>
      fc.oneof(
        merged(
          fc.record({
            name: fc.constant(name),
            type: fc.constantFrom("static", "static-yaml"),
            inventory: fc.string({ maxLength: 200 }),
            ssh_key: fc.constantFrom(...all.keys),
          }),
          optional("become_key", fc.constant(all.keys[0])),
        ),
        merged(
          fc.record({
            name: fc.constant(name),
            type: fc.constant("file"),
            inventory: fc.constant("invs/dev/hosts"),
            ssh_key: fc.constantFrom(...all.keys),
          }),
          optional("repository", fc.constantFrom(...all.repositories)),
        ),
      )),
    templates: fc.tuple(...all.templates.map((name, at) => template(name, at, all))),
    workflows: names(3).chain((own) =>
      fc.tuple(...own.map((name, at) => workflow(name, at, all, own[0])))
    ),
    integrations: fc.array(integration(all), { maxLength: 3 }),
    integration_aliases: fc.constant([]),
  })
);
