import { type Place, placeOfRows } from "../kv/counted.ts";
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
  const prefix = rowKeys.events(projectId);
  const selector = before === undefined
    ? { prefix }
    : { prefix, end: rowKeys.event(projectId, ...parseEventId(before)) };
  const entries = kv.list<EventRow>(selector, {
    reverse: true,
    limit,
    batchSize: Math.min(limit ?? BATCH, BATCH_MAX),
  });
  for await (const { key, value } of entries) {
    yield { id: eventId(key), projectId, row: value };
  }
}

/** The newest events of several projects, merged; no more is read than is taken. */
export async function* newestEventsOf(
  kv: Deno.Kv,
  projectIds: readonly number[],
  before?: string,
): AsyncGenerator<StoredEvent> {
  const sources = projectIds.map((id) => newestEvents(kv, id, before));
  const heads = await Promise.all(sources.map(nextOf));
  while (true) {
    let newest = -1;
    for (const [index, head] of heads.entries()) {
      if (head && (newest < 0 || head.id > heads[newest]!.id)) newest = index;
    }
    if (newest < 0) return;
    yield heads[newest]!;
    heads[newest] = await nextOf(sources[newest]);
  }
}

const nextOf = async (source: AsyncGenerator<StoredEvent>) => (await source.next()).value ?? null;

/** Where the page of a project's events stands that begins just before the event `before`. */
export const placeOfEvents = (
  kv: Deno.Kv,
  projectId: number,
  before?: string,
): Promise<Place> =>
  placeOfRows(
    kv,
    rowKeys.events(projectId),
    before === undefined ? null : rowKeys.event(projectId, ...parseEventId(before)),
  );

const SEPARATOR = "_";
const eventId = (key: Deno.KvKey) => `${String(key[2])}${SEPARATOR}${String(key[3])}`;

/** Longer than any event's id; what is longer might be no KV key at all. */
const ID_LENGTH_MAX = 200;

/** Time and unique part of an event's id. An id of anything else is simply a place in time. */
function parseEventId(text: string): [created: string, unique: string] {
  const id = text.slice(0, ID_LENGTH_MAX);
  const at = id.indexOf(SEPARATOR);
  return at < 0 ? [id, ""] : [id.slice(0, at), id.slice(at + 1)];
}
