import type { Sentence } from "../base/errors.ts";
import type { EventRow } from "./schema.ts";

/** The sentence for an event. For a task it also says what started it. */
export function eventDescription(row: EventRow): Sentence {
  const event = { key: `events.${row.object_type}.${row.action}`, params: row.params };
  if (row.object_type !== "task" || !row.starter) return event;
  const { kind, name } = row.starter;
  return { key: `events.started_by.${kind}`, params: { event, name } };
}
