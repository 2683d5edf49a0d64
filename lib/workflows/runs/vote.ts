import type { ProjectScope } from "../../access/scope.ts";
import { getSeenRun } from "../seen.ts";
import { addVote } from "../../approvals/add_vote.ts";
import { outcomeOf, voteRefusal, voterOf } from "../../approvals/rule.ts";
import type { VoteForm } from "../../approvals/schema.ts";
import { AppError, conflict, forbidden, notFound } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { rowKeys } from "../../store/keys.ts";
import { guardTargets } from "../../store/references.ts";
import { transact } from "../../store/transact.ts";
import { queueRun } from "../../queue/outboxes/workflow_outbox.ts";
import { labelOf } from "../definition.ts";
import { runEvent } from "../events.ts";
import type { RunApproval, RunRow } from "../run_schema.ts";
import type { ApprovalStep, Definition } from "../schema.ts";
import { approveSteps, askedAgain } from "./approved.ts";
import { runActor, runChanged, setRun, withStep } from "./changes.ts";
import { editorsOf } from "./editors.ts";
import { messageOf } from "./message.ts";
import { readDefinition } from "./repository.ts";
import { listVotes } from "./vote_rows.ts";

/**
 * Votes about an approval of a run. Throws 403 unless the rule lets the actor vote at the time of
 * the commit, and 409 if they have voted, or if the step does not wait for votes.
 */
export async function vote(
  scope: ProjectScope,
  workflowId: number,
  runId: number,
  stepId: number,
  { status, note }: VoteForm,
): Promise<void> {
  const { deps, actor, projectId } = scope;
  const { kv, clock } = deps;
  if (actor.kind !== "user") throw forbidden();
  const run = await transact(kv, async (op) => {
    const entry = await getSeenRun(scope, workflowId, runId);
    const definition = await readDefinition(kv, entry.value);
    const step = approvalOf(definition, stepId);
    // Each change of a template or a workflow moves this guard.
    await guardTargets(kv, op, projectId);
    await addVote(deps, op, {
      actor,
      projectId,
      key: rowKeys.workflowVote(projectId, runId, stepId, actor.id),
      status,
      note,
      refusal: async (membership) =>
        voteRefusal(step.approval, voterOf(actor, membership)!, {
          starterId: entry.value.user_id,
          editorIds: await editorsOf(kv, projectId, definition, stepId),
        }),
    });
    // Last, because people who may not vote learn nothing about the step.
    const known = entry.value.steps[stepId];
    if (known.state !== "waiting" || outcomeOf(step.approval, known)) {
      throw conflict("errors.approvals.not_waiting");
    }
    const { approved = 0 } = known;
    const again = status === "approved"
      ? await approveSteps(kv, op, entry.value, definition, stepId)
      : null;
    const counted = again
      ? { approved: 1, again }
      : status === "approved"
      ? { approved: approved + 1 }
      : { rejected: true };
    const next = withStep(entry.value, stepId, { ...known, ...counted });
    setRun(op, entry, next);
    queueRun(op, { clock }, { project_id: projectId, run_id: runId });
    if (again) recordEvent(op, deps, runActor(next), askedAgain(next, step, again));
    recordEvent(
      op,
      deps,
      actor,
      runEvent(next, note ? `${status}_note` : status, { step: labelOf(step), note }),
    );
    return next;
  });
  runChanged(deps, run);
}

/** Throws 404, and 403 for people whom the rule of an approval does not let vote. */
export async function requireVoter(
  scope: ProjectScope,
  workflowId: number,
  runId: number,
  stepId: number,
): Promise<void> {
  const { deps: { kv }, actor, projectId } = scope;
  if (actor.kind !== "user") throw forbidden();
  const { value: run } = await getSeenRun(scope, workflowId, runId);
  const definition = await readDefinition(kv, run);
  const { approval } = approvalOf(definition, stepId);
  const reason = voteRefusal(approval, voterOf(actor, scope)!, {
    starterId: run.user_id,
    editorIds: await editorsOf(kv, projectId, definition, stepId),
  });
  if (reason) throw new AppError(403, reason);
}

/** The approvals of a run that have begun, as other clients know them. */
export async function listRunApprovals(
  scope: ProjectScope,
  workflowId: number,
  runId: number,
): Promise<RunApproval[]> {
  const { deps: { kv }, projectId } = scope;
  const { value: run } = await getSeenRun(scope, workflowId, runId);
  const [{ steps }, votes] = await Promise.all([readDefinition(kv, run), listVotes(kv, run)]);
  const begun = steps.filter((step): step is ApprovalStep =>
    step.kind === "approval" && run.steps[step.id].start !== undefined
  );
  return await Promise.all(begun.map(async (step) => {
    const own = votes.get(step.id) ?? [];
    return {
      ...approvalStatus(run, step.id),
      id: step.id,
      project_id: projectId,
      workflow_run_id: runId,
      workflow_node_id: step.id,
      resolved_by_user_id: run.steps[step.id].state === "waiting"
        ? null
        : own.at(-1)?.user_id ?? null,
      message: await messageOf(kv, run, step.approval.message),
      needed: step.approval.needed,
      votes: own,
      asked_again: run.steps[step.id].again ?? "",
    };
  }));
}

/** One of these approvals. Throws not found. */
export async function getRunApproval(
  scope: ProjectScope,
  workflowId: number,
  runId: number,
  stepId: number,
): Promise<RunApproval> {
  const approvals = await listRunApprovals(scope, workflowId, runId);
  const approval = approvals.find(({ id }) => id === stepId);
  if (!approval) throw notFound();
  return approval;
}

function approvalStatus({ steps }: RunRow, id: number) {
  const { state, start, end = null } = steps[id];
  const status = state === "waiting" ? "pending" : state === "success" ? "approved" : "rejected";
  return { status, created: start!, resolved: end } as const;
}

function approvalOf({ steps }: Definition, id: number): ApprovalStep {
  const step = steps.find((step) => step.id === id);
  if (step?.kind !== "approval") throw notFound();
  return step;
}
