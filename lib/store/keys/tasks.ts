type Key = Deno.KvKey;

/**
 * Rows of tasks, their queue, output and results.
 *
 * | key | value | why |
 * |---|---|---|
 * | tasks, project, task | TaskRow | all tasks |
 * | tasks_by_template, project, template, task | true | tasks of a template, latest last |
 * | task_history, project, template (0: any), starter (0: any; a user, below 0 by an API token; a trigger; "runner:" and a runner; "workflow:" and a workflow), status (empty: any), task | true | filters of the history, alone and combined: by starter, runner or workflow, and by status once a task has ended |
 * | builds, project, template, task | true | successful builds and deploys that a deploy may select |
 * | row_counts, project, tasks | number | number of tasks: see counted.ts |
 * | row_counts, project, kind, template | number | number of rows in each list of an index |
 * | row_counts, project, kind, template, user, status | number | |
 * | runs_by_day, project, template (0: any), user (0: any), day, status or "seconds" | number | how many tasks of a day ended with which status, and their duration: see trends/counters.ts |
 * | runs_by_quarter, project, quarter of an hour, status | number | same counts for the last weeks, to compute days in any time zone |
 * | last_tasks, project, template | TaskRow | copy of the latest task, updated in the same commit, so that a list of 500 templates is one read |
 * | build_versions, project, template | version | latest assigned version, updated in the commit of its task |
 * | task_counts, project, template | number | how many tasks of it were started; checked by each start and by the template's deletion, so that they notice each other |
 * | task_answers, project, task, n | bytes | survey answers that are too long for their task's row |
 * | task_outputs, project, task, name | bytes | an output of a finished task, stored before its end: see tasks/outputs.ts |
 * | task_hosts, project, task, n | bytes | names of the only hosts that a task runs on, compressed |
 * | task_retries, project, task, task | true | the second task repeats the first one on some hosts |
 * | repeated_tasks, project, task | Compared | attempts that lists leave out because another one follows: see tasks/history/filter.ts |
 * | task_votes, project, task, user | Vote | votes about the confirmation of a task |
 * | task_secrets, task | bytes | encrypted secret survey answers, until the task has ended and no attempt follows |
 * | task_secrets, task, n | bytes | remainder of long ones |
 * | task_passwords, task | bytes | encrypted passwords that the starter was asked for, until the task has ended |
 * | task_pins, task | Pin | inputs of a preview besides its task's row, until the task has ended: see tasks/pin_store.ts |
 * | task_pins, task, n | bytes | text of its inventory |
 * | approved_inputs, task, approver | InputRow[] | inputs that were approved, until the task has ended and no attempt follows: see tasks/approved_inputs.ts |
 * | open_tasks, task | OpenTask | waiting and running tasks: everything that the dispatcher reads |
 * | remote_runs, task | RemoteRunRow | the execution of a task on a runner: see queue/remote/rows.ts |
 * | dispatcher_claims | task id | changes with each claim, so that two servers cannot exceed a limit together |
 * | tasks_wake | any | changes with each change of a list of tasks, or when one may start; watched by other servers' dispatchers and relays |
 * | tasks_gone | any | changes after tasks were deleted; watched by relays |
 * | task_log_heads, task | LogHead | number of stored lines; watched by readers, checked by its only writer |
 * | task_log_fences, task | 1 | changes when another server takes over the log: the previous writer can store nothing more |
 * | task_log_chunks, task, first line | LogChunk | output |
 * | task_result_heads, task (below 0: its preview) | ResultHead | extent of the stored results of a task: see lib/results/rows.ts; watched by relays |
 * | task_results, task, kind, n | plays, Ansible tasks and hosts, 32 in a row; texts in chunks; differences; full module results | read by the page |
 * | task_results, task, kind, n, n | cells of Ansible task x host, their states alone, hosts with equal changes, and facts until their host has them | the cost of a window depends on its size only |
 * | task_log_sections, task, n | LogSection[] | plays and Ansible tasks in the log, 50 in a row |
 * | task_imports, project, task | true | the output of the task is stored, the task itself not yet; after a crash, the rest is deleted with the project |
 */
export const taskKeys = {
  task: (projectId: number, id: number): Key => ["tasks", projectId, id],
  tasks: (projectId: number): Key => ["tasks", projectId],
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
  /** Counts of the lists of one template. */
  rowCountsOf: (projectId: number, templateId: number): Key[] =>
    ["tasks_by_template", "task_history", "builds"].map((kind) =>
      taskKeys.rowCount(projectId, kind, templateId)
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
  lastTask: (projectId: number, templateId: number): Key => ["last_tasks", projectId, templateId],
  lastTasks: (projectId: number): Key => ["last_tasks", projectId],
  buildVersion: (projectId: number, templateId: number): Key => [
    "build_versions",
    projectId,
    templateId,
  ],
  taskCount: (projectId: number, templateId: number): Key => ["task_counts", projectId, templateId],
  taskCounts: (projectId: number): Key => ["task_counts", projectId],
  taskAnswers: (projectId: number, taskId: number, n: number): Key => [
    "task_answers",
    projectId,
    taskId,
    n,
  ],
  taskOutput: (projectId: number, taskId: number, name: string): Key => [
    "task_outputs",
    projectId,
    taskId,
    name,
  ],
  taskOutputs: (projectId: number, taskId: number): Key => ["task_outputs", projectId, taskId],
  taskHosts: (projectId: number, taskId: number, n: number): Key => [
    "task_hosts",
    projectId,
    taskId,
    n,
  ],
  taskRetry: (projectId: number, taskId: number, retryId: number): Key => [
    "task_retries",
    projectId,
    taskId,
    retryId,
  ],
  taskRetries: (projectId: number, taskId: number): Key => ["task_retries", projectId, taskId],
  repeatedTask: (projectId: number, taskId: number): Key => ["repeated_tasks", projectId, taskId],
  repeatedTasks: (projectId: number): Key => ["repeated_tasks", projectId],
  taskVote: (projectId: number, taskId: number, userId: number): Key => [
    "task_votes",
    projectId,
    taskId,
    userId,
  ],
  taskVotes: (projectId: number, taskId: number): Key => ["task_votes", projectId, taskId],
  taskSecrets: (taskId: number, n = 0): Key =>
    n === 0 ? ["task_secrets", taskId] : ["task_secrets", taskId, n],
  taskPasswords: (taskId: number): Key => ["task_passwords", taskId],
  taskPin: (taskId: number): Key => ["task_pins", taskId],
  taskPinText: (taskId: number, n: number): Key => ["task_pins", taskId, n],
  approvedInputs: (taskId: number, by: string): Key => ["approved_inputs", taskId, by],
  openTask: (taskId: number): Key => ["open_tasks", taskId],
  openTasks: (): Key => ["open_tasks"],
  remoteRun: (taskId: number): Key => ["remote_runs", taskId],
  dispatcherClaims: (): Key => ["dispatcher_claims"],
  tasksWake: (): Key => ["tasks_wake"],
  tasksGone: (): Key => ["tasks_gone"],
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
  taskImport: (projectId: number, taskId: number): Key => ["task_imports", projectId, taskId],
  taskImports: (projectId: number): Key => ["task_imports", projectId],
};
