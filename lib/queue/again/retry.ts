import type { ProjectScope } from "../../access/scope.ts";
import { getSeenTask } from "../../access/seen/tasks.ts";
import type { Deps } from "../../access/deps.ts";
import { AppError, conflict, invalidField, type Sentence, sentenceOf } from "../../base/errors.ts";
import { isPlainHostName } from "../../execution/ansible/results/fields.ts";
import { readAnswers } from "../../tasks/answer_store.ts";
import type { TaskAttempt, TaskRow } from "../../model/task_row.ts";
import { packHosts } from "../../tasks/host_store.ts";
import { personalFields } from "../../tasks/personal.ts";
import { findTask } from "../../model/tasks.ts";
import type { RetryForm } from "../../tasks/retry_form.ts";
import type { TaskView } from "../../tasks/schema.ts";
import { parseStart, type StartTaskInput } from "../../tasks/start_form.ts";
import { isFinished } from "../../model/status.ts";
import { templateRows } from "../../templates/repository.ts";
import type { TemplateRow } from "../../templates/schema.ts";
import { claimLatestCheck } from "./latest_check.ts";
import { endedHosts, firstFailedTask, mayStartLater, secretsToAsk, WANTED } from "./retriable.ts";
import { type StartAlso, startTask } from "../start/start.ts";
import type { Repeats, StartCause } from "../start/start_cause.ts";
import { addAttemptsEnd } from "../ending/attempts_end.ts";
import type { Atomic, Store } from "../../store/store.ts";

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
  { automatic, also }: { automatic?: AutomaticRetry; also?: StartAlso } = {},
): Promise<TaskView> {
  const { deps, projectId } = scope;
  const { kv } = deps;
  const task = await getSeenTask(scope, taskId);
  if (!isFinished(task.status)) throw conflict("errors.retry.open", { id: task.id });
  const found = await templateRows.find(kv, projectId, task.template_id);
  if (!found) throw conflict("errors.retry.template_deleted", { id: task.id });
  if (form.start_at_failed && !mayStartLater(scope, found.row)) {
    const field = "start_at_failed";
    throw invalidField(field, "errors.not_allowed_by_template", { field });
  }
  const repeats = await repeatsFor(kv, task, form);
  requireSecrets(task, found.row, form);
  try {
    const alsoAll: StartAlso = automatic?.also ?? (async (op, made) => {
      await also?.(op, made);
      if (task.check) await claimLatestCheck(kv, op, made);
      else await replaceAttempt(deps, op, task, made.id);
    });
    const input = parseStart(await inputOf(kv, task, form));
    const cause: StartCause = automatic
      ? { kind: "attempt", repeats, attempt: automatic.attempt }
      : { kind: task.check ? "check" : "retry", repeats };
    return await startTask(scope, input, alsoAll, cause);
  } catch (error) {
    throw asChange(error, task, form);
  }
}

/** A retry that the template asked for. */
interface AutomaticRetry {
  attempt: TaskAttempt;
  /** Adds what must be stored with the new task or not at all. */
  also: StartAlso;
}

/** Adds to `op` that a retry replaces the automatic one, if one is due. */
async function replaceAttempt(
  deps: Deps,
  op: Atomic,
  { project_id, id: taskId }: TaskRow,
  id: number,
): Promise<void> {
  // Another retry, or the attempt itself, may have started meanwhile.
  const task = await findTask(deps.kv, project_id, taskId);
  if (!task?.attempt?.next_at) return;
  await addAttemptsEnd(deps, op, task, { key: "retry.ended.replaced", params: { id } });
}

async function repeatsFor(
  kv: Store,
  task: TaskRow,
  { hosts: which, commit, start_at_failed }: RetryForm,
): Promise<Repeats> {
  const all = await endedHosts(kv, task);
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
  kv: Store,
  task: TaskRow,
  { commit, message, secret, hosts: _hosts, start_at_failed: _later, ...personal }: RetryForm,
): Promise<StartTaskInput> {
  const { inventory_id, git_branch, limit, tags, skip_tags } = task.given;
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
    skip_galaxy_install: task.given.skip_galaxy_install ?? null,
  };
}

/** Turns an error about the task's own values into one about a change of the template. */
function asChange(error: unknown, { id }: TaskRow, { secret }: RetryForm): unknown {
  if (!(error instanceof AppError) || error.status !== 400) return error;
  const isGiven = (name: string) => name in secret || name in personalFields;
  if (Object.keys(error.details.fields ?? {}).some(isGiven)) return error;
  return conflict("errors.retry.template_changed", { id, reason: sentenceOf(error) });
}
