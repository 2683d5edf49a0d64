import type { ProjectScope } from "../access/scope.ts";
import { sightOf } from "../access/sight.ts";
import { notFound } from "../base/errors.ts";
import type { Reason } from "../base/reason.ts";
import { isoTime } from "../base/time/clock.ts";
import { recordEvent } from "../events/record.ts";
import type { ListPosition } from "../store/counted.ts";
import { rowKeys } from "../store/keys.ts";
import { getAll } from "../store/rows/get_all.ts";
import type { Store } from "../store/store.ts";
import { findHostFailures } from "../results/host_failures.ts";
import { HOST_STATUSES, type HostStatus, isFailure } from "../results/statuses.ts";
import type { HostRunRow, ProjectHostRow } from "./rows.ts";
import { deleteHost as forget, findHost } from "./store.ts";
import { listSeenHosts, seenHost, seenOfTasks, seenRuns } from "./seen.ts";
import { findTasks } from "../tasks/service.ts";
import { type HostPage, listHostRows, pageOfHosts } from "./list.ts";
import type { HostCursor, HostFacts, HostRun, ProjectHost } from "./schema.ts";
import { readFacts } from "./facts_store.ts";

/** Returns the hosts that tasks of the project have reached, those that the actor sees. */
export async function listProjectHosts(
  scope: ProjectScope,
  page: HostPage,
): Promise<{ hosts: ProjectHost[]; next: HostCursor | null; position: ListPosition }> {
  const { deps: { kv }, projectId } = scope;
  const sight = await sightOf(scope);
  const { hosts, ...rest } = sight.seesAll
    ? await listHostRows(kv, projectId, page)
    : pageOfHosts(await listSeenHosts(scope, sight), page);
  return { ...rest, hosts: hosts.map(projectHost) };
}

/** Returns why those of the hosts failed whose last run did, by their names. */
export async function readHostReasons(
  { deps: { kv }, projectId }: ProjectScope,
  hosts: readonly ProjectHost[],
): Promise<ReadonlyMap<string, Reason>> {
  const failed = hosts.filter(({ status }) => isFailure(status));
  const keys = failed.map(({ name, last_task_id }) =>
    rowKeys.hostRun(projectId, name, last_task_id)
  );
  const rows = await getAll<HostRunRow>(kv, keys);
  const runs = rows.flatMap(({ value }, n) => value ? [{ name: failed[n].name, ...value }] : []);
  const found = await Promise.all(
    [...Map.groupBy(runs, ({ task }) => task)].map(async ([task, its]) => {
      const reasons = await findHostFailures(kv, task, its.map(({ host }) => host));
      return its.flatMap(({ name, host }) => {
        const reason = reasons.get(host);
        return reason ? [[name, reason] as const] : [];
      });
    }),
  );
  return new Map(found.flat());
}

/** Returns a host by its name; null if no task that the actor sees has reached such a host. */
export async function findProjectHost(
  scope: ProjectScope,
  name: string,
): Promise<ProjectHost | null> {
  const found = await findHost(scope.deps.kv, scope.projectId, name);
  const row = found && await seenHost(scope, await sightOf(scope), found);
  return row && projectHost(row);
}

/** Returns a host by its name. Throws 404 if there is none. */
export async function getProjectHost(scope: ProjectScope, name: string): Promise<ProjectHost> {
  const host = await findProjectHost(scope, name);
  if (!host) throw notFound();
  return host;
}

/** Returns a host's tasks, newest first. Throws 404 if no task has reached such a host. */
export async function listHostRuns(
  scope: ProjectScope,
  name: string,
  { limit, before }: { limit: number; before?: number },
): Promise<{ runs: HostRun[]; hasNext: boolean }> {
  await getProjectHost(scope, name);
  const page = { limit: limit + 1, before };
  const sight = await sightOf(scope);
  const rows = await seenRuns(scope.deps.kv, sight, scope.projectId, name, page);
  const shown = rows.slice(0, limit);
  const tasks = await findTasks(scope, shown.map(({ task }) => task));
  const runs = await Promise.all(shown.flatMap((row) => {
    const task = tasks.get(row.task);
    return task ? [hostRun(scope.deps.kv, row, task)] : [];
  }));
  return { runs, hasNext: rows.length > limit };
}

/** Deletes a host with its history. A task that reaches it again creates it again. */
export async function forgetHost(
  scope: ProjectScope<"manage_resources">,
  name: string,
): Promise<void> {
  const { deps, actor, projectId } = scope;
  await getProjectHost(scope, name);
  await forget(deps.kv, projectId, name, (op) =>
    recordEvent(op, deps, actor, {
      projectId,
      object: "host",
      id: 0,
      name,
      action: "forgotten",
    }));
}

const statusOf = (severity: number): HostStatus => HOST_STATUSES[severity];

function projectHost({ name, marks, last_good: good }: ProjectHostRow): ProjectHost {
  const [last] = marks;
  return {
    name,
    status: statusOf(last.severity),
    last_task_id: last.task,
    last_run: isoTime(last.ended),
    last_success_task_id: good && good.task,
    last_success: good && isoTime(good.ended),
    runs: marks.map(({ task, severity, changed }) => ({
      task_id: task,
      status: statusOf(severity),
      changed,
    })),
  };
}

type Task = Awaited<ReturnType<typeof findTasks>> extends Map<number, infer View> ? View : never;

async function hostRun(kv: Store, row: HostRunRow, task: Task): Promise<HostRun> {
  const { task: task_id, host, severity, good: _, began, ended, busy_ms, complete, ...counts } =
    row;
  const status = statusOf(severity);
  const failed = isFailure(status) ? [host] : [];
  return {
    ...counts,
    reason: (await findHostFailures(kv, task_id, failed)).get(host) ?? null,
    task_id,
    template_id: task.template_id,
    template_name: task.tpl_alias,
    task_status: task.status,
    retry_of: task.retry_of,
    host_id: host,
    status,
    complete,
    start: isoTime(began),
    end: isoTime(ended),
    duration_ms: busy_ms,
  };
}

/**
 * Returns the facts that the latest task gathered of a host. Someone who does not see this task
 * gets none, and no changes since a task that they do not see. Throws 404 if there is no such host.
 */
export async function getHostFacts(scope: ProjectScope, name: string): Promise<HostFacts> {
  const { deps: { kv }, projectId } = scope;
  await getProjectHost(scope, name);
  const { row, facts, since, changes } = await readFacts(kv, projectId, name);
  const sight = await sightOf(scope);
  const asked = sight.seesAll ? [] : [row?.task ?? 0, since ?? 0];
  const seen = await seenOfTasks(kv, sight, projectId, asked);
  const isSeen = (task: number) => sight.seesAll || seen.has(task);
  if (row && !isSeen(row.task)) return NO_FACTS;
  const isSinceSeen = since === null || isSeen(since);
  return {
    task_id: row?.task ?? null,
    gathered: row && new Date(row.at).toISOString(),
    facts: facts.value,
    shortened: facts.shortened,
    since_task_id: isSinceSeen ? since : null,
    changes: isSinceSeen ? changes : [],
  };
}

const NO_FACTS: HostFacts = {
  task_id: null,
  gathered: null,
  facts: {},
  shortened: [],
  since_task_id: null,
  changes: [],
};
