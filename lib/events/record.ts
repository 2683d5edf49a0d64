import { type Actor, starterOf, userIdOf } from "../access/actor.ts";
import type { Deps } from "../access/deps.ts";
import { AppError, type SentenceParams } from "../base/errors.ts";
import { holdProject } from "../kv/hold_project.ts";
import { rowKeys } from "../kv/keys.ts";
import { transact } from "../kv/transact.ts";
import { activityKeys, isFolded } from "./activity.ts";
import type { EventObject, EventRow } from "./schema.ts";

interface NewEvent {
  /** 0 for what belongs to no project. */
  projectId: number;
  object: EventObject;
  id: number;
  name: string;
  /** Last part of the locale key `events.<object>.<action>`. */
  action: string;
  params?: SentenceParams;
}

/** Adds to `op` that `actor` did something: stored with the change itself, or not at all. */
export function recordEvent(
  op: Deno.AtomicOperation,
  deps: { clock: { now(): Date } },
  actor: Actor,
  { projectId, object, id, name, action, params = {} }: NewEvent,
): void {
  const isUser = actor.kind === "user";
  const starter = starterOf(actor);
  const created = deps.clock.now().toISOString();
  const row: EventRow = {
    created,
    user_id: userIdOf(actor),
    username: isUser ? actor.username : actor.person?.username ?? null,
    object_type: object,
    object_id: id,
    object_name: name,
    action,
    params: { name, id, ...params },
    ...starter && { starter },
  };
  const key = rowKeys.event(projectId, created, uniquePart());
  op.set(key, row).set(rowKeys.eventsStamp(), id);
  // What a person does is no step that follows by itself.
  if (isFolded(row) && !isUser) return;
  for (const indexKey of activityKeys(key, row)) op.set(indexKey, true);
}

/**
 * Stores that `actor` did something which is no change of a row; nothing for a project that is gone
 * or going.
 */
export async function storeEvent(
  deps: Pick<Deps, "kv" | "clock">,
  actor: Actor,
  event: NewEvent,
): Promise<void> {
  try {
    await transact(deps.kv, async (op) => {
      await holdProject(deps.kv, op, event.projectId);
      recordEvent(op, deps, actor, event);
    });
  } catch (error) {
    if (!(error instanceof AppError && error.status === 404)) throw error;
  }
}

/** Tells apart, and puts in order, what happened within one millisecond. */
function uniquePart(): string {
  const microseconds = Math.trunc((performance.timeOrigin + performance.now()) * 1000);
  return microseconds.toString(36).padStart(12, "0") + "-" + crypto.randomUUID().slice(0, 8);
}
