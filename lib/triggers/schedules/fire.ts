import { openProject, type ProjectScope } from "../../access/scope.ts";
import type { Deps } from "../../access/deps.ts";
import { AppError, type Sentence, sentenceOf, stale } from "../../base/errors.ts";
import { parseWith } from "../../base/parse.ts";
import type { RepositoryPlan } from "../../execution/run/plan.ts";
import { repositoryPlan } from "../../resources/run_resources.ts";
import { transact } from "../../store/transact.ts";
import { describeError } from "../../base/log.ts";
import { repositoryRows } from "../../resources/repositories/repository.ts";
import { parseStart } from "../../tasks/start_form.ts";
import { startInTurn } from "../../queue/start/start_in_turn.ts";
import { taskLabels } from "../../queue/inputs/task_labels.ts";
import { checkOnRunner } from "../../runners/checks.ts";
import { needsRunner } from "../../runners/rows.ts";
import { templateRows } from "../../templates/repository.ts";
import { startRunForm } from "../../workflows/run_schema.ts";
import { startRunInTurn } from "../../workflows/runs/start_in_turn.ts";
import { startCheckInTurn } from "../checks/start.ts";
import { scheduleActor } from "./actor.ts";
import { remember, type ScheduleOutcome, type Started } from "./remember.ts";
import { sharedLook } from "./shared_looks.ts";
import { chosenInventory } from "../../tasks/start_params.ts";
import type { ScheduleRow } from "./schema.ts";
import type { Firing } from "./firing.ts";
import { findProject } from "../../model/projects.ts";

/** Reads the latest commit of exactly the plan's branch here. Throws when `stop` is aborted. */
export type RemoteCommit = (
  projectId: number,
  plan: RepositoryPlan,
  stop: AbortSignal,
) => Promise<string>;

export interface CommitCheck {
  remoteCommit: RemoteCommit;
  /** Aborted when the server shuts down. An unfinished check is repeated at the next time. */
  stop: AbortSignal;
}

/**
 * Starts the task of a taken time, and stores the result. A failure to start it is stored, not
 * thrown.
 */
export async function fire(
  deps: Deps,
  firing: Firing,
  look: CommitCheck,
): Promise<void> {
  const { row, unfinished } = firing;
  const outcome = await start(deps, firing, look);
  // A run is stored with its outcome.
  if ("started" in outcome && outcome.started && "last_run_id" in outcome.started) return;
  await transact(deps.kv, async (op) => {
    op.delete(unfinished);
    await remember(deps, op, row, outcome);
  });
}

async function start(deps: Deps, firing: Firing, look: CommitCheck): Promise<ScheduleOutcome> {
  const { row } = firing;
  try {
    const seen = row.repository_id === null ? null : await newestCommit(deps, row, look);
    if (seen && seen.commit === row.commit) return { started: null };
    const scope = await openProject(
      { deps, actor: scheduleActor(row) },
      row.project_id,
      "run_tasks",
    );
    const commit = seen?.commit ?? null;
    const turn = row.workflow_id
      ? await startWorkflow(scope, firing, row.workflow_id, commit)
      : await startTemplate(scope, row, seen?.isTemplates ? { commit_hash: seen.commit } : {});
    return "skipped" in turn ? turn : { ...turn, commit };
  } catch (error) {
    if (look.stop.aborted) return { started: null };
    return { error: messageOf(deps, row, error) };
  }
}

type Turn = { started: Started } | { skipped: Sentence };

async function startTemplate(
  scope: ProjectScope<"run_tasks">,
  { template_id, task_params, if_waiting = "all", check }: ScheduleRow,
  seen: { commit_hash?: string },
): Promise<Turn> {
  const turn = check
    ? await startCheckInTurn(scope, template_id!, seen)
    : await startInTurn(scope, parseStart({ ...task_params, template_id, ...seen }), if_waiting);
  return "waits" in turn
    ? { skipped: { key: "errors.task_waits", params: { id: turn.waits } } }
    : { started: { last_task_id: turn.task.id } };
}

/**
 * Starts a run. Its commit also stores the outcome and deletes the "unfinished" row, so that no
 * other server starts a second one.
 */
async function startWorkflow(
  scope: ProjectScope<"run_tasks">,
  { row, unfinished }: Firing,
  workflowId: number,
  commit: string | null,
): Promise<Turn> {
  const { deps } = scope;
  const { task_params, if_waiting = "all" } = row;
  const form = parseWith(startRunForm, task_params ?? {});
  const turn = await startRunInTurn(scope, workflowId, form, if_waiting, async (op, { id }) => {
    const entry = await deps.kv.get(unfinished);
    if (entry.versionstamp === null) throw stale();
    op.check(entry).delete(unfinished);
    await remember(deps, op, row, { started: { last_run_id: id }, commit });
  });
  return "open" in turn
    ? { skipped: { key: "errors.run_open", params: { id: turn.open } } }
    : { started: { last_run_id: turn.run.id } };
}

/**
 * The current commit of the watched branch, read where the task would run; for a workflow, where
 * tasks without labels run. With `isTemplates`, it is the commit that the task would check out.
 */
async function newestCommit(deps: Deps, row: ScheduleRow, { remoteCommit, stop }: CommitCheck) {
  const { kv } = deps;
  const { project_id: projectId } = row;
  const [repository, template] = await Promise.all([
    repositoryRows.get(kv, projectId, row.repository_id!),
    row.template_id === null ? null : templateRows.get(kv, projectId, row.template_id),
  ]);
  const isTemplates = template?.repository_id === repository.id;
  const ownBranch = isTemplates ? row.task_params?.git_branch || template.git_branch : null;
  const branch = ownBranch ? String(ownBranch) : null;
  const plan = await repositoryPlan(deps, projectId, repository, { branch });
  const [labels, project] = await Promise.all([
    template ? taskLabels(kv, template, chosenInventory(row.task_params)) : [],
    findProject(kv, projectId),
  ]);
  const look = () =>
    needsRunner(labels, project)
      ? checkOnRunner(deps, { projectId, labels }, { kind: "commit", repository: plan }, stop)
      : remoteCommit(projectId, plan, stop);
  const subject = [projectId, repository, plan.branch, labels];
  return { commit: await (row.set_by ? sharedLook(deps, subject, look) : look()), isTemplates };
}

function messageOf({ log }: Deps, { id }: ScheduleRow, error: unknown): Sentence {
  if (error instanceof AppError) return sentenceOf(error);
  const number = crypto.randomUUID().slice(0, 8);
  log("error", "schedule_failed", { id: number, schedule: id, ...describeError(error) });
  return { key: "errors.internal", params: { id: number } };
}
