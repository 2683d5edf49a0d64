import type { Deps } from "../../access/deps.ts";
import { AppError, type Sentence } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { changedInput, changeOf, templateInputs, versionsOf } from "../../queue/inputs/inputs.ts";
import type { InputRow } from "../../tasks/approved_inputs.ts";
import { templateRows } from "../../templates/repository.ts";
import { ancestorsOf, labelOf, linksOf } from "../definition.ts";
import { runEvent } from "../events.ts";
import { workflowRows } from "../repository.ts";
import type { RunRow } from "../run_schema.ts";
import type { ApprovalStep, Definition, Step } from "../schema.ts";
import { isEnded } from "../step_state.ts";
import { deleteApprovedRows, readApprovedRows, storeApprovedRows } from "./approved_rows.ts";
import { runActor, runChanged, setRun, statusOf } from "./changes.ts";
import { runKey } from "./new_run.ts";
import { readDefinition } from "./repository.ts";
import { listVotes } from "./vote_rows.ts";

/** The inputs of a step have changed since the approvals before it. */
export class InputsChanged extends Error {
  override name = "InputsChanged";

  constructor(readonly approvals: ReadonlySet<number>, readonly reason: Sentence) {
    super();
  }
}

/**
 * Adds to `op` what someone approves with a vote: all that the steps behind the approval run with.
 * Returns what has changed since the earlier votes, which `op` then deletes; null if nothing has.
 */
export async function approveSteps(
  kv: Store,
  op: Atomic,
  run: RunRow,
  { steps }: Definition,
  approvalId: number,
): Promise<Sentence | null> {
  const before = ancestorsOf(steps);
  const behind = steps.filter(({ id }) => before.get(id)!.has(approvalId));
  const [approved, now] = await Promise.all([
    readApprovedRows(kv, run, approvalId),
    inputsOf(kv, run.project_id, behind),
  ]);
  storeApprovedRows(op, run, approvalId, now);
  const changed = approved && changedInput(approved, now);
  if (!changed) return null;
  await deleteVotes(kv, op, run, new Set([approvalId]));
  return await changeOf(kv, run.project_id, changed);
}

/** Returns the rows with which steps would run now, those of nested workflows included. */
async function inputsOf(
  kv: Store,
  projectId: number,
  steps: readonly Step[],
  seen = new Set<number>(),
): Promise<InputRow[]> {
  const found = new Map<string, InputRow>();
  const add = (rows: InputRow[]) => rows.forEach((row) => found.set(row.ref.join(), row));
  for (const step of steps) {
    if (step.kind === "template") {
      const template = await templateRows.find(kv, projectId, step.template_id);
      if (template) add(await templateInputs(kv, template.row, step.params));
    } else if (step.kind === "workflow" && !seen.has(step.workflow_id)) {
      seen.add(step.workflow_id);
      add(await versionsOf(kv, projectId, [["workflows", step.workflow_id]]));
      const workflow = await workflowRows.find(kv, projectId, step.workflow_id);
      add(await inputsOf(kv, projectId, workflow?.row.steps ?? [], seen));
    }
  }
  return [...found.values()];
}

/** An approval that a step follows, in its run or in one around it, with what was approved. */
interface Guard {
  runId: number;
  approvalId: number;
  rows: InputRow[];
}

/**
 * Returns what a step runs with if an approval stands for it; null if none does. Called in the
 * commit that starts the step. Throws InputsChanged if an approval of the run does not hold
 * anymore, and 409 if that is one of a run around it.
 */
export async function requireStepApproved(
  kv: Store,
  run: RunRow,
  definition: Definition,
  step: Step,
): Promise<InputRow[] | null> {
  const guards = await guardsOf(kv, run, definition, step.id);
  if (guards.length === 0) return null;
  const now = await inputsOf(kv, run.project_id, [step]);
  const broken = guards.flatMap((guard) => {
    const changed = changedInput(guard.rows, now);
    return changed ? [{ ...guard, changed }] : [];
  });
  if (broken.length === 0) return now;
  const reason = await changeOf(kv, run.project_id, broken[0].changed);
  const own = broken.filter(({ runId }) => runId === run.id);
  if (own.length === 0) throw new AppError(409, reason.key, reason.params);
  throw new InputsChanged(new Set(own.map(({ approvalId }) => approvalId)), reason);
}

async function guardsOf(
  kv: Store,
  run: RunRow,
  { steps }: Definition,
  stepId: number,
): Promise<Guard[]> {
  const before = ancestorsOf(steps).get(stepId)!;
  const approvals = steps.filter(({ kind, id }) =>
    kind === "approval" && before.has(id) && run.steps[id].state === "success"
  );
  // An approval that its time limit has decided stands for nothing that someone has seen.
  const own = await Promise.all(approvals.map(async ({ id }): Promise<Guard[]> => {
    const rows = await readApprovedRows(kv, run, id);
    return rows ? [{ runId: run.id, approvalId: id, rows }] : [];
  }));
  if (!run.parent) return own.flat();
  const { project_id, parent } = run;
  const { value: outer } = await kv.get<RunRow>(runKey({ project_id, id: parent.run_id }));
  if (!outer) return own.flat();
  return [
    ...own.flat(),
    ...await guardsOf(kv, outer, await readDefinition(kv, outer), parent.step_id),
  ];
}

/** Lets approvals of a run wait for votes again. Steps that have started go on. */
export async function approveAgain(
  deps: Deps,
  { project_id, id }: RunRow,
  definition: Definition,
  { approvals, reason }: InputsChanged,
): Promise<void> {
  const { kv } = deps;
  const asking = await transact(kv, async (op) => {
    const entry = await kv.get<RunRow>(runKey({ project_id, id }));
    const run = entry.value;
    const isValid = run && run.end === null && run.stop === "" &&
      [...approvals].every((id) => run.steps[id].state === "success");
    if (!isValid) return null;
    const steps = askedSteps(run, definition, approvals, reason);
    const next = { ...run, steps, status: statusOf(steps) };
    const reset = definition.steps.filter((step): step is ApprovalStep =>
      step.kind === "approval" && steps[step.id] !== run.steps[step.id]
    );
    await deleteVotes(kv, op, run, new Set(reset.map(({ id }) => id)));
    for (const step of reset) {
      deleteApprovedRows(op, run, step.id);
      if (!approvals.has(step.id)) continue;
      recordEvent(op, deps, runActor(run), askedAgain(next, step, reason));
    }
    setRun(op, entry, next);
    return next;
  });
  if (asking) runChanged(deps, asking);
}

/**
 * Returns the steps of a run in which approvals are asked for again. Waits and approvals behind
 * them begin again, too, and steps that were skipped are decided anew. The others need them.
 */
function askedSteps(
  { steps: states }: Pick<RunRow, "steps">,
  { steps }: Pick<Definition, "steps">,
  approvals: ReadonlySet<number>,
  again: Sentence,
): RunRow["steps"] {
  const [before, links] = [ancestorsOf(steps), linksOf(steps)];
  const needsOf = (id: number) => [...approvals].filter((one) => before.get(id)!.has(one));
  const isReset = ({ id, kind }: Step) => {
    const { state } = states[id];
    return approvals.has(id) ||
      needsOf(id).length > 0 && state !== "pending" &&
        (kind === "approval" || kind === "wait" || state === "skipped");
  };
  const reset = new Set(steps.filter(isReset).map(({ id }) => id));
  const isHeldBack = (id: number) =>
    states[id].state === "pending" && needsOf(id).length > 0 &&
    !links.get(id)!.some(({ step }) => approvals.has(step)) &&
    links.get(id)!.some(({ step }) => !reset.has(step) && isEnded(states[step].state));
  return Object.fromEntries(steps.map(({ id }) => {
    if (approvals.has(id)) return [id, { state: "pending", again }];
    if (reset.has(id)) return [id, { state: "pending" }];
    return [id, isHeldBack(id) ? { ...states[id], needs: needsOf(id) } : states[id]];
  }));
}

/** The event of an approval that is asked for again. */
export const askedAgain = (run: RunRow, step: ApprovalStep, reason: Sentence) =>
  runEvent(run, "asked_again", { step: labelOf(step), reason });

async function deleteVotes(
  kv: Store,
  op: Atomic,
  run: RunRow,
  approvals: ReadonlySet<number>,
): Promise<void> {
  const { project_id, id } = run;
  for (const [stepId, votes] of await listVotes(kv, run)) {
    if (!approvals.has(stepId)) continue;
    for (const { user_id } of votes) {
      op.delete(rowKeys.workflowVote(project_id, id, stepId, user_id));
    }
  }
}
