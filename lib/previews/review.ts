import type { ProjectScope } from "../access/scope.ts";
import { factsOf } from "../compare/facts.ts";
import type { Fact } from "../compare/schema.ts";
import { getTask } from "../tasks/repository.ts";
import type { TaskRow } from "../tasks/schema.ts";
import type { TaskPreview } from "./schema.ts";
import { getTaskPreview } from "./service.ts";

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
