import { type Actor, namesOf } from "../../access/actor.ts";
import type { ProjectScope } from "../../access/scope.ts";
import { accessChanged } from "../../access/changed.ts";
import { createBell } from "../../base/bell.ts";
import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import { type Expected, requireVersion } from "../../base/version.ts";
import { differencesOf } from "../../events/differences.ts";
import { recordedClient, recordEvent } from "../../events/record.ts";
import { doBegun, putBegun } from "../../jobs/begun.ts";
import { type AnyWorker, type Job, type JobDeps, type Worker, worker } from "../../jobs/worker.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import type { Store } from "../../store/store.ts";
import { listProjectOpenTasks } from "../../tasks/open_tasks.ts";
import { stopProjectTasks } from "../../queue/ending/stop.ts";
import { removeProjectFolders } from "./folders.ts";
import { getProjectEntry, getProjectRows } from "../../model/projects.ts";
import type { ProjectRow } from "../../model/project_row.ts";
import { type ProjectDeletion, projectDeletions, removeProject } from "./sweep.ts";

/**
 * Deletes a project with everything in it. Throws 409 while a task or a workflow is open, unless
 * `force` is set, which stops them first. Throws 412 if the stored project is not `expected`.
 */
export async function deleteProject(
  { deps, actor, projectId: id }: ProjectScope<"update_project">,
  { force, expected }: { force: boolean; expected?: Expected },
): Promise<void> {
  if (!force) await refuseOpen(deps.kv, id);
  const { row, begun } = await mark(deps, id, actor, expected);
  await accessChanged(deps, { project_id: id, user_id: null });
  const request = deletion<Deps>(async (deps, job) => {
    try {
      // A task may have been started before the mark was set. None can start after it.
      if (!force) await refuseOpen(deps.kv, id);
      else await stopTasks(deps, id);
    } catch (error) {
      await unmark(deps, row, job);
      throw error;
    }
    await finishDeletion(deps, job);
  });
  await doBegun(deps, request, begun);
}

/** Returns a worker that ends with the deletion of the project, or takes back its mark. */
export const deletion = <Deps extends JobDeps>(
  run: Worker<ProjectDeletion, Deps>["run"],
): AnyWorker<Deps> =>
  worker<ProjectDeletion, Deps>({
    kind: projectDeletions,
    attempts: 20,
    waitsMs: [1_000, 10_000, 60_000, 600_000],
    limitMs: 60 * 60_000,
    parallel: 2,
    inDeletion: true,
    run,
  });

/** Completes deletions that have failed half-way, or whose server has died. */
export const deletionWorker = deletion<Deps>(async (deps, job) => {
  await stopTasks(deps, job.input.project_id);
  await finishDeletion(deps, job);
});

/** Hides a project, and accepts nothing new in it. */
const mark = (deps: Deps, id: number, actor: Actor, expected: Expected) =>
  transact(deps.kv, async (op) => {
    const { key, value: row, versionstamp } = await getProjectEntry(deps.kv, id);
    requireVersion(row, expected);
    op.check({ key, versionstamp }).set(key, { ...row, deleting: true });
    const { user_id, username = null } = namesOf(actor);
    const by = { person: { id: user_id, username }, client: recordedClient(actor) };
    return { row, begun: putBegun(op, deps, projectDeletions, { project_id: id, by }) };
  });

/** Shows a project again whose deletion failed, and lets its tasks continue. */
async function unmark({ kv, wakeDispatcher }: Deps, row: ProjectRow, job: Job<ProjectDeletion>) {
  await transact(kv, async (op) => {
    await job.end(op);
    op.set(rowKeys.project(row.id), row).set(rowKeys.tasksWake(), row.id);
  });
  wakeDispatcher();
}

async function openTaskIds(kv: Store, projectId: number): Promise<number[]> {
  return (await listProjectOpenTasks(kv, projectId)).map(({ id }) => id);
}

/** Throws 409 while a task is open, or a run of a workflow, which may only wait for someone. */
async function refuseOpen(kv: Store, projectId: number) {
  const [tasks, runs] = await Promise.all([
    openTaskIds(kv, projectId),
    Array.fromAsync(kv.list({ prefix: rowKeys.openWorkflowRuns(projectId) }, { limit: 1 })),
  ]);
  if (tasks.length > 0 || runs.length > 0) throw tasksOpen(tasks);
}

const tasksOpen = (tasks: number[]) =>
  new AppError(409, "errors.tasks_running", {}, { body: { tasks } });

/** Time to stop a task in addition to its own grace period. */
const STOP_SLACK_MS = 20_000;
/** Interval for checking whether a task that another server runs has ended. */
const LOOK_INTERVAL_MS = 1000;

/** Stops a project's tasks, and waits until all have ended. Throws 409 if one does not stop. */
async function stopTasks(deps: Deps, projectId: number) {
  const bell = createBell();
  const unsubscribe = deps.hub.subscribe((message) => {
    if (message.type === "update" && message.project_id === projectId) bell.ring();
  });
  try {
    await stopProjectTasks(deps, projectId);
    const deadline = performance.now() + deps.config.stopGraceMs + STOP_SLACK_MS;
    for (;;) {
      const tasks = await openTaskIds(deps.kv, projectId);
      if (tasks.length === 0) return;
      if (performance.now() > deadline) throw tasksOpen(tasks);
      await bell.wait(LOOK_INTERVAL_MS);
    }
  } finally {
    unsubscribe();
  }
}

async function finishDeletion(deps: Deps, job: Job<ProjectDeletion>): Promise<void> {
  const { project_id: id, by } = job.input;
  const [row] = await getProjectRows(deps.kv, [id]);
  await removeProjectFolders(deps.config.dataDir, id);
  await removeProject(deps.kv, id, async (op) => {
    await job.end(op);
    if (!by || !row) return;
    const about = { projectId: 0, object: "project", id, name: row.name } as const;
    const event = { ...about, action: "deleted", ...differencesOf(row, null) };
    recordEvent(op, deps, { kind: "server", id: 0, projectId: 0, ...by }, event);
  });
}
