/**
 * The whole key space, and the only place where a key is put together.
 * Row = plural noun; an index holds a pointer, not a copy; the project comes second, so that one
 * prefix is one project's rows of a kind.
 *
 * | key | value | why |
 * |---|---|---|
 * | store_version | how many migrations have run | see migrations.ts |
 * | store_upgrade | UpgradeRow | how far the one that runs has come, until it is over: see migrations.ts |
 * | secret_key_proof | sealed text | servers that share a store must have one secret key |
 * | ids, kind | last id given out | ids are integers, never reused |
 * | users, user | UserRow | accounts |
 * | users_by_username, lower-case name | user id | unique, and found at sign-in |
 * | users_by_look, digest of its skeleton | user id | no two usernames read alike |
 * | users_by_email, lower-case address | user id | unique, and found at sign-in |
 * | admins, user | true | the admins, so that the last one is known |
 * | admins_guard | any | moved by each change of an admin: two at once cannot remove the last two |
 * | sessions, hash of token | SessionRow | who is signed in |
 * | sessions_by_user, user, hash | true | ends a user's sessions |
 * | api_tokens, hash of token | ApiTokenRow | bearer tokens |
 * | api_tokens_by_user, user, hash | true | a user's tokens |
 * | sign_in_failures, source, value | FailureRow | slows down guessing; expires |
 * | second_factors, user | SecondFactorRow | what is asked for after the password |
 * | code_steps, hash of token | CodeStepRow | a sign-in that waits for its code, in one browser; expires |
 * | trusted_browsers, user, hash of token | TrustedBrowserRow | is not asked for a code; expires |
 * | passkeys, user, id | PasskeyRow | signs in without a password |
 * | passkeys_by_credential, id | user id | unique, and found at sign-in |
 * | passkey_challenges, hash of who holds it | what is to be signed | taken by the answer, right or wrong; expires |
 * | known_networks, user, network | true | has signed in from there: not locked out by strangers; expires |
 * | identities, issuer, subject | IdentityRow | whose account a provider's person has |
 * | identities_by_user, user, issuer, subject | true | the providers that an account is linked with |
 * | waiting_people, issuer, subject | WaitingRow | who wants an account, until an administrator has decided; expires |
 * | group_rules | GroupRules | what groups of a provider give: read at each sign-in through one |
 * | rule_grants, user, provider | GrantsRow | what rules have given an account, so that only this is taken away again |
 * | rule_words, user | RuleWordsRow | when a provider last spoke of somebody to whom rules give something |
 * | rule_projects, name | project id | the project that a rule of the server's file meant when its name was first looked up |
 * | sso_attempts, hash of state | sealed text | who went to a provider to sign in, until they come back; expires |
 * | provider_sessions, issuer, provider's session, hash of token | user id | ends the sessions that a provider ends; expires |
 * | logout_tokens, issuer, hash of its id | true | each ends sessions once; expires |
 * | sign_in_links, hash of token | SignInLinkRow | sign in once, for whoever the operator made it for; expires |
 * | kept_forms, user, browser | names and lengths | forms that were sent after their session had ended, oldest first: few of a browser; expires |
 * | kept_forms, user, browser, page, n | sealed text | what was typed into one, until its page shows it again; expires |
 * | projects, project | ProjectRow | |
 * | members, project, user | MemberRow | who may do what |
 * | members_by_user, user, project | true | the projects of a user |
 * | owners_guard, project | any | moved by each change of an owner: the last one stays |
 * | keys, repositories, inventories, environments, templates, views, schedules, integrations: kind, project, id | the row | a project's resources |
 * | text_chunks, project, revision, field, n | bytes | texts too long for their row |
 * | references, project, kind, id, kind, id | true | the second uses the first |
 * | reference_guards, project, kind, id | any | moved by each new reference: see references.ts |
 * | targets_guard, project | any | moved when something that may be referred to changes or goes |
 * | tasks, project, task | TaskRow | every run |
 * | tasks_by_template, project, template, task | true | a template's runs, newest last |
 * | task_history, project, template (0: any), starter (0: any; a user, below 0 by an API token; a trigger), status (empty: any), task | true | what history may be filtered by, alone and together: who or what started runs, and each run from its end on |
 * | builds, project, template, task | true | successful builds and deploys, which a deploy may choose from |
 * | row_counts, project, tasks | number | how many tasks there are: see counted.ts |
 * | row_counts, project, kind, template | number | the same of each list of an index |
 * | row_counts, project, kind, template, user, status | number | |
 * | runs_by_day, project, template (0: any), user (0: any), day, status or "seconds" | number | how many runs of a day ended how, and how long they took: see trends/counters.ts |
 * | runs_by_quarter, project, quarter of an hour, status | number | the same of the last weeks, for days of any time zone |
 * | last_tasks, project, template | TaskRow | a copy of its newest task, kept in each commit of that: a list of 500 templates is one read |
 * | build_versions, project, template | version | the newest given out, taken in the task's own atomic |
 * | favourites, project, user | ids | the templates that a user wants at the top of the list |
 * | task_counts, project, template | number | how many tasks were started of it; checked by each start and by the template's deletion, which so learn of others |
 * | task_answers, project, task, n | bytes | survey answers too long for their task's row |
 * | task_secrets, task | bytes | secret survey answers, encrypted, until the task ended |
 * | task_secrets, task, n | bytes | the rest of long ones |
 * | task_pins, task | Pin | what a preview ran with besides its task's row, until the task ended: see tasks/pin_store.ts |
 * | task_pins, task, n | bytes | the text of its inventory |
 * | open_tasks, task | OpenTask | queue and running tasks: all that the dispatcher reads |
 * | dispatcher_claims | task id | moved by each claim: two servers cannot pass one limit together |
 * | tasks_wake | any | moved by whatever changes a list of tasks, or lets one start; watched by other servers' dispatchers and relays |
 * | tasks_gone | any | moved once tasks were deleted; watched by relays |
 * | access_wake | any | moved when somebody's rights change; watched by relays |
 * | task_log_heads, task | LogHead | how many lines are stored; watched by readers, checked by its one writer |
 * | task_log_fences, task | 1 | moved by who goes on with the log: what was writing it can store nothing more |
 * | task_log_chunks, task, first line | LogChunk | the output |
 * | task_result_heads, task (below 0: its preview) | ResultHead | what is stored of a run's results: see lib/results/rows.ts; watched by relays |
 * | task_results, task, kind, n | plays, play tasks and hosts, 32 in a row; texts in chunks; differences; all that modules answered | read by the page |
 * | task_results, task, kind, n, n | cells of play task x host, their states alone, who changed alike, and facts until their host has them | a window of them costs what it shows |
 * | task_log_sections, task, n | LogSection[] | the plays and play tasks in it, 50 a row |
 * | project_hosts, project, name | ProjectHostRow | the hosts that runs have reached, with their last runs |
 * | hosts_by, project, order, rank, name | true | the same in each order that they are listed in |
 * | host_runs, project, name, task | HostRunRow | what each run did on a host |
 * | host_facts, project, name, part | FactsRow, FactChangesRow | the facts of a host as the newest run gathered them, and what has changed since the run before |
 * | run_hosts, project, task, n | names | the hosts that a run is remembered of: what goes with it |
 * | hosts_guard, project | any | moved by each change of a project's hosts; what is made of their names is kept while it stands |
 * | hosts_due, task | HostsDueRow | tasks that have ended, whose hosts are still to be remembered |
 * | hosts_wake | any | watched by those that remember hosts |
 * | task_imports, project, task | true | its output is stored, the task itself not yet: what a crash leaves goes with the project |
 * | events, project (0: none), time, unique | EventRow | what happened, newest last |
 * | activity, project, kind (empty: any), user (0: any), time, unique | true | events that a page of activity shows, by what it is filtered by |
 * | account_events, user, time, unique | true | events of no project that are about an account |
 * | events_stamp | any | moved by whatever changes a list of events: see kept.ts |
 * | resources_stamp, kind | any | moved by whatever changes a row of that kind, in any project |
 * | deleted_schedules, project, template | DeletedSchedule | what a client that deletes and recreates a schedule does not know of it; expires |
 * | schedules_due, time, schedule, kind | DueRow | what the schedulers take next, in order of time |
 * | scheduler_wake | any | watched by schedulers: moves with each change of what is due |
 * | alerts_due, time, unique | AlertRow | alerts that are still to be sent, in order of time |
 * | autoruns_due, time, unique | AutorunRow | builds and deploys that went well, whose automatic deploys are still to be started |
 * | autoruns_wake | any | watched by those that start automatic deploys |
 * | probe | any | written to see how long the store takes |
 * | alerts_wake | any | watched by those that send alerts |
 * | project_aliases, project | AliasRow[] | addresses that reach all searchable integrations |
 * | aliases, text | AliasTarget | unique, and found by webhook calls |
 * | deliveries, project, integration | last n | numbers them without gaps |
 * | deliveries, project, integration, n | DeliveryRow | the newest webhook calls of an integration |
 * | delivery_bodies, project, integration, n | sealed text | bodies of those, where they are kept |
 */
type Key = Deno.KvKey;

/** What can be referred to, or refer: the collections of a project. */
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

/** Rows that a project has beside those that are swept one by one; its events are the last to go. */
const OF_PROJECT: readonly string[] = [
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

/** One object inside a project, for the reference index. */
export type Ref = readonly [kind: ResourceKind, id: number];

/** By what failed sign-ins are counted. */
export type SignInSource = "account" | "device" | "address" | "code" | "challenge";

export const rowKeys = {
  storeVersion: (): Key => ["store_version"],
  storeUpgrade: (): Key => ["store_upgrade"],
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

  keptForms: (userId: number, browser: string): Key => ["kept_forms", userId, browser],
  keptForm: (userId: number, browser: string, page: string, n: number): Key => [
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
  /** What a project has beside members, tasks and resources: prefixes of rows that are its own. */
  ofProject: (projectId: number): Key[] => OF_PROJECT.map((rows) => [rows, projectId]),
  /** Prefixes of all rows whose keys go on with a project. */
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

  /** Lists of all projects, whose rows tell their project in their value. */
  listsOfAll: (): Key[] =>
    ["open_tasks", "schedules_due", "alerts_due", "autoruns_due", "hosts_due", "aliases"]
      .map((rows) => [rows]),

  resource: (kind: ResourceKind, projectId: number, id: number): Key => [kind, projectId, id],
  resources: (kind: ResourceKind, projectId: number): Key => [kind, projectId],
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
  /** The tasks of a template, of a starter, with a last status: 0, and an empty status, stand for all. */
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
  /** The tasks of a template by who started them. */
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
  /** How many rows a list has whose keys begin with its kind, the project, and the rest. */
  rowCount: (projectId: number, kind: string, ...rest: Key): Key => [
    "row_counts",
    projectId,
    kind,
    ...rest,
  ],
  /** Lists of all projects whose rows are counted. */
  listsOfTasks: (): Key[] => [["tasks"], ["tasks_by_template"], ["task_history"], ["builds"]],
  /** The counts of lists that are of one template. */
  rowCountsOf: (projectId: number, templateId: number): Key[] =>
    ["tasks_by_template", "task_history", "builds"].map((kind) =>
      rowKeys.rowCount(projectId, kind, templateId)
    ),
  /** Runs of a template by a person, by their days; 0 stands for all. */
  runsByDay: (projectId: number, templateId: number, userId: number): Key => [
    "runs_by_day",
    projectId,
    templateId,
    userId,
  ],
  /** Runs of a template by who started them. */
  runsByUser: (
    projectId: number,
    templateId: number,
  ): Key => ["runs_by_day", projectId, templateId],
  runsByTemplate: (projectId: number): Key => ["runs_by_day", projectId],
  runsByQuarter: (projectId: number): Key => ["runs_by_quarter", projectId],
  /** Counts of runs, of all projects. */
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
  /** The activity of a kind by who did it. */
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
  /** The end of all that is due before `at`. */
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
