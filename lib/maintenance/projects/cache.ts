import { join } from "node:path";
import type { ProjectScope } from "../../access/scope.ts";
import { linkedAbort } from "../../base/time/abort.ts";
import { after } from "../../base/time/after.ts";
import { type AppError, conflict } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { clearInstallations } from "../../execution/ansible/requirements/folders.ts";
import { removeTree, subdirectories } from "../../execution/process/files.ts";
import { withLock } from "../../execution/process/lock.ts";
import { listProjectOpenTasks } from "../../tasks/open_tasks.ts";
import { isActive } from "../../model/status.ts";

/** Time for which a fetch or an installation may hold its folder. */
const WAIT_MS = 10_000;

/**
 * Removes the copies of repositories and the installed requirements of a project from this server.
 * The next task fetches and installs them anew. Throws 409 while a task of the project runs, and
 * if a folder is in use.
 */
export async function clearProjectCache(scope: ProjectScope<"manage_resources">): Promise<void> {
  const { deps, actor, projectId, project: { name } } = scope;
  const { dataDir } = deps.config;
  await requireIdle(scope);
  const repositories = join(dataDir, "repositories", String(projectId));
  for (const folder of await subdirectories(repositories)) await clearFolder(scope, folder);
  await whileFree((signal) => clearInstallations(dataDir, projectId, signal));
  const op = deps.kv.atomic();
  const event = { projectId, object: "project", id: projectId, name } as const;
  recordEvent(op, deps, actor, { ...event, action: "cache_cleared" });
  await op.commit();
}

/**
 * Removes all that is in a folder except its lock. A task that starts meanwhile waits for the lock
 * before it uses the folder.
 */
async function clearFolder(scope: ProjectScope, folder: string): Promise<void> {
  if (await Deno.stat(folder).catch(() => null) === null) return;
  await whileFree((signal) =>
    withLock(join(folder, "lock"), signal, async () => {
      await requireIdle(scope);
      // First, so that no one reads a copy of which only a part is left.
      await Deno.remove(join(folder, "current")).catch(() => {});
      for (const part of await subdirectories(folder)) await removeTree(part);
    })
  );
}

/** Does work with a signal, which ends a wait that takes too long. */
async function whileFree(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const { signal, abort, release } = linkedAbort();
  const cancel = after(WAIT_MS, () => abort(inUse()));
  try {
    await work(signal);
  } finally {
    cancel();
    release();
  }
}

/** Throws 409 if a task of the project runs, which may read any of the folders. */
async function requireIdle({ deps: { kv }, projectId }: ProjectScope): Promise<void> {
  const open = await listProjectOpenTasks(kv, projectId);
  if (open.some(({ status }) => isActive(status))) throw inUse();
}

const inUse = (): AppError => conflict("errors.cache_in_use");
