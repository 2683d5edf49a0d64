import type { ProjectScope } from "../../access/scope.ts";
import { accessChanged } from "../../access/changed.ts";
import { createBell } from "../../base/bell.ts";
import { isShared } from "../../base/config.ts";
import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import { sleep } from "../../base/pause.ts";
import { type Expected, requireVersion } from "../../base/version.ts";
import { differencesOf } from "../../events/differences.ts";
import { recordEvent } from "../../events/record.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { listProjectOpenTasks } from "../../tasks/open_tasks.ts";
import { stopProjectTasks } from "../../queue/ending/stop.ts";
import { removeProjectFolders } from "./folders.ts";
import { getProjectEntry, getProjectRows, listProjectRows } from "../../access/projects.ts";
import type { ProjectRow } from "../../access/rows.ts";
import { removeProject } from "./sweep.ts";

/**
 * Deletes a project with everything in it. Throws 409 while a task or a workflow is open, unless
 * `force` is set, which stops them first. Throws 412 if the stored project is not `expected`.
 */
export async function deleteProject(
  { deps, actor, projectId: id }: ProjectScope<"update_project">,
  { force, expected }: { force: boolean; expected?: Expected },
): Promise<void> {
  if (!force) await refuseOpen(deps.kv, id);
  const row = await mark(deps.kv, id, expected);
  await accessChanged(deps, { project_id: id, user_id: null });
  try {
    // A task may have been started before the mark was set. None can start after it.
    if (!force) await refuseOpen(deps.kv, id);
    else await stopTasks(deps, id);
  } catch (error) {
    await unmark(deps, row);
    throw error;
  }
  const about = { projectId: 0, object: "project", id, name: row.name, action: "deleted" } as const;
  const event = { ...about, ...differencesOf(row, null) };
  await finishDeletion(deps, id, (op) => recordEvent(op, deps, actor, event));
}

/** Longer than another server takes to stop a project's tasks, or to restore a project. */
const OTHERS_MS = 5 * 60_000;

/**
 * Completes deletions at start that a stopped server left unfinished. Servers that share a store
 * wait first, because another server may still be deleting the project.
 */
export async function resumeProjectDeletions(deps: Deps): Promise<void> {
  const begun = (await listProjectRows(deps.kv)).filter(({ deleting }) => deleting);
  if (begun.length > 0 && isShared(deps.config)) await sleep(OTHERS_MS, { ref: false });
  for (const { id } of begun) {
    const [row] = await getProjectRows(deps.kv, [id]);
    if (!row?.deleting) continue;
    await stopTasks(deps, row.id);
    await finishDeletion(deps, row.id);
  }
}

/** Hides a project, and accepts nothing new in it. */
function mark(kv: Store, id: number, expected: Expected): Promise<ProjectRow> {
  return transact(kv, async (op) => {
    const entry = await getProjectEntry(kv, id);
    requireVersion(entry.value, expected);
    op.check(entry).set(entry.key, { ...entry.value, deleting: true });
    return entry.value;
  });
}

/** Shows a project again whose deletion failed, and lets its tasks continue. */
async function unmark({ kv, wakeDispatcher }: Deps, row: ProjectRow) {
  const entry = await kv.get<ProjectRow>(rowKeys.project(row.id));
  if (!entry.value) return;
  await kv.atomic().check(entry).set(entry.key, row).set(rowKeys.tasksWake(), row.id).commit();
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

async function finishDeletion(
  { kv, config }: Deps,
  id: number,
  also?: (op: Atomic) => void,
) {
  await removeProjectFolders(config.dataDir, id);
  await removeProject(kv, id, also);
}
