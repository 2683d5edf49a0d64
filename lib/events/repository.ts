import { getAll } from "../store/rows/get_all.ts";
import {
  type Indexed,
  type IndexedList,
  type IndexRange,
  readIndices,
} from "../store/indexed_list.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import type { EventRow } from "./schema.ts";

/** An event with its id, which is also the cursor of the next page. */
export interface StoredEvent {
  id: string;
  projectId: number;
  row: EventRow;
}

/** Part of a list of events. */
export interface EventRange {
  /** Id of an event, or a time. Only older events are read. */
  before?: string;
  /** The first and the last time, in ISO 8601 and UTC. */
  from?: string;
  to?: string;
}

/** Rows read per batch when the caller sets no limit. */
const BATCH = 50;
/** Maximum batch size of KV. */
const BATCH_MAX = 1000;

/** The latest events of one project, or of no project for 0. */
export async function* newestEvents(
  kv: Store,
  projectId: number,
  range: EventRange = {},
  limit?: number,
): AsyncGenerator<StoredEvent> {
  const entries = readIndices<EventRow>(kv, eventList, [rowKeys.events(projectId)], {
    range: eventRange(range),
    limit,
    batchSize: Math.min(limit ?? BATCH, BATCH_MAX),
  });
  for await (const entry of entries) yield storedEvent(entry);
}

/** Keys of events and of their indices end in a time and a unique part. The latest come first. */
export const eventList: IndexedList = { parts: 2, isReverse: true };

/** Returns the positions of a part of a list. */
export function eventRange({ before, from, to }: EventRange): IndexRange {
  const end = endOf(before, to);
  return { ...from !== undefined && { start: [from] }, ...end && { end } };
}

/** Returns the end of the part before an event and up to a time, including that time. */
function endOf(before: string | undefined, to: string | undefined): string[] | null {
  const limit = to === undefined ? null : [new Date(Date.parse(to) + 1).toISOString()];
  if (before === undefined) return limit;
  const position = parseEventId(before);
  return limit && limit[0] < position[0] ? limit : position;
}

/** Returns an event by its id; null if there is none. */
export async function findEvent(
  kv: Store,
  projectId: number,
  id: string,
): Promise<StoredEvent | null> {
  const entry = await kv.get<EventRow>(rowKeys.event(projectId, ...parseEventId(id)));
  return entry.value && storedEvent(entry);
}

/** Converts a KV entry to an event. */
const storedEvent = ({ key, value }: Indexed<EventRow>): StoredEvent => ({
  id: eventId(key),
  projectId: key[1] as number,
  row: value,
});

/** Reads the events of index rows, in their order. */
export async function readIndexed(
  kv: Store,
  projectId: number,
  rows: readonly { key: Deno.KvKey }[],
): Promise<StoredEvent[]> {
  const keys = rows.map(({ key }) =>
    rowKeys.event(projectId, ...key.slice(-2) as [string, string])
  );
  const entries = await getAll<EventRow>(kv, keys);
  return entries.flatMap((entry) => entry.value ? [storedEvent(entry)] : []);
}

const SEPARATOR = "_";
export const eventId = (key: Deno.KvKey) => `${String(key[2])}${SEPARATOR}${String(key[3])}`;

/** Longer than any event's id. A longer text could exceed the size of a KV key. */
const ID_LENGTH_MAX = 200;

/** Splits an event's id into time and unique part. Any other text counts as a position in time. */
export function parseEventId(text: string): [created: string, unique: string] {
  const id = text.slice(0, ID_LENGTH_MAX);
  const at = id.indexOf(SEPARATOR);
  return at < 0 ? [id, ""] : [id.slice(0, at), id.slice(at + 1)];
}
