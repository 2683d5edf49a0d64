import { END, follow } from "../../access/follow.ts";
import { taskChanges } from "../../tasks/follow_task.ts";
import type { ProjectScope } from "../../access/scope.ts";
import { getSeenTask } from "../../access/seen/tasks.ts";
import { sightOf } from "../../access/sight.ts";
import { approversOf } from "../../approvals/people.ts";
import type { ApprovalPerson, Vote } from "../../approvals/schema.ts";
import type { TaskView } from "../../tasks/schema.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { isFinished } from "../../model/status.ts";
import { taskView } from "../../tasks/view.ts";
import { readVotes } from "../../tasks/vote_store.ts";
import { mayGoOn, taskVoteRefusal } from "./confirm.ts";

/** The approval of a task as one person sees it. */
export interface TaskApprovalStatus {
  /** The people that the rule names. */
  people: ApprovalPerson[];
  votes: Vote[];
  /** Locale key of the reason why this person may not vote; null if they may. */
  refusal: string | null;
  /** Whether they may approve it and not only reject it, as far as its preview decides. */
  mayApprove: boolean;
}

/** Returns the votes about a task, the oldest first. Throws not found. */
export async function listTaskVotes(
  scope: ProjectScope,
  taskId: number,
): Promise<Vote[]> {
  const { deps: { kv }, projectId } = scope;
  const { id } = await getSeenTask(scope, taskId);
  return await readVotes(kv, projectId, id);
}

/** Returns the approval of a task; null if it needs none. */
export async function readApproval(
  scope: ProjectScope,
  task: TaskRow,
): Promise<TaskApprovalStatus | null> {
  const { deps: { kv }, actor, projectId } = scope;
  if (!task.approval) return null;
  const [votes, people, refusal] = await Promise.all([
    readVotes(kv, projectId, task.id),
    approversOf(kv, projectId, task.approval.user_ids),
    actor.kind === "user" ? taskVoteRefusal(kv, task, actor, scope) : "errors.approvals.not_named",
  ]);
  const hasVoted = actor.kind === "user" && votes.some(({ user_id }) => user_id === actor.id);
  return {
    people,
    votes,
    refusal: refusal ?? (hasVoted ? "errors.approvals.voted" : null),
    mayApprove: mayGoOn(task, scope),
  };
}

/** Yields a task with its approval, again when that has changed, until the end of the task. */
export async function* followApproval(
  scope: ProjectScope,
  id: number,
  signal: AbortSignal,
): AsyncGenerator<{ task: TaskView; approval: TaskApprovalStatus | null }> {
  const followed = await getSeenTask(scope, id);
  let sent: string | undefined;
  yield* follow({
    ...taskChanges(scope, followed, signal),
    async *read([{ value }]) {
      if (!value) return yield END;
      const [task, approval] = await Promise.all([
        taskView(scope.deps, value, { brief: true, sight: await sightOf(scope) }),
        readApproval(scope, value),
      ]);
      const state = JSON.stringify([task.status, task.approval, approval]);
      if (state !== sent) yield { task, approval };
      sent = state;
      if (isFinished(task.status)) yield END;
    },
  }, signal);
}
