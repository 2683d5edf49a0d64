import { type Actor, namesOf, type SystemActor, type UserActor } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import { grants } from "../../access/permissions.ts";
import type { Membership, ProjectScope } from "../../access/scope.ts";
import { getSeenTask } from "../../access/seen/tasks.ts";
import { addVote } from "../../approvals/add_vote.ts";
import { outcomeOf, voteRefusal, voterOf } from "../../approvals/rule.ts";
import type { Vote, VoteForm } from "../../approvals/schema.ts";
import { AppError, conflict, forbidden, type Sentence } from "../../base/errors.ts";
import { personParam } from "../../base/person.ts";
import { recordEvent } from "../../events/record.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { newApproval } from "../../tasks/approval.ts";
import { firstCauseOf } from "../../tasks/cause.ts";
import { systemActor, taskChanged, taskEvent } from "../../tasks/changes.ts";
import { hasFailedPreview } from "../../tasks/preview_state.ts";
import { findTask } from "../../model/tasks.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { addStep } from "../../tasks/steps.ts";
import { readVotes } from "../../tasks/vote_store.ts";
import { approveInputs } from "../inputs/approved.ts";
import { endTask } from "../ending/end_task.ts";
import { onlyStarterConfirms } from "../inputs/personal.ts";
import { requireAsPreviewed } from "../inputs/pins.ts";

type Note = Pick<VoteForm, "note">;

/**
 * Approves a task, which confirms it if no further approvals are needed. Throws 403 unless its rule
 * lets the actor vote, and 409 if they have voted, or if it does not wait for a confirmation.
 */
export async function confirmTask(
  scope: ProjectScope,
  id: number,
  { note, in_spite_of_failures }: Note & { in_spite_of_failures?: boolean } = { note: "" },
): Promise<void> {
  const { deps, actor } = scope;
  const task = await getWaiting(scope, id);
  if (hasFailedPreview(task) && !in_spite_of_failures) throw conflict("errors.preview.failed");
  if (task.preview) await requireAsPreviewed(deps, task);
  const next = await transact(deps.kv, (op) =>
    addStep(deps.kv, op, task, async (current) => ({
      to: "confirmed",
      from: "waiting_confirmation",
      ...await approve(deps, op, actor, current, note),
    })));
  taskChanged(deps, next);
  deps.wakeDispatcher();
}

/**
 * Confirms an automatic fix, whose template needs no person for that. Throws as `confirmTask` does.
 * `also` adds to the commit.
 */
export async function confirmAutoFix(
  deps: Deps,
  task: TaskRow,
  actor: SystemActor,
  also: (op: Atomic) => Promise<void>,
): Promise<void> {
  if (hasFailedPreview(task)) throw conflict("errors.preview.failed");
  await requireAsPreviewed(deps, task);
  const next = await transact(deps.kv, (op) =>
    addStep(deps.kv, op, task, (current) => ({
      to: "confirmed",
      from: "waiting_confirmation",
      change: { preview: { ...current.preview!, confirmed_by: "Callboard" } },
      async also(op, next) {
        await also(op);
        recordEvent(op, deps, actor, taskEvent(next, "confirmed"));
      },
    })));
  taskChanged(deps, next);
  deps.wakeDispatcher();
}

/** Adds an approval to `op`, and returns how it changes the task. */
async function approve(
  deps: Deps,
  op: Atomic,
  actor: Actor,
  task: TaskRow,
  note: string,
) {
  const { vote, earlier } = await castVote(deps, op, actor, task, { status: "approved", note });
  const again = await approveInputs(deps.kv, op, task);
  const votes = again ? [vote] : [...earlier, vote];
  const approval = { ...task.approval!, approved: votes.length, ...again && { again } };
  const isLast = outcomeOf(approval, approval) === "approved";
  const confirmed = hasFailedPreview(task) ? "confirmed_failed" : "confirmed";
  const confirmed_by = votes.map(({ user_name }) => user_name).join(", ");
  const confirmers = votes.map(({ user_id, username, user_name }) => ({
    ...{ user_id, username, user_name },
  }));
  const preview = isLast && task.preview && { ...task.preview, confirmed_by, confirmers };
  return {
    stays: !isLast,
    change: { approval, ...preview && { preview } },
    also(op: Atomic, next: TaskRow) {
      if (again) {
        const asked = { ...taskEvent(next, "asked_again"), params: { reason: again } };
        recordEvent(op, deps, systemActor(next), asked);
      }
      recordEvent(op, deps, actor, {
        ...taskEvent(next, withNote(isLast ? confirmed : "approved", note)),
        params: { note, approved: votes.length, needed: approval.needed },
      });
    },
  };
}

/** Rejects a task, which ends it. Throws the same as `confirmTask`. */
export async function rejectTask(
  scope: ProjectScope,
  id: number,
  { note }: Note = { note: "" },
): Promise<void> {
  const { deps, actor } = scope;
  const task = await getWaiting(scope, id);
  await endTask(deps, task, {
    how: "rejected",
    by: actor,
    stop: "stop",
    reason: rejected(task, personParam(namesOf(actor)), note),
    event: { action: withNote("rejected", note), params: { note } },
    also: async (op, current) =>
      void await castVote(deps, op, actor, current, { status: "rejected", note }),
  });
}

function rejected({ preview }: TaskRow, name: Sentence, note: string): Sentence {
  const count = preview?.carried_out ?? 0;
  if (count > 0) return { key: "errors.run.rejected_after_some", params: { name, count } };
  return { key: withNote("errors.run.rejected", note), params: { name, note } };
}

const withNote = (key: string, note: string) => note ? `${key}_note` : key;

/**
 * Returns a task that waits for a confirmation. Throws as `requireTaskVoter` does, and only then
 * 409 if it does not wait.
 */
async function getWaiting(scope: ProjectScope, id: number): Promise<TaskRow> {
  const task = await requireTaskVoter(scope, id);
  requireWaiting(task);
  return task;
}

/** Returns a task. Throws 404, and 403 for people who may not vote about it. */
export async function requireTaskVoter(scope: ProjectScope, id: number): Promise<TaskRow> {
  const { deps: { kv }, actor } = scope;
  const task = await getSeenTask(scope, id);
  if (actor.kind !== "user") throw forbidden();
  const refusal = await taskVoteRefusal(kv, task, actor, scope);
  if (refusal) throw new AppError(403, refusal);
  return task;
}

/** Throws 409 unless a task waits for a confirmation. */
function requireWaiting({ status }: TaskRow) {
  if (status !== "waiting_confirmation") throw conflict("errors.not_waiting_confirmation");
}

/**
 * Adds a vote to `op`, and returns it with the earlier ones. Each vote changes the row of the task,
 * which the commit checks, too.
 */
async function castVote(
  deps: Deps,
  op: Atomic,
  actor: Actor,
  task: TaskRow,
  form: VoteForm,
): Promise<{ vote: Vote; earlier: Vote[] }> {
  requireWaiting(task);
  if (actor.kind !== "user") throw forbidden();
  const { kv } = deps;
  const { project_id: projectId, id } = task;
  const vote = await addVote(deps, op, {
    ...form,
    actor,
    projectId,
    key: rowKeys.taskVote(projectId, id, actor.id),
    refusal: async (membership) =>
      form.status === "approved" && !mayGoOn(task, membership)
        ? "errors.preview.manager"
        : await taskVoteRefusal(kv, task, actor, membership),
  });
  return { vote, earlier: await readVotes(kv, projectId, id) };
}

/** Whether a person may confirm a task, as far as its preview decides. */
export const mayGoOn = (
  task: Pick<TaskRow, "preview">,
  { permissions }: Pick<Membership, "permissions">,
): boolean => !hasFailedPreview(task) || grants(permissions, "manage_resources");

/** Returns the locale key of the reason why a person may not vote; null if they may. */
export async function taskVoteRefusal(
  kv: Store,
  task: TaskRow,
  actor: UserActor,
  membership: Parameters<typeof voterOf>[1],
): Promise<string | null> {
  // Everyone may vote about a task without one, which is then refused by its status.
  const approval = task.approval ?? newApproval();
  if (onlyStarterConfirms(task, actor.id)) return "errors.personal.confirm";
  return voteRefusal(approval, voterOf(actor, membership)!, {
    starterId: approval.not_starter ? await starterOf(kv, task) : null,
    editorIds: [approval.editor_id],
  });
}

/** Returns the account that started a task, its workflow, or the build that it deploys. */
async function starterOf(kv: Store, task: TaskRow): Promise<number | null> {
  for (let current: TaskRow | null = task; current !== null;) {
    const cause = firstCauseOf(current);
    if (cause.kind === "step") return cause.workflow.starter_id;
    if (cause.kind !== "deploy") return current.user_id;
    current = await findTask(kv, current.project_id, cause.build_task_id ?? 0);
  }
  return null;
}
