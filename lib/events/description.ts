import type { Translate } from "../i18n/translate.ts";
import type { EventRow } from "./schema.ts";

/** What happened, as a sentence in the language of `t`; of a task also what started it. */
export function eventDescription(row: EventRow, t: Translate): string {
  const event = t(`events.${row.object_type}.${row.action}`, row.params);
  if (row.object_type !== "task" || !row.starter) return event;
  return t(`events.started_by.${row.starter.kind}`, { event, name: row.starter.name });
}
