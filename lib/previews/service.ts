import { grants } from "../access/permissions.ts";
import type { ProjectScope } from "../access/scope.ts";
import { getSeenTask } from "../access/seen/tasks.ts";
import { notFound } from "../base/errors.ts";
import { factsOf } from "../compare/facts.ts";
import type { ComparedFact } from "../compare/schema.ts";
import { listRunChanges } from "../results/changes.ts";
import type { Change, HostResultView } from "../results/schema.ts";
import { getRunResults, listRunHosts, listRunPlays, listRunResults } from "../results/service.ts";
import { hasFailedPreview, previewView } from "../tasks/preview_state.ts";
import type { PreviewState, TaskRow } from "../model/task_row.ts";
import { isFinished } from "../model/status.ts";
import { findDifferences } from "./differences.ts";
import type { TaskPreview } from "./schema.ts";
import { FAILURES, wouldChange } from "../results/statuses.ts";
import { someHosts } from "./predictions.ts";

interface Page {
  after?: string;
  limit: number;
}

/** Returns a page of a task's preview. Throws 404 for a task without one. */
export async function getTaskPreview(
  scope: ProjectScope,
  taskId: number,
  page: Page,
): Promise<TaskPreview> {
  const task = await getSeenTask(scope, taskId);
  if (!task.preview) throw notFound();
  const preview = true;
  const [summary, { hosts }, plays, { changes, next }] = await Promise.all([
    summaryOf(scope, task, task.preview),
    listRunHosts(scope, taskId, { preview }),
    listRunPlays(scope, taskId, { preview }),
    listRunChanges(scope, taskId, { ...page, preview }),
  ]);
  const playTasks = new Map(plays.flatMap(({ tasks }) => tasks).map((its) => [its.id, its]));
  return {
    ...summary,
    changes: changes.map(predictedPart).filter(({ host_ids }) => host_ids.length > 0)
      .map(({ play_task_id, diff, host_ids, more }) => ({
        play_task_id,
        play_task: playTasks.get(play_task_id)?.name ?? "",
        role: playTasks.get(play_task_id)?.role ?? "",
        diff,
        ...someHosts(host_ids.map((id) => hosts[id - 1]?.name ?? ""), more),
      })),
    next,
    differences: summary.differences && {
      items: summary.differences.items,
      partial: summary.differences.partial,
    },
  };
}

/** Returns a change without the hosts that the preview itself changed. */
function predictedPart(change: Change): Change {
  const done = new Set(change.done_ids);
  return { ...change, host_ids: change.host_ids.filter((id) => !done.has(id)) };
}

/** Returns a preview's summary, without its single changes. */
async function summaryOf(
  scope: ProjectScope,
  task: TaskRow,
  state: PreviewState,
): Promise<PreviewSummary> {
  const preview = true;
  const [results, { hosts }, plays, differences] = await Promise.all([
    getRunResults(scope, task.id, { preview }),
    listRunHosts(scope, task.id, { preview }),
    listRunPlays(scope, task.id, { preview }),
    wasConfirmed(task) ? findDifferences(scope.deps.kv, task.id) : null,
  ]);
  const view = previewView({
    // Counts so far, until the preview is complete.
    hosts: hosts.length,
    changed_hosts: hosts.filter(wouldChange).length,
    ...state,
  });
  const tasks = plays.flatMap((play) => play.tasks);
  return {
    ...view,
    check_mode: results?.check_mode ?? [],
    carried_out_tasks: tasks.filter(({ carried_out }) => carried_out > 0).map((task) => ({
      play_task_id: task.id,
      play_task: task.name,
      role: task.role,
      action: task.action,
      hosts: task.carried_out,
      changed_hosts: task.carried_out_changed,
    })),
    complete: results !== null && results.complete && results.lost === 0,
    unchecked: tasks.filter(({ unchecked }) => unchecked > 0)
      .map(({ id, name, action, unchecked }) => ({
        play_task_id: id,
        play_task: name,
        action,
        hosts: unchecked,
      })),
    differences,
  };
}

const wasConfirmed = ({ preview, status }: TaskRow): boolean =>
  isFinished(status) && preview?.confirmed_by !== undefined;

type PreviewSummary = Omit<TaskPreview, "changes" | "next">;

/** A task as shown for confirmation. */
export interface Review {
  task: TaskRow;
  /** Inputs of the task and its outcome so far. */
  facts: ComparedFact[];
  /** Null for a task without a preview. */
  preview: PreviewSummary | null;
  /** The first failures of the preview, if it failed. */
  failures: HostResultView[];
  /** Whether the person may confirm it, as far as its preview decides. */
  mayGoOn: boolean;
}

const FAILURES_SHOWN = 20;

/** Facts that a review leaves out, because the page shows them elsewhere. */
const LEFT_OUT = [
  ...["tasks.status_label", "tasks.duration", "compare.play_tasks", "compare.reason"],
  // The page's heading has the template. The names of secret answers are shown.
  ...["compare.template_name", "compare.secret_answers"],
];

/** Returns a task as people must see it before they confirm it. */
export async function reviewTask(scope: ProjectScope, taskId: number): Promise<Review> {
  const task = await getSeenTask(scope, taskId);
  const failed = { preview: true, statuses: FAILURES, limit: FAILURES_SHOWN };
  const [facts, preview, { results }] = await Promise.all([
    factsOf(scope, { run: task, base: task }),
    task.preview ? summaryOf(scope, task, task.preview) : null,
    hasFailedPreview(task) ? listRunResults(scope, taskId, failed) : { results: [] },
  ]);
  return {
    task,
    failures: results,
    mayGoOn: !hasFailedPreview(task) || grants(scope.permissions, "manage_resources"),
    facts: facts.filter(({ label, run, of }) => run !== "" && (of || !LEFT_OUT.includes(label))),
    preview,
  };
}
