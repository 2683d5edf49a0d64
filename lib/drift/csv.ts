import type { ProjectScope } from "../access/scope.ts";
import { csvLine } from "../base/text/csv_line.ts";
import { placeText } from "../i18n/reason_text.ts";
import type { Translate } from "../i18n/translate.ts";
import { tell } from "../i18n/tell.ts";
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

/** Columns of members that have members of their own. New ones come last. */
const MORE_COLUMNS = [
  "accepted_until",
  "accepted_note",
  "unchecked",
  "change_tasks",
  "reason_task",
  "reason_place",
  "reason",
];

/** Yields the states that match as lines of CSV (RFC 4180). */
export async function* driftCsv(
  scope: ProjectScope,
  filter: DriftFilter,
  t: Translate,
): AsyncGenerator<string> {
  yield csvLine([...COLUMNS, ...MORE_COLUMNS]);
  for await (const rows of everyHostDrift(scope, filter)) {
    yield rows.map((row) => csvLine([...COLUMNS.map((column) => row[column]), ...moreOf(row, t)]))
      .join("");
  }
}

const moreOf = ({ accepted, unchecked, change_tasks, reason }: HostDrift, t: Translate) => [
  accepted?.until ?? null,
  accepted?.note ?? null,
  unchecked,
  change_tasks.join("\n"),
  reason?.step ?? null,
  reason && placeText(reason),
  reason && tell(reason.message, t),
];
