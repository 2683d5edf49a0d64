import type { ProjectScope } from "../access/scope.ts";
import type { Deps } from "../access/deps.ts";
import { grants } from "../access/permissions.ts";
import { AppError, conflict, invalidField, type Sentence, sentenceOf } from "../base/errors.ts";
import { isPlainHostName } from "../execution/ansible/fields.ts";
import { runOf } from "../output/run_id.ts";
import { findPositions } from "../results/find_results.ts";
import { findHead, listHosts, readPlayTasks } from "../results/result_store.ts";
import type { HostRow } from "../results/rows.ts";
import { FAILURES, hasFailures } from "../results/statuses.ts";
import { readAnswers } from "../tasks/answer_store.ts";
import type { StoryAttempt } from "../tasks/attempts.ts";
import { listRetryIds, packHosts, readHostNames } from "../tasks/host_store.ts";
import { personalFields } from "../tasks/personal.ts";
import { getTaskRow, getTasks } from "../tasks/repository.ts";
import type { RetriedHosts, RetryForm } from "../tasks/retry_form.ts";
import type { TaskRow, TaskView } from "../tasks/schema.ts";
import { parseStart, parseStrings, type StartTaskInput } from "../tasks/start_form.ts";
import { isFinished } from "../tasks/status.ts";
import { templateRows } from "../templates/repository.ts";
import type { TemplateRow } from "../templates/schema.ts";
import { optionNames } from "./arguments.ts";
import { takeCheckTurn } from "./check_turn.ts";
import { type Retry, type StartAlso, startTask } from "./start.ts";
import { addStoryEnd } from "./story.ts";

/**
 * Repeats a finished task on those of its hosts that failed or were unreachable, and a check as a
 * check. The rest is checked as for any new task of the template. Throws 409 if it runs, if no host
 * is left, or if the template has changed so that it cannot be repeated, and 400 for missing secret
 * answers.
 */
export async function retryTask(
  scope: ProjectScope<"run_tasks">,
  taskId: number,
  form: RetryForm,
  automatic?: AutomaticRetry,
): Promise<TaskView> {
  const { deps, projectId } = scope;
  const { kv } = deps;
  const task = await getTaskRow(kv, projectId, taskId);
  if (!isFinished(task.status)) throw conflict("errors.retry.open", { id: task.id });
  const found = await templateRows.find(kv, projectId, task.template_id);
  if (!found) throw conflict("errors.retry.template_deleted", { id: task.id });
  if (form.start_at_failed && !mayStartLater(scope, found.row)) {
    const field = "start_at_failed";
    throw invalidField(field, "errors.not_allowed_by_template", { field });
  }
  const retry = { ...await retryOf(kv, task, form), attempt: automatic?.attempt };
  requireSecrets(task, found.row, form);
  try {
    const also: StartAlso = automatic?.also ??
      (task.check
        ? (op, made) => takeCheckTurn(kv, op, made)
        : (op, { id }) => replaceAttempt(deps, op, task, id));
    const workflow = automatic && task.workflow;
    const input = parseStart(await inputOf(kv, task, form));
    return await startTask(scope, input, also, { retry, workflow, check: task.check });
  } catch (error) {
    throw asChange(error, task, form);
  }
}

/** A retry that the template asked for. */
interface AutomaticRetry {
  attempt: StoryAttempt;
  /** Adds what must be stored with the new task or not at all. */
  also: StartAlso;
}

/** Adds to `op` that a retry replaces the automatic one, if one is due. */
async function replaceAttempt(
  deps: Deps,
  op: Deno.AtomicOperation,
  task: TaskRow,
  id: number,
): Promise<void> {
  if (!task.attempt?.next_at) return;
  await addStoryEnd(deps, op, task, { key: "retry.ended.replaced", params: { id } });
}

/** Number of hosts of a task by how they ended, and how many of them a task can be repeated on. */
export interface Retriable {
  counts: Record<RetriedHosts, number>;
  of: number;
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
  const task = await getTaskRow(kv, projectId, taskId);
  if (!isFinished(task.status) || await isGood(kv, task)) return null;
  const hosts = await hostsOf(kv, task);
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
  return {
    counts,
    of: hosts.length,
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

const WANTED: Record<RetriedHosts, (host: Ended) => boolean> = {
  not_ok: ({ failed, unreachable }) => failed + unreachable > 0,
  failed: ({ failed }) => failed > 0,
  unreachable: ({ unreachable }) => unreachable > 0,
};

/** Returns the execution of a task that counts: that of its preview, unless it was confirmed. */
const executionOf = ({ id, preview }: TaskRow) =>
  runOf(id, preview !== undefined && preview.confirmed_by === undefined);

/** Whether no host failed, as far as that is certain without reading all hosts. */
async function isGood(kv: Deno.Kv, task: TaskRow): Promise<boolean> {
  const head = await findHead(kv, executionOf(task));
  return head !== null && head.hosts > 0 && head.lost === 0 && !hasFailures(head);
}

/**
 * Returns how the hosts of a task ended. If a retry ended before it reached any, all of its hosts
 * still have the failure that it should have ended.
 */
async function hostsOf(kv: Deno.Kv, task: TaskRow): Promise<Ended[]> {
  const hosts = await listHosts(kv, executionOf(task));
  if (hosts.length > 0) return hosts;
  const names = await readHostNames(kv, task) ?? [];
  return names.map((name) => ({ name, failed: 1, unreachable: 0 }));
}

async function retryOf(
  kv: Deno.Kv,
  task: TaskRow,
  { hosts: which, commit, start_at_failed }: RetryForm,
): Promise<Retry> {
  const all = await hostsOf(kv, task);
  if (all.length === 0) throw conflict("errors.retry.no_results", { id: task.id });
  const names = all.filter(WANTED[which]).map(({ name }) => name);
  if (names.length === 0) throw conflict(`errors.retry.none_${which}`, { id: task.id });
  // Results come from plays, so a name may be anything.
  const strange = names.find((name) => !isPlainHostName(name));
  if (strange !== undefined) throw conflict("errors.retry.host_name", { name: strange });
  const start_at = start_at_failed ? await firstFailedTask(kv, task, which) : undefined;
  if (start_at_failed && !start_at) throw conflict("errors.retry.no_failed_task", { id: task.id });
  return {
    task,
    hosts: packHosts(names),
    counts: { hosts: names.length, of: all.length },
    ...start_at && { start_at },
    version: commit === "same" ? task.version : null,
  };
}

/** Gathering facts is not an Ansible task of its own, unless the playbook names it. */
const IMPLICIT = "Gathering Facts";

/** Returns the name of the first Ansible task that failed, if a play can be started there. */
async function firstFailedTask(
  kv: Deno.Kv,
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
function mayStartLater({ actor, permissions }: ProjectScope, template: TemplateRow): boolean {
  if (actor.kind !== "user" || grants(permissions, "manage_resources")) return true;
  const isSet = optionNames(parseStrings(template.arguments ?? "[]") ?? [])?.has("start-at-task");
  return template.allow_override_args_in_task && isSet === false;
}

/** Returns the names of secret answers for which the template has no default. */
function secretsToAsk(task: TaskRow, { survey_vars }: TemplateRow): string[] {
  const ofSurvey = survey_vars.filter(({ type }) => type === "secret");
  const names = task.secret_names ??
    (task.has_secrets ? ofSurvey.map(({ name }) => name) : []);
  const filled = ofSurvey.filter((question) => question.default_value).map(({ name }) => name);
  return names.filter((name) => !filled.includes(name));
}

/** Throws 400 with the names of the secret answers that are missing. They end with their task. */
function requireSecrets(task: TaskRow, template: TemplateRow, { secret }: RetryForm): void {
  const missing = secretsToAsk(task, template).filter((name) => !secret[name]);
  if (missing.length === 0) return;
  const problem = (name: string): Sentence => ({ key: "errors.retry.secret", params: { name } });
  const { key, params } = problem(missing[0]);
  throw new AppError(400, key, params, {
    fields: Object.fromEntries(missing.map((name) => [name, problem(name)])),
  });
}

/** Returns the input that starts the task again, with its own values and new secrets. */
async function inputOf(
  kv: Deno.Kv,
  task: TaskRow,
  { commit, message, secret, hosts: _hosts, start_at_failed: _later, ...personal }: RetryForm,
): Promise<StartTaskInput> {
  const { inventory_id, git_branch, limit, tags, skip_tags } = task.given ?? task;
  return {
    template_id: task.template_id,
    id: task.id,
    build_task_id: task.build_task_id,
    message: message ?? task.message,
    environment: await readAnswers(kv, task),
    secret,
    ...personal,
    arguments: task.arguments,
    debug: task.debug,
    dry_run: task.dry_run,
    diff: task.diff,
    inventory_id,
    git_branch,
    commit_hash: commit === "same" ? task.commit_hash : null,
    limit,
    tags,
    skip_tags,
  };
}

/** Turns an error about the task's own values into one about a change of the template. */
function asChange(error: unknown, { id }: TaskRow, { secret }: RetryForm): unknown {
  if (!(error instanceof AppError) || error.status !== 400) return error;
  const isGiven = (name: string) => name in secret || name in personalFields;
  if (Object.keys(error.details.fields ?? {}).some(isGiven)) return error;
  return conflict("errors.retry.template_changed", { id, reason: sentenceOf(error) });
}
