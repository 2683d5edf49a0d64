import { mergeNewest } from "../base/merge.ts";
import { rowKeys } from "../kv/keys.ts";
import type { EventRow } from "./schema.ts";

/** An event with its id, which is also the cursor of the next page. */
export interface StoredEvent {
  id: string;
  projectId: number;
  row: EventRow;
}

/** Rows read per batch when the caller sets no limit. */
const BATCH = 50;
/** Maximum batch size of KV. */
const BATCH_MAX = 1000;

/** The latest events of one project, or of no project for 0, starting before the event `before`. */
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

/** Selects rows whose keys end with an event's time and unique part, starting before `before`. */
export const eventSelector = (prefix: Deno.KvKey, before?: string): Deno.KvListSelector =>
  before === undefined ? { prefix } : { prefix, end: [...prefix, ...parseEventId(before)] };

/** Converts a KV entry to an event. */
export const storedEvent = ({ key, value }: Deno.KvEntry<EventRow>): StoredEvent => ({
  id: eventId(key),
  projectId: key[1] as number,
  row: value,
});

/** The latest events of several projects, merged lazily. */
export const newestEventsOf = (
  kv: Deno.Kv,
  projectIds: readonly number[],
  before?: string,
): AsyncGenerator<StoredEvent> =>
  mergeNewest(projectIds.map((id) => newestEvents(kv, id, before)), (a, b) => a.id > b.id);

const SEPARATOR = "_";
const eventId = (key: Deno.KvKey) => `${String(key[2])}${SEPARATOR}${String(key[3])}`;

/** Longer than any event's id. A longer text could exceed the size of a KV key. */
const ID_LENGTH_MAX = 200;

/** Splits an event's id into time and unique part. Any other text counts as a position in time. */
export function parseEventId(text: string): [created: string, unique: string] {
  const id = text.slice(0, ID_LENGTH_MAX);
  const at = id.indexOf(SEPARATOR);
  return at < 0 ? [id, ""] : [id.slice(0, at), id.slice(at + 1)];
}
