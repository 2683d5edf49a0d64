/**
 * All rows of the store. This is the only file that builds keys.
 * Rows are named by plural nouns. An index contains pointers, not copies. The project is the second
 * part of a key, so that one prefix finds all rows of a kind in one project.
 *
 * | key | value | why |
 * |---|---|---|
 * | store_version | number of migrations that have run | see migrations.ts |
 * | store_upgrade | UpgradeRow | progress of the current migration, until it is finished: see migrations.ts |
 * | store_copied | true | the store was copied before the current upgrade, until that is finished: see upgrade_copies.ts |
 * | store_upgrader | UpgradeLease | the server that upgrades a shared store, meanwhile: see upgrade_lease.ts |
 * | secret_key_proof | sealed text | servers that share a store must have one secret key |
 * | ids, kind | last id | ids are integers and are never reused |
 * | users, user | UserRow | accounts |
 * | users_by_username, lower-case name | user id | unique, and found at sign-in |
 * | users_by_look, digest of its skeleton | user id | no two usernames look alike |
 * | users_by_email, lower-case address | user id | unique, and found at sign-in |
 * | admins, user | true | finds the admins, so that the last one can be protected |
 * | admins_guard | any | changes with each change of an admin, so that two commits cannot remove the last two admins |
 * | sessions, hash of token | SessionRow | signed-in users |
 * | sessions_by_user, user, hash | true | finds a user's sessions to end them |
 * | api_tokens, hash of token | ApiTokenRow | bearer tokens |
 * | api_tokens_by_user, user, hash | true | a user's tokens |
 * | sign_in_failures, source, value | FailureRow | slows down password guessing; expires |
 * | second_factors, user | SecondFactorRow | checked after the password |
 * | code_steps, hash of token | CodeStepRow | a sign-in that waits for its code in one browser; expires |
 * | trusted_browsers, user, hash of token | TrustedBrowserRow | a browser that does not need to enter a code; expires |
 * | passkeys, user, id | PasskeyRow | allows sign-in without a password |
 * | passkeys_by_credential, id | user id | unique, and found at sign-in |
 * | passkey_challenges, hash of who holds it | challenge to sign | used up by the response, right or wrong; expires |
 * | known_networks, user, network | true | the user has signed in from there and is not locked out by strangers; expires |
 * | identities, issuer, subject | IdentityRow | account of a provider's person |
 * | identities_by_user, user, issuer, subject | true | providers that an account is linked with |
 * | waiting_people, issuer, subject | WaitingRow | a person who requests an account, until an administrator has decided; expires |
 * | group_rules | GroupRules | roles that groups of a provider grant; read at each sign-in through a provider |
 * | rule_grants, user, provider | GrantsRow | roles that rules have granted an account, so that only these are revoked again |
 * | rule_words, user | RuleWordsRow | times of the providers' last statements about an account that has roles from rules |
 * | rule_projects, name | project id | project that a rule in the server's file meant when its name was first looked up |
 * | sso_attempts, hash of state | sealed text | a sign-in at a provider, until the person returns; expires |
 * | provider_sessions, issuer, provider's session, hash of token | user id | finds the sessions that a provider ends; expires |
 * | logout_tokens, issuer, hash of its id | true | each token ends sessions only once; expires |
 * | sign_in_links, hash of token | SignInLinkRow | a link that the operator created for one user, valid for one sign-in; expires |
 * | kept_forms, user, browser | names and lengths | forms that were sent after their session had ended, oldest first, a few per browser; expires |
 * | kept_forms, user, browser, page, n | sealed text | values of such a form, until its page shows them again; expires |
 * | projects, project | ProjectRow | |
 * | members, project, user | MemberRow | roles in a project |
 * | members_by_user, user, project | true | projects of a user |
 * | owners_guard, project | any | changes with each change of an owner, so that the last one stays |
 * | keys, repositories, inventories, environments, templates, views, schedules, integrations: kind, project, id | the row | a project's resources |
 * | host_counts, project, inventory | HostCountRow | number of hosts that Ansible found in it, if it lies in a repository |
 * | text_chunks, project, revision, field, n | bytes | texts that are too long for their row |
 * | references, project, kind, id, kind, id | true | the second uses the first |
 * | reference_guards, project, kind, id | any | changes with each new reference: see references.ts |
 * | targets_guard, project | any | changes when an object that may be referenced changes or is deleted |
 * | tasks, project, task | TaskRow | all tasks |
 * | tasks_by_template, project, template, task | true | tasks of a template, latest last |
 * | task_history, project, template (0: any), starter (0: any; a user, below 0 by an API token; a trigger), status (empty: any), task | true | filters of the history, alone and combined: by starter, and by status once a task has ended |
 * | builds, project, template, task | true | successful builds and deploys that a deploy may select |
 * | row_counts, project, tasks | number | number of tasks: see counted.ts |
 * | row_counts, project, kind, template | number | number of rows in each list of an index |
 * | row_counts, project, kind, template, user, status | number | |
 * | runs_by_day, project, template (0: any), user (0: any), day, status or "seconds" | number | how many tasks of a day ended with which status, and their duration: see trends/counters.ts |
 * | runs_by_quarter, project, quarter of an hour, status | number | same counts for the last weeks, to compute days in any time zone |
 * | last_tasks, project, template | TaskRow | copy of the latest task, updated in the same commit, so that a list of 500 templates is one read |
 * | build_versions, project, template | version | latest assigned version, updated in the commit of its task |
 * | favourites, project, user | ids | templates that a user wants at the top of the list |
 * | task_counts, project, template | number | how many tasks of it were started; checked by each start and by the template's deletion, so that they notice each other |
 * | task_answers, project, task, n | bytes | survey answers that are too long for their task's row |
 * | task_secrets, task | bytes | encrypted secret survey answers, until the task has ended |
 * | task_secrets, task, n | bytes | remainder of long ones |
 * | task_pins, task | Pin | inputs of a preview besides its task's row, until the task has ended: see tasks/pin_store.ts |
 * | task_pins, task, n | bytes | text of its inventory |
 * | open_tasks, task | OpenTask | waiting and running tasks: everything that the dispatcher reads |
 * | dispatcher_claims | task id | changes with each claim, so that two servers cannot exceed a limit together |
 * | tasks_wake | any | changes with each change of a list of tasks, or when one may start; watched by other servers' dispatchers and relays |
 * | tasks_gone | any | changes after tasks were deleted; watched by relays |
 * | access_wake | any | changes when someone's permissions change; watched by relays |
 * | task_log_heads, task | LogHead | number of stored lines; watched by readers, checked by its only writer |
 * | task_log_fences, task | 1 | changes when another server takes over the log: the previous writer can store nothing more |
 * | task_log_chunks, task, first line | LogChunk | output |
 * | task_result_heads, task (below 0: its preview) | ResultHead | extent of the stored results of a task: see lib/results/rows.ts; watched by relays |
 * | task_results, task, kind, n | plays, Ansible tasks and hosts, 32 in a row; texts in chunks; differences; full module results | read by the page |
 * | task_results, task, kind, n, n | cells of Ansible task x host, their states alone, hosts with equal changes, and facts until their host has them | the cost of a window depends on its size only |
 * | task_log_sections, task, n | LogSection[] | plays and Ansible tasks in the log, 50 in a row |
 * | project_hosts, project, name | ProjectHostRow | hosts that tasks have reached, with the last tasks of each |
 * | hosts_by, project, order, rank, name | true | the same hosts in each sort order of the list |
 * | host_runs, project, name, task | HostRunRow | changes and outcome of each task on a host |
 * | host_facts, project, name, part | FactsRow, FactChangesRow | facts of a host from the latest task that gathered them, and the changes since the task before |
 * | run_hosts, project, task, n | names | hosts that have rows for a task, which are deleted with it |
 * | hosts_guard, project | any | changes with each change of a project's hosts; values computed from their names are cached until then |
 * | hosts_due, task | HostsDueRow | ended tasks whose hosts are not yet recorded |
 * | hosts_wake | any | watched by the servers that record hosts |
 * | task_imports, project, task | true | the output of the task is stored, the task itself not yet; after a crash, the rest is deleted with the project |
 * | events, project (0: none), time, unique | EventRow | events, latest last |
 * | activity, project, kind (empty: any), user (0: any), time, unique | true | events on the activity pages, by their filters |
 * | account_events, user, time, unique | true | events outside of projects that concern an account |
 * | events_stamp | any | changes with each change of a list of events: see kept.ts |
 * | resources_stamp, kind | any | changes with each change of a row of that kind, in any project |
 * | deleted_schedules, project, template | DeletedSchedule | values of a schedule that a client does not know when it deletes and recreates it; expires |
 * | schedules_due, time, schedule, kind | DueRow | next work of the schedulers, in order of time |
 * | scheduler_wake | any | changes with each change of due work; watched by schedulers |
 * | alerts_due, time, unique | AlertRow | alerts that are not yet sent, in order of time |
 * | autoruns_due, time, unique | AutorunRow | successful builds and deploys whose automatic deploys are not yet started |
 * | autoruns_wake | any | watched by the servers that start automatic deploys |
 * | probe | any | written to measure the response time of the store |
 * | alerts_wake | any | watched by the servers that send alerts |
 * | project_aliases, project | AliasRow[] | webhook URLs that reach all searchable integrations |
 * | aliases, text | AliasTarget | unique, and found by webhook calls |
 * | deliveries, project, integration | last n | numbers the calls without gaps |
 * | deliveries, project, integration, n | DeliveryRow | latest webhook calls of an integration |
 * | delivery_bodies, project, integration, n | sealed text | their bodies, if they are stored |
 */
type Key = Deno.KvKey;

/** Kinds of objects that can refer to others or be referred to: the collections of a project. */
export const RESOURCE_KINDS = [
  "keys",
  "repositories",
  "inventories",
  "environments",
  "templates",
  "views",
  "schedules",
  "integrations",
] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** Rows of a project apart from those that are deleted one by one. Its events are deleted last. */
const OF_PROJECT: readonly string[] = [
  "host_counts",
  "text_chunks",
  "references",
  "reference_guards",
  "tasks_by_template",
  "task_history",
  "builds",
  "row_counts",
  "runs_by_day",
  "runs_by_quarter",
  "last_tasks",
  "build_versions",
  "task_counts",
  "favourites",
  "deleted_schedules",
  "task_answers",
  "task_imports",
  "project_hosts",
  "hosts_by",
  "host_runs",
  "host_facts",
  "run_hosts",
  "deliveries",
  "delivery_bodies",
  "activity",
  "events",
];

/** An object in a project, for the reference index. */
export type Ref = readonly [kind: ResourceKind, id: number];

/** Criteria by which failed sign-ins are counted. */
export type SignInSource = "account" | "device" | "address" | "code" | "challenge";

export const rowKeys = {
  storeVersion: (): Key => ["store_version"],
  storeUpgrade: (): Key => ["store_upgrade"],
  storeCopied: (): Key => ["store_copied"],
  storeUpgrader: (): Key => ["store_upgrader"],
  secretKeyProof: (): Key => ["secret_key_proof"],
  lastId: (kind: string): Key => ["ids", kind],

  user: (id: number): Key => ["users", id],
  users: (): Key => ["users"],
  userByUsername: (username: string): Key => ["users_by_username", username.toLowerCase()],
  userByLook: (look: string): Key => ["users_by_look", look],
  userByEmail: (email: string): Key => ["users_by_email", email.toLowerCase()],
  admin: (userId: number): Key => ["admins", userId],
  admins: (): Key => ["admins"],
  adminsGuard: (): Key => ["admins_guard"],

  session: (hash: string): Key => ["sessions", hash],
  sessionByUser: (userId: number, hash: string): Key => ["sessions_by_user", userId, hash],
  sessionsByUser: (userId: number): Key => ["sessions_by_user", userId],
  apiToken: (hash: string): Key => ["api_tokens", hash],
  apiTokenByUser: (userId: number, hash: string): Key => ["api_tokens_by_user", userId, hash],
  apiTokensByUser: (userId: number): Key => ["api_tokens_by_user", userId],
  signInFailures: (of: SignInSource, value: string): Key => ["sign_in_failures", of, value],
  secondFactor: (userId: number): Key => ["second_factors", userId],
  codeStep: (hash: string): Key => ["code_steps", hash],
  trustedBrowser: (userId: number, hash: string): Key => ["trusted_browsers", userId, hash],
  trustedBrowsers: (userId: number): Key => ["trusted_browsers", userId],
  passkey: (userId: number, id: string): Key => ["passkeys", userId, id],
  passkeys: (userId: number): Key => ["passkeys", userId],
  passkeyOwner: (id: string): Key => ["passkeys_by_credential", id],
  passkeyChallenge: (hash: string): Key => ["passkey_challenges", hash],
  knownNetwork: (userId: number, network: string): Key => ["known_networks", userId, network],
  knownNetworks: (userId: number): Key => ["known_networks", userId],

  identity: (issuer: string, subject: string): Key => ["identities", issuer, subject],
  identities: (): Key => ["identities"],
  identitiesOf: (issuer: string): Key => ["identities", issuer],
  identityByUser: (userId: number, issuer: string, subject: string): Key => [
    "identities_by_user",
    userId,
    issuer,
    subject,
  ],
  identitiesByUser: (userId: number): Key => ["identities_by_user", userId],
  waitingPerson: (issuer: string, subject: string): Key => ["waiting_people", issuer, subject],
  waitingPeople: (): Key => ["waiting_people"],
  waitingPeopleOf: (issuer: string): Key => ["waiting_people", issuer],
  groupRules: (): Key => ["group_rules"],
  ruleGrants: (userId: number, provider: string): Key => ["rule_grants", userId, provider],
  ruleGrantsOf: (userId: number): Key => ["rule_grants", userId],
  allRuleGrants: (): Key => ["rule_grants"],
  ruleWords: (userId: number): Key => ["rule_words", userId],
  ruleProject: (name: string): Key => ["rule_projects", name],

  ssoAttempt: (stateHash: string): Key => ["sso_attempts", stateHash],
  providerSession: (issuer: string, sid: string, hash: string): Key => [
    "provider_sessions",
    issuer,
    sid,
    hash,
  ],
  providerSessions: (issuer: string, sid: string): Key => ["provider_sessions", issuer, sid],
  logoutToken: (issuer: string, idHash: string): Key => ["logout_tokens", issuer, idHash],
  signInLink: (hash: string): Key => ["sign_in_links", hash],

  formDrafts: (userId: number, browser: string): Key => ["kept_forms", userId, browser],
  formDraft: (userId: number, browser: string, page: string, n: number): Key => [
    "kept_forms",
    userId,
    browser,
    page,
    n,
  ],

  project: (id: number): Key => ["projects", id],
  projects: (): Key => ["projects"],
  member: (projectId: number, userId: number): Key => ["members", projectId, userId],
  members: (projectId: number): Key => ["members", projectId],
  memberByUser: (userId: number, projectId: number): Key => ["members_by_user", userId, projectId],
  membersByUser: (userId: number): Key => ["members_by_user", userId],
  ownersGuard: (projectId: number): Key => ["owners_guard", projectId],
  /** Prefixes of a project's rows apart from members, tasks and resources. */
  ofProject: (projectId: number): Key[] => OF_PROJECT.map((rows) => [rows, projectId]),
  /** Prefixes of all rows whose keys continue with a project. */
  byProject: (): Key[] =>
    [
      ...RESOURCE_KINDS,
      ...OF_PROJECT,
      "tasks",
      "members",
      "owners_guard",
      "targets_guard",
      "hosts_guard",
      "project_aliases",
    ].map((rows) => [rows]),

  /** Lists that cover all projects. Their rows name the project in their value. */
  listsOfAll: (): Key[] =>
    ["open_tasks", "schedules_due", "alerts_due", "autoruns_due", "hosts_due", "aliases"]
      .map((rows) => [rows]),

  resource: (kind: ResourceKind, projectId: number, id: number): Key => [kind, projectId, id],
  resources: (kind: ResourceKind, projectId: number): Key => [kind, projectId],
  hostCount: (
    projectId: number,
    inventoryId: number,
  ): Key => ["host_counts", projectId, inventoryId],
  hostCounts: (projectId: number): Key => ["host_counts", projectId],
  textChunk: (projectId: number, revision: string, field: string, n: number): Key => [
    "text_chunks",
    projectId,
    revision,
    field,
    n,
  ],
  textChunks: (projectId: number, revision: string): Key => ["text_chunks", projectId, revision],

  reference: (projectId: number, to: Ref, from: Ref): Key => [
    "references",
    projectId,
    ...to,
    ...from,
  ],
  references: (projectId: number, to: Ref): Key => ["references", projectId, ...to],
  /** References to all objects of a kind. */
  referencesOfKind: (projectId: number, kind: ResourceKind): Key => ["references", projectId, kind],
  referenceGuard: (projectId: number, to: Ref): Key => ["reference_guards", projectId, ...to],
  targetsGuard: (projectId: number): Key => ["targets_guard", projectId],

  task: (projectId: number, id: number): Key => ["tasks", projectId, id],
  tasks: (projectId: number): Key => ["tasks", projectId],
  everyTask: (): Key => ["tasks"],
  taskByTemplate: (projectId: number, templateId: number, id: number): Key => [
    "tasks_by_template",
    projectId,
    templateId,
    id,
  ],
  tasksByTemplate: (projectId: number, templateId: number): Key => [
    "tasks_by_template",
    projectId,
    templateId,
  ],
  tasksByTemplates: (projectId: number): Key => ["tasks_by_template", projectId],
  /** Tasks of a template by starter and latest status. 0 and an empty status stand for all. */
  taskHistory: (
    projectId: number,
    templateId: number,
    starter: number | string,
    status: string,
  ): Key => ["task_history", projectId, templateId, starter, status],
  taskInHistory: (
    projectId: number,
    templateId: number,
    starter: number | string,
    status: string,
    id: number,
  ): Key => ["task_history", projectId, templateId, starter, status, id],
  /** Tasks of a template by starter. */
  taskStarters: (projectId: number, templateId: number): Key => [
    "task_history",
    projectId,
    templateId,
  ],
  buildsOf: (projectId: number): Key => ["builds", projectId],
  build: (projectId: number, templateId: number, id: number): Key => [
    "builds",
    projectId,
    templateId,
    id,
  ],
  builds: (projectId: number, templateId: number): Key => ["builds", projectId, templateId],
  /** Number of rows in a list whose keys begin with its kind, the project and the rest. */
  rowCount: (projectId: number, kind: string, ...rest: Key): Key => [
    "row_counts",
    projectId,
    kind,
    ...rest,
  ],
  /** Lists of all projects whose rows are counted. */
  listsOfTasks: (): Key[] => [["tasks"], ["tasks_by_template"], ["task_history"], ["builds"]],
  /** Counts of the lists of one template. */
  rowCountsOf: (projectId: number, templateId: number): Key[] =>
    ["tasks_by_template", "task_history", "builds"].map((kind) =>
      rowKeys.rowCount(projectId, kind, templateId)
    ),
  /** Number of a template's tasks by person and day; 0 stands for all. */
  runsByDay: (projectId: number, templateId: number, userId: number): Key => [
    "runs_by_day",
    projectId,
    templateId,
    userId,
  ],
  /** Number of a template's tasks by starter. */
  runsByUser: (
    projectId: number,
    templateId: number,
  ): Key => ["runs_by_day", projectId, templateId],
  runsByTemplate: (projectId: number): Key => ["runs_by_day", projectId],
  runsByQuarter: (projectId: number): Key => ["runs_by_quarter", projectId],
  /** Counts of tasks in all projects. */
  runCounts: (): Key[] => [["runs_by_day"], ["runs_by_quarter"]],
  lastTask: (projectId: number, templateId: number): Key => ["last_tasks", projectId, templateId],
  everyLastTask: (): Key => ["last_tasks"],
  lastTasks: (projectId: number): Key => ["last_tasks", projectId],
  buildVersion: (projectId: number, templateId: number): Key => [
    "build_versions",
    projectId,
    templateId,
  ],
  taskCount: (projectId: number, templateId: number): Key => ["task_counts", projectId, templateId],
  taskCounts: (projectId: number): Key => ["task_counts", projectId],
  favourites: (projectId: number, userId: number): Key => ["favourites", projectId, userId],
  favouritesOf: (projectId: number): Key => ["favourites", projectId],
  taskAnswers: (projectId: number, taskId: number, n: number): Key => [
    "task_answers",
    projectId,
    taskId,
    n,
  ],
  taskSecrets: (taskId: number, n = 0): Key =>
    n === 0 ? ["task_secrets", taskId] : ["task_secrets", taskId, n],
  taskPin: (taskId: number): Key => ["task_pins", taskId],
  taskPinText: (taskId: number, n: number): Key => ["task_pins", taskId, n],
  openTask: (taskId: number): Key => ["open_tasks", taskId],
  openTasks: (): Key => ["open_tasks"],
  dispatcherClaims: (): Key => ["dispatcher_claims"],
  tasksWake: (): Key => ["tasks_wake"],
  tasksGone: (): Key => ["tasks_gone"],
  accessWake: (): Key => ["access_wake"],
  taskLogHead: (taskId: number): Key => ["task_log_heads", taskId],
  taskLogFence: (taskId: number): Key => ["task_log_fences", taskId],
  taskLogChunk: (taskId: number, firstLine: number): Key => ["task_log_chunks", taskId, firstLine],
  taskLogChunks: (taskId: number): Key => ["task_log_chunks", taskId],
  taskResultHead: (taskId: number): Key => ["task_result_heads", taskId],
  taskResults: (taskId: number): Key => ["task_results", taskId],
  taskResultRow: (taskId: number, kind: string, ...n: number[]): Key => [
    "task_results",
    taskId,
    kind,
    ...n,
  ],
  taskLogSection: (taskId: number, n: number): Key => ["task_log_sections", taskId, n],
  taskLogSections: (taskId: number): Key => ["task_log_sections", taskId],
  projectHost: (projectId: number, name: string): Key => ["project_hosts", projectId, name],
  projectHosts: (projectId: number): Key => ["project_hosts", projectId],
  hostsBy: (projectId: number, order: string): Key => ["hosts_by", projectId, order],
  hostRun: (projectId: number, name: string, taskId: number): Key => [
    "host_runs",
    projectId,
    name,
    taskId,
  ],
  hostRuns: (projectId: number, name: string): Key => ["host_runs", projectId, name],
  hostFacts: (projectId: number, name: string): Key => ["host_facts", projectId, name, "values"],
  hostFactChanges: (projectId: number, name: string): Key => [
    "host_facts",
    projectId,
    name,
    "changes",
  ],
  runHosts: (projectId: number, taskId: number): Key => ["run_hosts", projectId, taskId],
  hostsGuard: (projectId: number): Key => ["hosts_guard", projectId],
  hostsDue: (): Key => ["hosts_due"],
  hostsDueOf: (taskId: number): Key => ["hosts_due", taskId],
  hostsWake: (): Key => ["hosts_wake"],
  taskImport: (projectId: number, taskId: number): Key => ["task_imports", projectId, taskId],
  taskImports: (projectId: number): Key => ["task_imports", projectId],

  event: (projectId: number, created: string, unique: string): Key => [
    "events",
    projectId,
    created,
    unique,
  ],
  events: (projectId: number): Key => ["events", projectId],
  everyEvent: (): Key => ["events"],
  activity: (projectId: number, kind: string, userId: number): Key => [
    "activity",
    projectId,
    kind,
    userId,
  ],
  /** Activity of one kind by the person who caused it. */
  activityPeople: (projectId: number, kind: string): Key => ["activity", projectId, kind],
  accountEvent: (userId: number, created: string, unique: string): Key => [
    "account_events",
    userId,
    created,
    unique,
  ],
  accountEvents: (userId: number): Key => ["account_events", userId],
  eventsStamp: (): Key => ["events_stamp"],
  resourcesStamp: (kind: ResourceKind): Key => ["resources_stamp", kind],

  deletedSchedule: (projectId: number, templateId: number): Key => [
    "deleted_schedules",
    projectId,
    templateId,
  ],
  scheduleDue: (at: string, id: number, kind: "run" | "unfinished"): Key => [
    "schedules_due",
    at,
    id,
    kind,
  ],
  schedulesDue: (): Key => ["schedules_due"],
  /** End of all rows that are due before `at`. */
  schedulesDueUntil: (at: string): Key => ["schedules_due", at],
  schedulerWake: (): Key => ["scheduler_wake"],

  alertDue: (at: string, unique: string): Key => ["alerts_due", at, unique],
  alertsDue: (): Key => ["alerts_due"],
  autorunDue: (at: string, unique: string): Key => ["autoruns_due", at, unique],
  autorunsDue: (): Key => ["autoruns_due"],
  autorunsWake: (): Key => ["autoruns_wake"],
  probe: (): Key => ["probe"],
  alertsWake: (): Key => ["alerts_wake"],

  projectAliases: (projectId: number): Key => ["project_aliases", projectId],
  alias: (text: string): Key => ["aliases", text],
  aliases: (): Key => ["aliases"],
  delivery: (projectId: number, integrationId: number, n: number): Key => [
    "deliveries",
    projectId,
    integrationId,
    n,
  ],
  deliveries: (projectId: number, integrationId: number): Key => [
    "deliveries",
    projectId,
    integrationId,
  ],
  deliveryBody: (projectId: number, integrationId: number, n: number): Key => [
    "delivery_bodies",
    projectId,
    integrationId,
    n,
  ],
};
