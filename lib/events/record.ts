import { type Actor, type Client, initiatorOf, userIdOf } from "../access/actor.ts";
import type { Deps } from "../access/deps.ts";
import { AppError, type SentenceParams } from "../base/errors.ts";
import { fitRow } from "../store/rows/fit_row.ts";
import { guardProject } from "../store/guard_project.ts";
import { rowKeys } from "../store/keys.ts";
import { hasOutbox } from "../store/outbox_switch.ts";
import { transact } from "../store/transact.ts";
import type { Atomic, Store } from "../store/store.ts";
import { activityKeys, isFolded } from "./activity.ts";
import type { Changes } from "./differences.ts";
import { addToOutbox } from "./outbox.ts";
import { eventId } from "./repository.ts";
import type { EventObject, EventRow } from "./schema.ts";

/** Less than the store takes, because the outbox has a copy with more members. */
const ROW_BYTES_MAX = 60 * 1024;

export interface NewEvent {
  /** 0 for an event that belongs to no project. */
  projectId: number;
  object: EventObject;
  id: number;
  name: string;
  /** Last part of the locale key `events.<object>.<action>`. */
  action: string;
  params?: SentenceParams;
  /** Fields that changed: see `recordChange`. */
  changes?: Changes;
  /** Number of changed fields that are not in `changes`. */
  left?: number;
}

/** Adds an event to `op`, so that it is stored together with the change, or not at all. */
export function recordEvent(
  op: Atomic,
  deps: { kv: Store; clock: { now(): Date } },
  actor: Actor,
  { projectId, object, id, name, action, params = {}, changes, left }: NewEvent,
): void {
  const isUser = actor.kind === "user";
  const starter = initiatorOf(actor);
  const created = deps.clock.now().toISOString();
  const row = fitRow<EventRow>({
    created,
    user_id: userIdOf(actor),
    username: isUser ? actor.username : actor.person?.username ?? null,
    object_type: object,
    object_id: id,
    object_name: name,
    action,
    params: { name, id, ...params },
    ...starter && { starter },
    ...changes && { changes },
    ...left && { changes_left: left },
    ...recordedClient(actor),
  }, ROW_BYTES_MAX);
  const key = rowKeys.event(projectId, created, uniquePart());
  op.set(key, row).set(rowKeys.eventsStamp(), id);
  if (hasOutbox(deps.kv)) {
    addToOutbox(op, deps.kv, { id: eventId(key), project_id: projectId, row });
  }
  // A step that a person caused does not follow automatically from the start, so it is indexed.
  if (isFolded(row) && !isUser) return;
  for (const indexKey of activityKeys(key, row)) op.set(indexKey, true);
}

const ADDRESS_MAX = 100;
const USER_AGENT_MAX = 300;

/** Returns the client of an actor as rows keep it. */
export const recordedClient = ({ client }: Actor): Client | undefined =>
  client && {
    address: client.address.slice(0, ADDRESS_MAX),
    user_agent: client.user_agent.slice(0, USER_AGENT_MAX),
  };

/** Stores an event that changes no row. Does nothing if the project is deleted or being deleted. */
export async function storeEvent(
  deps: Pick<Deps, "kv" | "clock">,
  actor: Actor,
  event: NewEvent,
): Promise<void> {
  try {
    await transact(deps.kv, async (op) => {
      await guardProject(deps.kv, op, event.projectId);
      recordEvent(op, deps, actor, event);
    });
  } catch (error) {
    if (!(error instanceof AppError && error.status === 404)) throw error;
  }
}

/** Unique part of an event's key. It also keeps events of one millisecond in order. */
function uniquePart(): string {
  const microseconds = Math.trunc((performance.timeOrigin + performance.now()) * 1000);
  return microseconds.toString(36).padStart(12, "0") + "-" + crypto.randomUUID().slice(0, 8);
}
