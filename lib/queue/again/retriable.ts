import type { ProjectScope } from "../../access/scope.ts";
import { getSeenTask } from "../../access/seen/tasks.ts";
import { grants } from "../../access/permissions.ts";
import { runOf } from "../../output/run_id.ts";
import { findPositions } from "../../results/find_results.ts";
import { findHead, listHosts, readPlayTasks } from "../../results/result_store.ts";
import type { HostRow } from "../../results/rows.ts";
import { FAILURES, hasFailures } from "../../results/statuses.ts";
import { listRetryIds, readHostNames } from "../../tasks/host_store.ts";
import { getTasks } from "../../model/tasks.ts";
import type { RetriedHosts } from "../../tasks/retry_form.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { parseStrings } from "../../tasks/start_form.ts";
import { isFinished } from "../../model/status.ts";
import { templateRows } from "../../templates/repository.ts";
import type { TemplateRow } from "../../templates/schema.ts";
import { optionNames } from "../inputs/arguments.ts";
import type { Store } from "../../store/store.ts";

/** Number of hosts of a task by how they ended, and how many of them a task can be repeated on. */
export interface Retriable {
  counts: Record<RetriedHosts, number>;
  of: number;
  /** Id of the latest task that repeats it; 0 for none. */
  latest: number;
  /** The first Ansible task that failed; null if the reader cannot start there. */
  startAt: string | null;
  /** Names of the answers that have to be given again. */
  secrets: string[];
}

/**
 * Returns the hosts to repeat a task on; null if there are none, if it has not ended, or if the
 * reader may not run tasks.
 */
export async function findRetriable(
  scope: ProjectScope,
  taskId: number,
): Promise<Retriable | null> {
  const { deps: { kv }, projectId, permissions } = scope;
  if (!grants(permissions, "run_tasks")) return null;
  const task = await getSeenTask(scope, taskId);
  if (!isFinished(task.status) || await isGood(kv, task)) return null;
  const hosts = await endedHosts(kv, task);
  const count = (which: RetriedHosts) => hosts.filter(WANTED[which]).length;
  const counts = {
    not_ok: count("not_ok"),
    failed: count("failed"),
    unreachable: count("unreachable"),
  };
  if (counts.not_ok === 0) return null;
  const found = await templateRows.find(kv, projectId, task.template_id);
  if (!found) return null;
  const startsLater = mayStartLater(scope, found.row);
  const [latest = 0] = await listRetryIds(kv, task, 1);
  return {
    counts,
    of: hosts.length,
    latest,
    startAt: startsLater ? await firstFailedTask(kv, task, "not_ok") ?? null : null,
    secrets: secretsToAsk(task, found.row),
  };
}

/** A task that repeats another one. */
export type RetryTask = Pick<TaskRow, "id" | "status">;

/** Number of retries that a page shows. */
const RETRIES_MAX = 20;

/** Returns the latest tasks that repeat a task, oldest first. */
export async function listRetries(
  { deps: { kv }, projectId }: ProjectScope,
  task: TaskRow,
): Promise<RetryTask[]> {
  const ids = await listRetryIds(kv, task, RETRIES_MAX);
  const rows = await getTasks(kv, ids.map((id) => [projectId, id]));
  return rows.map(({ id, status }) => ({ id, status }));
}

type Ended = Pick<HostRow, "name" | "failed" | "unreachable">;

export const WANTED: Record<RetriedHosts, (host: Ended) => boolean> = {
  not_ok: ({ failed, unreachable }) => failed + unreachable > 0,
  failed: ({ failed }) => failed > 0,
  unreachable: ({ unreachable }) => unreachable > 0,
};

/** Returns the execution of a task that counts: that of its preview, unless it was confirmed. */
const executionOf = ({ id, preview }: TaskRow) =>
  runOf(id, preview !== undefined && preview.confirmed_by === undefined);

/** Whether no host failed, as far as that is certain without reading all hosts. */
async function isGood(kv: Store, task: TaskRow): Promise<boolean> {
  const head = await findHead(kv, executionOf(task));
  return head !== null && head.hosts > 0 && head.lost === 0 && !hasFailures(head);
}

/**
 * Returns how the hosts of a task ended. If a retry ended before it reached any, all of its hosts
 * still have the failure that it should have ended.
 */
export async function endedHosts(kv: Store, task: TaskRow): Promise<Ended[]> {
  const hosts = await listHosts(kv, executionOf(task));
  if (hosts.length > 0) return hosts;
  const names = await readHostNames(kv, task) ?? [];
  return names.map((name) => ({ name, failed: 1, unreachable: 0 }));
}

/** Gathering facts is not an Ansible task of its own, unless the playbook names it. */
const IMPLICIT = "Gathering Facts";

/** Returns the name of the first Ansible task that failed, if a play can be started there. */
export async function firstFailedTask(
  kv: Store,
  task: TaskRow,
  which: RetriedHosts,
): Promise<string | undefined> {
  const run = executionOf(task);
  const statuses = which === "not_ok" ? FAILURES : [which];
  const [position] = await findPositions(kv, run, { statuses, limit: 1 });
  if (!position) return undefined;
  const failed = (await readPlayTasks(kv, run, [position[0]])).get(position[0]);
  return !failed || failed.handler || failed.name === IMPLICIT ? undefined : failed.name;
}

/**
 * Whether a retry may start at a later Ansible task. That skips the first checks of a playbook, so
 * it requires the right to send that argument.
 */
export function mayStartLater(
  { actor, permissions }: ProjectScope,
  template: TemplateRow,
): boolean {
  if (actor.kind !== "user") return true;
  if (!grants(permissions, "override_runs")) return false;
  if (grants(permissions, "manage_resources")) return true;
  const isSet = optionNames(parseStrings(template.arguments ?? "[]") ?? [])?.has("start-at-task");
  return template.allow_override_args_in_task && isSet === false;
}

/** Returns the names of secret answers for which the template has no default. */
export function secretsToAsk(task: TaskRow, { survey_vars }: TemplateRow): string[] {
  const ofSurvey = survey_vars.filter(({ type }) => type === "secret");
  const filled = ofSurvey.filter((question) => question.default_value).map(({ name }) => name);
  return task.secret_names.filter((name) => !filled.includes(name));
}
