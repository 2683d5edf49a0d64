import { inGroups } from "../base/groups.ts";
import { readIndices } from "../store/indexed_list.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import {
  eventList,
  type EventRange,
  eventRange,
  newestEvents,
  readIndexed,
  type StoredEvent,
} from "./repository.ts";
import type { EventObject } from "./schema.ts";

/** Filter of a list of events. */
export interface EventFilter extends EventRange {
  kind?: EventObject;
  /** An object of the kind. */
  objectId?: number;
  /** Only events that this person caused. */
  userId?: number;
}

/** Number of rows that are read together. */
const BATCH = 100;

/** Returns the index whose rows match a filter, apart from its times. */
export const indexFor = (
  projectId: number,
  { kind, objectId, userId = 0 }: EventFilter,
): Deno.KvKey =>
  kind !== undefined && objectId !== undefined
    ? rowKeys.objectEvents(projectId, kind, objectId, userId)
    : rowKeys.activity(projectId, kind ?? "", userId);

/**
 * The latest events of a project that match, or those of no project for 0. With a filter by person
 * or object, the steps that follow automatically from a task's start are left out. Reads no more
 * rows than it returns.
 */
export async function* newestMatching(
  kv: Store,
  projectId: number,
  filter: EventFilter,
  limit?: number,
): AsyncGenerator<StoredEvent> {
  if (filter.kind === undefined && filter.userId === undefined) {
    yield* newestEvents(kv, projectId, filter, limit);
    return;
  }
  const batchSize = Math.min(limit ?? BATCH, BATCH);
  const index = indexFor(projectId, filter);
  const found = readIndices(kv, eventList, [index], {
    range: eventRange(filter),
    limit,
    batchSize,
  });
  for await (const entries of inGroups(found, batchSize)) {
    yield* await readIndexed(kv, projectId, entries);
  }
}
