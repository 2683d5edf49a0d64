import { csvLine } from "../base/text/csv_line.ts";
import type { EventView } from "./schema.ts";

/** Columns of an export, in their order. */
const COLUMNS = [
  "created",
  "id",
  "project_id",
  "project_name",
  "user_id",
  "username",
  "object_type",
  "object_id",
  "object_name",
  "action",
  "description",
  "address",
  "user_agent",
  "changes",
  "changes_left",
] as const satisfies readonly (keyof EventView)[];

/** The first line of an export. */
export const EVENTS_CSV_HEAD = csvLine(COLUMNS);

/** Returns the line of an event, with its sentence in place of its description. */
export const eventCsv = (event: EventView, description: string): string => {
  const changes = event.changes && JSON.stringify(event.changes);
  const shown = { ...event, description, changes };
  return csvLine(COLUMNS.map((name) => shown[name]));
};
