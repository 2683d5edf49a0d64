import type { ProjectScope } from "../access/scope.ts";
import { csvLine } from "../base/text/csv_line.ts";
import type { DriftFilter } from "./list.ts";
import type { HostDrift } from "./schema.ts";
import { everyHostDrift } from "./service.ts";

const COLUMNS = [
  "host",
  "template_id",
  "template_name",
  "state",
  "since",
  "checked",
  "last_described",
  "task_id",
  "commit",
  "changes",
  "partial",
] as const satisfies (keyof HostDrift)[];

/** Yields the states that match as lines of CSV (RFC 4180). */
export async function* driftCsv(scope: ProjectScope, filter: DriftFilter): AsyncGenerator<string> {
  yield csvLine([...COLUMNS, "accepted_until", "accepted_note"]);
  for await (const rows of everyHostDrift(scope, filter)) {
    yield rows.map((row) =>
      csvLine([
        ...COLUMNS.map((column) => row[column]),
        row.accepted?.until ?? null,
        row.accepted?.note ?? null,
      ])
    ).join("");
  }
}
