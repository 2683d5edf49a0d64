type Key = Deno.KvKey;

/**
 * Rows of the hosts that tasks have reached.
 *
 * | key | value | why |
 * |---|---|---|
 * | project_hosts, project, name | ProjectHostRow | hosts that tasks have reached, with the last tasks of each |
 * | hosts_by, project, order, rank, name | true | the same hosts in each sort order of the list |
 * | host_runs, project, name, task | HostRunRow | changes and outcome of each task on a host |
 * | host_facts, project, name, part | FactsRow, FactChangesRow | facts of a host from the latest task that gathered them, and the changes since the task before |
 * | run_hosts, project, task, n | names | hosts that have rows for a task, which are deleted with it |
 * | hosts_guard, project | any | changes with each change of a project's hosts; values computed from their names are cached until then |
 */
export const hostKeys = {
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
};
