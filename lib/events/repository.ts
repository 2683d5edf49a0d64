import { mergeNewest } from "../base/merge_newest.ts";
import { rowKeys } from "../kv/keys.ts";
import type { EventRow } from "./schema.ts";

/** An event with what tells it apart: its id is also the cursor of the page behind it. */
export interface StoredEvent {
  id: string;
  projectId: number;
  row: EventRow;
}

/** Rows read at a time by those who do not say how many they want. */
const BATCH = 50;
/** KV gives no more at a time. */
const BATCH_MAX = 1000;

/** The newest events of one project (0: of none), from just before the event `before` on. */
export async function* newestEvents(
  kv: Deno.Kv,
  projectId: number,
  before?: string,
  limit?: number,
): AsyncGenerator<StoredEvent> {
  const entries = kv.list<EventRow>(eventSelector(rowKeys.events(projectId), before), {
    reverse: true,
    limit,
    batchSize: Math.min(limit ?? BATCH, BATCH_MAX),
  });
  for await (const entry of entries) yield storedEvent(entry);
}

/** Rows whose keys go on with an event's time and unique part, from just before `before` on. */
export const eventSelector = (prefix: Deno.KvKey, before?: string): Deno.KvListSelector =>
  before === undefined ? { prefix } : { prefix, end: [...prefix, ...parseEventId(before)] };

/** An event as it is read. */
export const storedEvent = ({ key, value }: Deno.KvEntry<EventRow>): StoredEvent => ({
  id: eventId(key),
  projectId: key[1] as number,
  row: value,
});

/** The newest events of several projects, merged; no more is read than is taken. */
export const newestEventsOf = (
  kv: Deno.Kv,
  projectIds: readonly number[],
  before?: string,
): AsyncGenerator<StoredEvent> =>
  mergeNewest(projectIds.map((id) => newestEvents(kv, id, before)), (a, b) => a.id > b.id);

const SEPARATOR = "_";
const eventId = (key: Deno.KvKey) => `${String(key[2])}${SEPARATOR}${String(key[3])}`;

/** Longer than any event's id; what is longer might be no KV key at all. */
const ID_LENGTH_MAX = 200;

/** Time and unique part of an event's id. An id of anything else is simply a place in time. */
export function parseEventId(text: string): [created: string, unique: string] {
  const id = text.slice(0, ID_LENGTH_MAX);
  const at = id.indexOf(SEPARATOR);
  return at < 0 ? [id, ""] : [id.slice(0, at), id.slice(at + 1)];
}
