import type { ProjectScope } from "../../access/scope.ts";
import { type Sight, sightOf } from "../../access/sight.ts";
import { approversOf } from "../../approvals/people.ts";
import { voteRefusal, voterOf } from "../../approvals/rule.ts";
import type { Vote } from "../../approvals/schema.ts";
import { notFound, type Sentence } from "../../base/errors.ts";
import { plainReason, type Reason } from "../../base/reason.ts";
import { getAll } from "../../store/rows/get_all.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { labelOf, linksOf } from "../definition.ts";
import type { FailedTask, RunRow, RunStepView, RunView, WholeRunView } from "../run_schema.ts";
import type { After, ApprovalStep, Definition, Step } from "../schema.ts";
import { approvalReasons } from "./approval_reasons.ts";
import { editorsOf } from "./editors.ts";
import { failedTaskOf } from "./failure.ts";
import { getSeenRun, HIDDEN_STEP, isHiddenStep, maySeeRun, seenRun } from "../seen.ts";
import { messageOf } from "./message.ts";
import { readDefinition } from "./repository.ts";
import { shownStatuses } from "./status.ts";
import { listVotes } from "./vote_rows.ts";
import { getTasks } from "../../model/tasks.ts";

/** Returns runs as someone sees them in lists. */
export async function runViews(
  kv: Store,
  runs: readonly RunRow[],
  sight: Sight,
): Promise<RunView[]> {
  const failed = runs.flatMap(({ project_id, failed_task: task }) =>
    task ? [[project_id, task.id] as [number, number]] : []
  );
  const [definitions, statuses, tasks] = await Promise.all([
    Promise.all(runs.map((run) => readDefinition(kv, run))),
    shownStatuses(kv, runs),
    getTasks(kv, failed),
  ]);
  const existing = new Set(tasks.map(({ id }) => id));
  const shown = runs.map(({ failed_task: task, ...run }, n): RunRow => ({
    ...run,
    status: statuses[n],
    ...task && existing.has(task.id) && { failed_task: task },
  }));
  const waits = await approvalReasons(kv, shown, definitions);
  return shown.map((run, n) =>
    seenRun(sight, runView(run, definitions[n], waits[n]), definitions[n])
  );
}

/** Returns those of the runs that exist and that the actor sees, by id. */
export async function findRuns(
  scope: ProjectScope,
  ids: readonly number[],
): Promise<Map<number, RunView>> {
  const { deps: { kv }, projectId } = scope;
  const sight = await sightOf(scope);
  const rows = await getAll<RunRow>(kv, ids.map((id) => rowKeys.workflowRun(projectId, id)));
  const seen = rows.flatMap(({ value }) => value && maySeeRun(sight, value) ? value : []);
  const views = await runViews(kv, seen, sight);
  return new Map(views.map((run) => [run.id, run]));
}

/** Returns a run as lists have it. Throws not found. */
export async function getRunSummary(scope: ProjectScope, id: number): Promise<RunView> {
  const run = (await findRuns(scope, [id])).get(id);
  if (!run) throw notFound();
  return run;
}

/** One run with its steps. */
export async function getRun(
  scope: ProjectScope,
  workflowId: number,
  id: number,
): Promise<WholeRunView> {
  const { kv } = scope.deps;
  const { value: run } = await getSeenRun(scope, workflowId, id);
  const [sight, definition, votes, tasks, nested] = await Promise.all([
    sightOf(scope),
    readDefinition(kv, run),
    listVotes(kv, run),
    tasksOf(kv, run),
    nestedRuns(scope, run),
  ]);
  const links = linksOf(definition.steps);
  const steps = await Promise.all(
    definition.steps.map(async (step) => {
      const view = await stepView(scope, run, definition, step, { links, votes, tasks, nested });
      return isHiddenStep(sight, step) ? hiddenStepView(view) : view;
    }),
  );
  const [view] = await runViews(kv, [run], sight);
  return { ...view, environment: run.environment, steps };
}

/** Returns a run with what the caller has read: its status and definition, and why it waits. */
export function runView(
  run: RunRow,
  { steps }: Definition,
  wait: Reason | null = null,
): RunView {
  const { steps: states, parent = null, again_of = null, end_reason, started_by, build } = run;
  const tasks = Object.values(states).flatMap(({ task_id }) => task_id ?? []);
  return {
    id: run.id,
    project_id: run.project_id,
    workflow_id: run.workflow_id,
    workflow_template_id: run.workflow_id,
    workflow_name: run.workflow_name,
    version: run.version,
    status: run.status,
    message: run.message,
    created: run.created,
    start: run.created,
    end: run.end,
    user_id: run.user_id,
    username: run.username,
    user_name: run.user_name,
    initiator: started_by ?? null,
    build: build
      ? { task_id: build.task_id, template_id: build.template_id, version: build.version }
      : null,
    root_task_id: tasks.length === 0 ? null : Math.min(...tasks),
    parent,
    again_of,
    stop: run.stop,
    end_reason: end_reason ?? "",
    reason: wait ?? (end_reason && reasonOf(end_reason, run.failed_task ?? null)),
    failed_task: run.failed_task ?? null,
    states: steps.map(({ id }) => states[id].state),
  };
}

/** Returns a reason with the line that reports it in the output of the task that explains it. */
const reasonOf = (message: Sentence, task: FailedTask | null): Reason => ({
  ...plainReason(message),
  line: task?.line ?? null,
});

async function tasksOf(kv: Store, { project_id, steps }: RunRow): Promise<Map<number, TaskRow>> {
  const ids = Object.values(steps).flatMap(({ task_id }) => task_id ?? []);
  const tasks = await getTasks(kv, ids.map((id) => [project_id, id]));
  return new Map(tasks.map((task) => [task.id, task]));
}

/** Returns the nested runs of a run that the actor sees, by id. */
const nestedRuns = (scope: ProjectScope, { steps }: RunRow): Promise<Map<number, RunView>> =>
  findRuns(scope, Object.values(steps).flatMap(({ run_id }) => run_id ?? []));

/** Returns a step without what it runs, and without the reason of its end. */
const hiddenStepView = (
  { id, kind, after, join, state, start, end, until, kept }: RunStepView,
): RunStepView => ({
  ...{ id, name: HIDDEN_STEP, kind, after, join, state, start, end, until, kept },
  ...{ template_id: null, task_id: null, task_status: null },
  ...{ workflow_id: null, run_id: null, run_status: null },
  ...{ changed: null, reason: "", failed_task: null, approval: null, hidden: true },
});

interface Around {
  links: Map<number, After[]>;
  votes: Map<number, Vote[]>;
  tasks: Map<number, TaskRow>;
  nested: Map<number, RunView>;
}

async function stepView(
  scope: ProjectScope,
  run: RunRow,
  definition: Definition,
  step: Step,
  { links, votes, tasks, nested }: Around,
): Promise<RunStepView> {
  const { state, task_id, run_id, start, end, until, changed, kept, reason } = run.steps[step.id];
  const task = task_id === undefined ? undefined : tasks.get(task_id);
  const within = nested.get(run_id ?? 0);
  return {
    id: step.id,
    name: labelOf(step),
    kind: step.kind,
    after: links.get(step.id)!,
    join: step.join,
    state,
    template_id: step.kind === "template" ? step.template_id : null,
    task_id: task_id ?? null,
    task_status: task?.status ?? null,
    workflow_id: step.kind === "workflow" ? step.workflow_id : null,
    run_id: run_id ?? null,
    run_status: within?.status ?? null,
    start: task?.start ?? start ?? null,
    end: end ?? null,
    until: state === "waiting" ? until ?? null : null,
    changed: changed ?? null,
    kept: kept ?? false,
    reason: reason ?? task?.end_reason ?? within?.end_reason ??
      (state === "stopped" ? run.end_reason : null) ?? "",
    failed_task: task ? failedTaskOf(task) : within?.failed_task ?? null,
    approval: step.kind === "approval"
      ? await approvalView(scope, run, definition, step, votes.get(step.id) ?? [])
      : null,
  };
}

async function approvalView(
  scope: ProjectScope,
  run: RunRow,
  definition: Definition,
  step: ApprovalStep,
  votes: Vote[],
): Promise<RunStepView["approval"]> {
  const isOpen = run.end === null && run.steps[step.id].state === "waiting";
  const voter = voterOf(scope.actor, scope);
  const refusal = isOpen && voter ? await readerRefusal(scope, run, definition, step, votes) : null;
  return {
    message: await messageOf(scope.deps.kv, run, step.approval.message),
    needed: step.approval.needed,
    approved: votes.filter(({ status }) => status === "approved").length,
    rule: step.approval,
    people: await approversOf(scope.deps.kv, run.project_id, step.approval.user_ids),
    votes,
    asked_again: run.steps[step.id].again ?? "",
    may_vote: isOpen && voter !== null && refusal === null,
    refusal: refusal === null ? "" : { key: refusal },
  };
}

/**
 * Returns the locale key of the reason why the reader may not vote on a step that waits for votes;
 * null if they may.
 */
export async function readerRefusal(
  scope: ProjectScope,
  run: RunRow,
  definition: Definition,
  { id, approval }: ApprovalStep,
  votes: readonly Vote[],
): Promise<string | null> {
  const voter = voterOf(scope.actor, scope);
  if (!voter) return "errors.approvals.not_named";
  if (votes.some(({ user_id }) => user_id === voter.id)) return "errors.approvals.voted";
  const editorIds = approval.not_editor
    ? await editorsOf(scope.deps.kv, run.project_id, definition, id)
    : [];
  return voteRefusal(approval, voter, { starterId: run.user_id, editorIds });
}
