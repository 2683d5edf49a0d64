import type { Actor, Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { getLogHead, type LogRecord, readLog } from "./log_store.ts";
import { getTask } from "./service.ts";

/** Lines that a page shows before its script asks for all. */
const TAIL_LINES = 300;

/** A task and its newest lines. Throws 404 for tasks of other projects. */
export async function loadTask(deps: Deps, actor: Actor, projectId: number, id: number) {
  const task = await getTask(deps, actor, projectId, id);
  const { lines } = await getLogHead(deps.kv, id);
  const tail: LogRecord[] = [];
  for await (const records of readLog(deps.kv, id, Math.max(0, lines - TAIL_LINES))) {
    tail.push(...records);
  }
  return { task, tail };
}

/**
 * The task that the address's `t` names, and the address to go back to, at the task's row where the
 * page has one; null when there is none.
 */
export async function loadTaskOver(deps: Deps, actor: Actor, projectId: number, url: URL) {
  const id = url.searchParams.get("t") ?? "";
  if (!/^\d{1,15}$/.test(id)) return null;
  const below = new URL(url);
  below.searchParams.delete("t");
  below.hash = `task-${id}`;
  try {
    const loaded = await loadTask(deps, actor, projectId, Number(id));
    return { ...loaded, close: below.pathname + below.search + below.hash };
  } catch (error) {
    // A task that was deleted meanwhile: the page below is still worth showing.
    if (error instanceof AppError && error.status === 404) return null;
    throw error;
  }
}
