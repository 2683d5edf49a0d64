import { AppError } from "../../../base/errors.ts";
import { conceal, reveal, type Secret, secretsIn } from "../../../base/secret.ts";
import { inTurn } from "../../../store/transact.ts";
import { needOf, type OpenTask } from "../../../tasks/open_tasks.ts";
import { findTask } from "../../../model/tasks.ts";
import type { TaskRow } from "../../../model/task_row.ts";
import type { AnsiblePlan } from "../../../execution/ansible/plan.ts";
import type { RunOutcome } from "../../../execution/run/io.ts";
import { planFailed } from "../../running/execute.ts";
import { makePlan } from "../../plan/make_plan.ts";
import { openRecorder } from "../../running/recorder.ts";
import { requireAbilities, requireNothingKept, requirePortable } from "../../../runner/portable.ts";
import type { RunnerAbility } from "../../../runner/protocol.ts";
import type { RunnerDeps } from "../remote.ts";
import { findRemoteRun, type RemoteRunRow } from "../rows.ts";
import { type SemaphoreJob, semaphoreJob } from "./job.ts";
import { openSemaphoreRun, type SemaphoreRun } from "./run.ts";

/** A row of the store holds 64 KiB. */
const MASKS_BYTES_MAX = 48 * 1024;

type Entry = Deno.KvEntry<RemoteRunRow>;

/**
 * Returns a claimed task as a job. The run begins with the first offer. Returns null if the task
 * has ended. A task that was stopped, or that such a runner cannot run, ends here.
 */
export const offerJob = (deps: RunnerDeps, open: OpenTask): Promise<SemaphoreJob | null> =>
  inTurn(deps.kv, `remote run ${open.id}`, async () => {
    const [task, entry] = await Promise.all([
      findTask(deps.kv, open.project_id, open.id),
      findRemoteRun(deps.kv, open.id),
    ]);
    if (!task || !entry) return null;
    const known = deps.remote.semaphoreRuns.get(task.id);
    if (known?.run === entry.value.run && known.job) return known.job;
    if (task.stop !== "") return await endUnbegun(deps, task, entry, STOPPED);
    try {
      return await begin(deps, task, entry);
    } catch (error) {
      return await endUnbegun(deps, task, entry, planFailed(deps, task, error));
    }
  });

/**
 * The keys of hosts are those of the runner's machine, as people are told, and it installs
 * requirements in its own way.
 */
const ITS_OWN: RunnerAbility[] = ["authorities", "requirements"];

const STOPPED: RunOutcome = { end: "stopped", reason: null };

async function begin(deps: RunnerDeps, task: TaskRow, entry: Entry): Promise<SemaphoreJob | null> {
  const plan = await makePlan(deps, task);
  requirePossible(task, plan);
  requirePortable(plan.repository, plan.inventory.repository);
  requireNothingKept(plan);
  requireAbilities({ name: task.runner_name ?? "", facts: { abilities: ITS_OWN } }, plan);
  const job = semaphoreJob(plan, task);
  const masks = [...await openMasks(deps, entry.value), ...secretsIn(plan)];
  const live = await adopt(deps, task, entry, masks);
  if (!live) return null;
  live.job = job;
  return job;
}

/**
 * Throws if a task needs something that only Callboard's own runs can do. The queue gives such a
 * runner none, but a runner that was registered again may have become one.
 */
function requirePossible(task: TaskRow, { inventory }: AnsiblePlan): void {
  const need = needOf(task) ?? (inventory.sshKeys ? "keys" : null);
  const { runner_name: name = "" } = task;
  if (need) throw new AppError(400, `errors.run.semaphore_${need}`, { name });
}

/**
 * Makes this server the one that takes the progress of a run. Returns null if another one was
 * faster.
 */
async function adopt(
  deps: RunnerDeps,
  task: TaskRow,
  entry: Entry,
  masks: Secret[],
): Promise<SemaphoreRun | null> {
  const { kv, secrets, remote: { server, semaphoreRuns } } = deps;
  const { run, lines_before } = entry.value;
  const texts = [...new Set(masks.map((mask) => reveal(mask, "seal")))];
  const sealed = await secrets.seal(JSON.stringify(texts));
  if (sealed.length > MASKS_BYTES_MAX) {
    throw new AppError(400, "errors.run.variables_too_long", { max: MASKS_BYTES_MAX });
  }
  const live = await openSemaphoreRun(deps, task, run, masks, lines_before ?? undefined);
  const { linesBefore } = live.recorder;
  const row = { ...entry.value, server, lines_before: linesBefore, masks: sealed };
  const stored = await kv.atomic().check(entry).set(entry.key, row).commit();
  if (!stored.ok) return null;
  semaphoreRuns.set(task.id, live);
  return live;
}

/** Continues a run whose progress another server or process took before. */
export const resume = async (
  deps: RunnerDeps,
  task: TaskRow,
  entry: Entry,
): Promise<SemaphoreRun | null> =>
  await adopt(deps, task, entry, await openMasks(deps, entry.value));

async function openMasks({ secrets }: RunnerDeps, { masks }: RemoteRunRow): Promise<Secret[]> {
  if (!masks) return [];
  return (JSON.parse(reveal(await secrets.open(masks), "parse")) as string[]).map(conceal);
}

async function endUnbegun(
  deps: RunnerDeps,
  task: TaskRow,
  { value: { lines_before } }: Entry,
  outcome: RunOutcome,
): Promise<null> {
  const known = deps.remote.semaphoreRuns.get(task.id);
  const recorder = known?.recorder ?? await openRecorder(deps, task, {
    continuedAt: lines_before ?? undefined,
  });
  await recorder.end(outcome);
  deps.remote.semaphoreRuns.delete(task.id);
  return null;
}
