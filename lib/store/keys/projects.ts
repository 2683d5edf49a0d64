type Key = Deno.KvKey;

/** Kinds of objects that can refer to others or be referred to: the collections of a project. */
export const RESOURCE_KINDS = [
  "secret_storages",
  "keys",
  "repositories",
  "inventories",
  "environments",
  "templates",
  "views",
  "schedules",
  "integrations",
  "workflows",
  "toolchains",
  "git_credentials",
] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** Rows of a project apart from those that are deleted one by one. Its events are deleted last. */
const OF_PROJECT: readonly string[] = [
  "host_counts",
  "kept_texts",
  "kept_text_chunks",
  "kept_files",
  "kept_file_chunks",
  "text_chunks",
  "toolchain_builds",
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
  "requirement_generations",
  "task_counts",
  "favourites",
  "roles",
  "access_rules",
  "access_rules_stamp",
  "deleted_schedules",
  "task_answers",
  "task_outputs",
  "latest_starts",
  "task_hosts",
  "task_retries",
  "repeated_tasks",
  "task_votes",
  "task_imports",
  "project_hosts",
  "hosts_by",
  "host_runs",
  "host_facts",
  "run_hosts",
  "drift",
  "drift_by",
  "drift_of_hosts",
  "drift_summaries",
  "drift_counts",
  "drift_resolved",
  "drift_stamps",
  "deliveries",
  "delivery_bodies",
  "workflow_runs",
  "workflow_runs_by",
  "workflow_run_history",
  "asking_workflow_runs",
  "workflow_trends",
  "open_workflow_runs",
  "workflow_definitions",
  "workflow_votes",
  "workflow_approved",
  "workflow_secrets",
  "alert_setups",
  "alert_targets",
  "alert_rules",
  "alert_deliveries",
  "alert_digests",
  "alert_failures",
  "project_tokens",
  "alert_feeds",
  "alert_feed_entries",
  "invites",
  "invites_guard",
  "activity",
  "object_events",
  "events",
];

/** An object in a project, for the reference index. */
export type Ref = readonly [kind: ResourceKind, id: number];

/**
 * Rows of projects, their members and resources, and what uses what.
 *
 * | key | value | why |
 * |---|---|---|
 * | projects, project | ProjectRow | |
 * | members, project, user | MemberRow | roles in a project |
 * | members_by_user, user, project | true | projects of a user |
 * | invites, project, id | InviteRow | invitations to a project; expires some time after their end |
 * | invites_guard, project | any | changes with each new invitation, so that a limit holds for them |
 * | roles, project, slug | RoleRow | roles that a project defines; those of project 0 are the server's |
 * | owners_guard, project | any | changes with each change of an owner, so that the last one stays |
 * | secret_storages, keys, repositories, inventories, environments, templates, views, schedules, integrations, workflows, toolchains, git_credentials: kind, project, id | the row | a project's resources; toolchains of project 0 are the server's |
 * | toolchain_builds, project, toolchain | BuildRow | the last build that someone has asked for |
 * | requirement_generations, project, repository | text | changes when its requirements should be installed again |
 * | server_toolchain | id | the toolchain of tasks whose project has chosen none |
 * | host_counts, project, inventory | HostCountRow | number of hosts that Ansible found in it, if it lies in a repository |
 * | kept_texts, project, name | StoredTextRow | files, lists of hosts and answers of other servers that have choices of surveys, in case their source is down |
 * | kept_text_chunks, project, name, n | bytes | their texts |
 * | kept_files, project, kind, id | KeptFilesRow | files that runs of a template or an inventory keep in their checkouts |
 * | kept_file_chunks, project, kind, id, version, n | bytes | an archive of them, encrypted |
 * | text_chunks, project, revision, field, n | bytes | texts that are too long for their row |
 * | references, project, kind, id, kind, id | true | the second uses the first |
 * | reference_guards, project, kind, id | any | changes with each new reference: see references.ts |
 * | targets_guard, project | any | changes when an object that may be referenced changes or is deleted |
 * | project_tokens, project, hash of token | ProjectTokenRow | bearer tokens of a project, which act as themselves |
 * | favourites, project, user | ids | templates that a user wants at the top of the list |
 * | access_rules, project, kind, id | AccessRule | rules of templates, workflows and views that not everyone may see, run or edit, so that all of a project are one read |
 * | access_rules_stamp, project | any | changes with each change of such a rule |
 * | access_wake | any | changes when someone's permissions change; watched by relays |
 * | resources_stamp, kind | any | changes with each change of a row of that kind, in any project |
 */
export const projectKeys = {
  project: (id: number): Key => ["projects", id],
  projects: (): Key => ["projects"],
  member: (projectId: number, userId: number): Key => ["members", projectId, userId],
  members: (projectId: number): Key => ["members", projectId],
  memberByUser: (userId: number, projectId: number): Key => ["members_by_user", userId, projectId],
  membersByUser: (userId: number): Key => ["members_by_user", userId],
  invite: (projectId: number, id: number): Key => ["invites", projectId, id],
  invites: (projectId: number): Key => ["invites", projectId],
  invitesGuard: (projectId: number): Key => ["invites_guard", projectId],
  role: (projectId: number, slug: string): Key => ["roles", projectId, slug],
  roles: (projectId: number): Key => ["roles", projectId],
  projectToken: (projectId: number, hash: string): Key => ["project_tokens", projectId, hash],
  projectTokens: (projectId: number): Key => ["project_tokens", projectId],
  ownersGuard: (projectId: number): Key => ["owners_guard", projectId],
  /** Prefixes of a project's rows apart from members, tasks and resources. Some are keys, too. */
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
    [
      ...["open_tasks", "schedules_due"],
      ...[
        "aliases",
        "jobs",
        "jobs_due",
        "jobs_set_aside",
        "runners",
        "runner_tokens",
      ],
    ].map((rows) => [rows]),

  resource: (kind: ResourceKind, projectId: number, id: number): Key => [kind, projectId, id],
  resourcesOfKind: (kind: ResourceKind): Key => [kind],
  resources: (kind: ResourceKind, projectId: number): Key => [kind, projectId],
  hostCount: (
    projectId: number,
    inventoryId: number,
  ): Key => ["host_counts", projectId, inventoryId],
  hostCounts: (projectId: number): Key => ["host_counts", projectId],
  keptText: (projectId: number, name: string): Key => ["kept_texts", projectId, name],
  keptTextChunk: (projectId: number, name: string, n: number): Key => [
    "kept_text_chunks",
    projectId,
    name,
    n,
  ],
  keptFiles: (projectId: number, kind: ResourceKind, id: number): Key => [
    "kept_files",
    projectId,
    kind,
    id,
  ],
  allKeptFiles: (projectId: number): Key => ["kept_files", projectId],
  keptFileChunk: (
    projectId: number,
    kind: ResourceKind,
    id: number,
    version: string,
    n: number,
  ): Key => ["kept_file_chunks", projectId, kind, id, version, n],
  keptFileChunks: (projectId: number, kind: ResourceKind, id: number): Key => [
    "kept_file_chunks",
    projectId,
    kind,
    id,
  ],
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
  toolchainBuild: (projectId: number, id: number): Key => ["toolchain_builds", projectId, id],
  requirementGeneration: (projectId: number, repositoryId: number): Key => [
    "requirement_generations",
    projectId,
    repositoryId,
  ],
  serverToolchain: (): Key => ["server_toolchain"],
  targetsGuard: (projectId: number): Key => ["targets_guard", projectId],
  favourites: (projectId: number, userId: number): Key => ["favourites", projectId, userId],
  favouritesOf: (projectId: number): Key => ["favourites", projectId],
  accessRule: (projectId: number, kind: ResourceKind, id: number): Key => [
    "access_rules",
    projectId,
    kind,
    id,
  ],
  accessRules: (projectId: number): Key => ["access_rules", projectId],
  accessRulesStamp: (projectId: number): Key => ["access_rules_stamp", projectId],
  accessWake: (): Key => ["access_wake"],
  resourcesStamp: (kind: ResourceKind): Key => ["resources_stamp", kind],
};
