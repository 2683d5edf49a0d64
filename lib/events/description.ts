import type { Translate } from "../i18n/translate.ts";
import type { EventRow } from "./schema.ts";

/** What happened, as a sentence in the language of `t`. */
export const eventDescription = (row: EventRow, t: Translate): string =>
  t(`events.${row.object_type}.${row.action}`, row.params);
