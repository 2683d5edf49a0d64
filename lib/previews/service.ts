import type { ProjectScope } from "../access/scope.ts";
import { notFound } from "../base/errors.ts";
import { factsOf } from "../compare/facts.ts";
import type { Fact } from "../compare/schema.ts";
import { listRunChanges } from "../results/run_changes.ts";
import { getRunResults, listRunHosts, listRunPlays } from "../results/service.ts";
import { previewView } from "../tasks/preview_state.ts";
import { getTask } from "../tasks/repository.ts";
import type { TaskRow } from "../tasks/schema.ts";
import { isFinished } from "../tasks/status.ts";
import { findDifferences } from "./differences.ts";
import type { TaskPreview } from "./schema.ts";
import { someHosts } from "./some_hosts.ts";

interface Page {
  after?: string;
  limit: number;
}

/** A page of what a task's preview predicts. Throws not found for a task that has none. */
export async function getTaskPreview(
  scope: ProjectScope,
  taskId: number,
  page: Page,
): Promise<TaskPreview> {
  const { kv } = scope.deps;
  const task = await getTask(kv, scope.projectId, taskId);
  if (!task.preview) throw notFound();
  const preview = true;
  const [results, { hosts }, plays, { changes, next }, differences] = await Promise.all([
    getRunResults(scope, taskId, { preview }),
    listRunHosts(scope, taskId, { preview }),
    listRunPlays(scope, taskId, { preview }),
    listRunChanges(scope, taskId, { ...page, preview }),
    wasConfirmed(task) ? findDifferences(kv, taskId) : null,
  ]);
  const playTasks = new Map(plays.flatMap(({ tasks }) => tasks).map((its) => [its.id, its]));
  return {
    ...previewView(task.preview),
    complete: results !== null && results.complete && results.lost === 0,
    changes: changes.map(({ play_task_id, diff, host_ids, more }) => ({
      play_task_id,
      play_task: playTasks.get(play_task_id)?.name ?? "",
      role: playTasks.get(play_task_id)?.role ?? "",
      diff,
      ...someHosts(host_ids.map((id) => hosts[id - 1]?.name ?? ""), more),
    })),
    next,
    unchecked: [...playTasks.values()].filter(({ unchecked }) => unchecked > 0)
      .map(({ id, name, action, unchecked }) => ({
        play_task_id: id,
        play_task: name,
        action,
        hosts: unchecked,
      })),
    differences: differences && { items: differences.items, partial: differences.partial },
  };
}

const wasConfirmed = ({ preview, status }: TaskRow): boolean =>
  isFinished(status) && preview?.confirmed_by !== undefined;

/** What somebody confirms. */
export interface Review {
  task: TaskRow;
  /** What it was given, and what it has come to. */
  facts: Fact[];
  /** Null of one that is not previewed, or not yet. */
  preview: TaskPreview | null;
}

/** Changes that a page shows. */
const CHANGES_MAX = 20;

/** What is told where the question is whether to carry it out, or what came of it. */
const LEFT_OUT = ["tasks.status_label", "tasks.duration", "compare.play_tasks", "compare.reason"];

/** A task as who confirms it must see it, with its changes after those of `after`. */
export async function reviewTask(
  scope: ProjectScope,
  taskId: number,
  after?: string,
): Promise<Review> {
  const task = await getTask(scope.deps.kv, scope.projectId, taskId);
  const [facts, preview] = await Promise.all([
    factsOf(scope, { run: task, base: task }),
    task.preview?.made ? getTaskPreview(scope, taskId, { after, limit: CHANGES_MAX }) : null,
  ]);
  return {
    task,
    facts: facts.filter(({ label, run, isAnswer }) =>
      run !== "" && (isAnswer || !LEFT_OUT.includes(label))
    ),
    preview,
  };
}
