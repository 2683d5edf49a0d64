import { openProject, type ProjectScope } from "../../access/scope.ts";
import type { Deps } from "../../access/deps.ts";
import { maintenanceHold } from "../../access/maintenance.ts";
import { AppError, type Sentence, sentenceOf } from "../../base/errors.ts";
import { parseWith } from "../../base/parse.ts";
import type { RepositoryPlan } from "../../execution/run/plan.ts";
import { type AnyWorker, type HeldJob, type Job, type Worker, worker } from "../../jobs/worker.ts";
import { repositoryPlan } from "../../resources/run_resources.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { transact } from "../../store/transact.ts";
import { describeError } from "../../base/log.ts";
import { repositoryRows } from "../../resources/repositories/repository.ts";
import { parseStart } from "../../tasks/start_form.ts";
import type { StartAlso } from "../../queue/start/start.ts";
import { startByPolicy } from "../../queue/start/start_by_policy.ts";
import { taskLabels } from "../../queue/inputs/task_labels.ts";
import { testOnRunner } from "../../runners/connection_tests.ts";
import { needsRunner } from "../../runners/rows.ts";
import { templateRows } from "../../templates/repository.ts";
import { startRunForm } from "../../workflows/run_schema.ts";
import { startRunByPolicy } from "../../workflows/runs/start_by_policy.ts";
import { startCheckUnlessOpen } from "../checks/start.ts";
import { scheduleActor } from "./actor.ts";
import { remember, type ScheduleOutcome, type Started } from "./remember.ts";
import { chosenInventory } from "../../tasks/start_params.ts";
import { scheduleRows, updateScheduleRow } from "./repository.ts";
import type { ScheduleRow } from "./schema.ts";
import {
  type Firing,
  isLate,
  missedError,
  recordMissed,
  scheduleChecks,
  scheduleStarts,
} from "./firing.ts";
import { findProject } from "../../model/projects.ts";
import type { Clock } from "../../base/time/clock.ts";
import { memoryPart } from "../../store/memory.ts";

/** Reads the latest commit of exactly the plan's branch here. Throws when `stop` is aborted. */
export type RemoteCommit = (
  projectId: number,
  plan: RepositoryPlan,
  stop: AbortSignal,
) => Promise<string>;

/** Longer than checking a slow repository takes. */
const CHECK_MS_MAX = 15 * 60_000;

/** Returns the workers that start what schedules are for. Looks do not hold up the others. */
export function scheduleWorkers(commitOf: (deps: Deps) => RemoteCommit): AnyWorker<Deps>[] {
  const policy: Omit<Worker<Firing, Deps>, "kind" | "limitMs"> = {
    attempts: 3,
    waitsMs: [1_000],
    parallel: 8,
    hold: maintenanceHold,
    run: (deps, job) => fire(deps, job, commitOf(deps)),
    gaveUp: (deps, job, error) => finish(deps, job, { error }).then(() => true),
  };
  return [
    worker({ ...policy, kind: scheduleStarts, limitMs: 60_000 }),
    worker({ ...policy, kind: scheduleChecks, limitMs: CHECK_MS_MAX }),
  ];
}

/**
 * Starts the task or the run of a taken time, and stores the result. A failure to start it is
 * stored, not thrown.
 */
async function fire(deps: Deps, job: Job<Firing>, look: RemoteCommit): Promise<void> {
  const { project_id, schedule_id, taken, started, commit = null } = job.input;
  if (started) return await finish(deps, job, { started: { last_task_id: started }, commit });
  const row = (await scheduleRows.find(deps.kv, project_id, schedule_id))?.row;
  if (!row || isSwitchedOff(row)) return;
  if (isLate(new Date(taken), deps.clock.now()) && !await makeUp(deps, job)) return;
  const outcome = await start(deps, row, job, look);
  // A run is stored with its outcome.
  if ("started" in outcome && outcome.started && "last_run_id" in outcome.started) return;
  await finish(deps, job, outcome);
}

/**
 * Whether the schedule was disabled. A one-time schedule is inactive as soon as its time is taken.
 */
const isSwitchedOff = ({ type, active }: ScheduleRow) => type === "" && !active;

/** Records that no server could start it in time. Returns whether it is started all the same. */
const makeUp = (deps: Deps, job: Job<Firing>): Promise<boolean> =>
  transact(deps.kv, async (op) => {
    const { project_id, schedule_id, taken } = job.input;
    const now = deps.clock.now();
    const row = await updateScheduleRow(deps.kv, op, project_id, schedule_id, (current) =>
      current.missed === "run_once" ? current : { ...current, last_error: missedError(now) });
    const run = row.missed === "run_once";
    if (run) {
      await job.keep(op, { ...job.input, taken: now.toISOString() });
    } else await job.end(op);
    recordMissed(op, deps, row, { count: 1, since: taken, run });
    return run;
  });

const finish = (deps: Deps, job: HeldJob<Firing>, outcome: ScheduleOutcome): Promise<void> =>
  transact(deps.kv, async (op) => {
    await job.end(op);
    await remember(deps, op, job.input, outcome);
  });

async function start(
  deps: Deps,
  row: ScheduleRow,
  job: Job<Firing>,
  remoteCommit: RemoteCommit,
): Promise<ScheduleOutcome> {
  try {
    const isChecked = row.repository_id !== null;
    const seen = isChecked ? await newestCommit(deps, row, remoteCommit, job.signal) : null;
    if (seen && seen.commit === row.commit) return { started: null };
    const scope = await openProject(
      { deps, actor: scheduleActor(row) },
      row.project_id,
      "run_tasks",
    );
    const commit = seen?.commit ?? null;
    const fired = row.workflow_id
      ? await startWorkflow(scope, row, commit, job)
      : await startTemplate(scope, row, seen?.isTemplates ? { commit_hash: seen.commit } : {}, (
        op,
        { id: started },
      ) => job.keep(op, { ...job.input, started, commit }));
    return "skipped" in fired ? fired : { ...fired, commit };
  } catch (error) {
    job.signal.throwIfAborted();
    return { error: messageOf(deps, row, error) };
  }
}

type FireOutcome = { started: Started } | { skipped: Sentence };

/** Starts a task or a check. Its commit adds to the job that it was started. */
async function startTemplate(
  scope: ProjectScope<"run_tasks">,
  { template_id, task_params, if_waiting, check }: ScheduleRow,
  seen: { commit_hash?: string },
  also: StartAlso,
): Promise<FireOutcome> {
  const fired = check
    ? await startCheckUnlessOpen(scope, template_id!, seen, also)
    : await startByPolicy(
      scope,
      parseStart({ ...task_params, template_id, ...seen }),
      if_waiting,
      also,
    );
  return "waits" in fired
    ? { skipped: { key: "errors.task_waits", params: { id: fired.waits } } }
    : { started: { last_task_id: fired.task.id } };
}

/** Starts a run. Its commit also stores the outcome and ends the job. */
async function startWorkflow(
  scope: ProjectScope<"run_tasks">,
  { workflow_id, task_params, if_waiting }: ScheduleRow,
  commit: string | null,
  job: Job<Firing>,
): Promise<FireOutcome> {
  const { deps } = scope;
  const form = parseWith(startRunForm, task_params ?? {});
  const also = async (op: Atomic, { id }: { id: number }) => {
    await job.end(op);
    await remember(deps, op, job.input, { started: { last_run_id: id }, commit });
  };
  const fired = await startRunByPolicy(scope, workflow_id!, form, if_waiting, also);
  return "open" in fired
    ? { skipped: { key: "errors.run_open", params: { id: fired.open } } }
    : { started: { last_run_id: fired.run.id } };
}

/**
 * The current commit of the watched branch, read where the task would run; for a workflow, where
 * tasks without labels run. With `isTemplates`, it is the commit that the task would check out.
 */
async function newestCommit(
  deps: Deps,
  row: ScheduleRow,
  remoteCommit: RemoteCommit,
  stop: AbortSignal,
) {
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
      ? testOnRunner(deps, { projectId, labels }, { kind: "commit", repository: plan }, stop)
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

/** Time for which an answer serves other templates too. */
const SHARED_MS = 60_000;

interface Look {
  at: number;
  answer: Promise<string>;
}

const looks = memoryPart("looks at repositories", () => new Map<string, Look>());

/**
 * Returns the answer of `look`, or that of the last call with the same `subject` in this process if
 * it began less than a minute ago. Templates of one repository thus ask it once.
 */
function sharedLook(
  { kv, clock }: { kv: Store; clock: Clock },
  subject: unknown,
  look: () => Promise<string>,
): Promise<string> {
  const known = looks.of(kv);
  const now = clock.ticks();
  for (const [key, { at }] of known) if (now - at >= SHARED_MS) known.delete(key);
  const key = JSON.stringify(subject);
  if (!known.has(key)) known.set(key, { at: now, answer: look() });
  return known.get(key)!.answer;
}
