import type { Sentence } from "../base/errors.ts";
import { fitRow } from "../store/fit_row.ts";
import { rowKeys } from "../store/keys.ts";
import type { Atomic } from "../store/store.ts";

/**
 * A notice about something that no task reports. It becomes an alert if a rule asks for it:
 * `lib/alerts/` reads these rows.
 */
export interface NoticeAlert {
  kind: "notice";
  event: "schedule_missed" | "certificate_expiring" | "account_locked" | "backup_too_old";
  /** Null for a notice about the server. */
  project_id: number | null;
  template_id: number | null;
  title: Sentence;
  /** Path of the page to look at. */
  path: string;
}

/** Bytes of an alert before its targets are chosen. One commit then adds it for each of them. */
export const STORY_BYTES_MAX = 6 * 1024;

/** Adds a notice to `op`. */
export function queueNotice(
  op: Atomic,
  { clock }: { clock: { now(): Date } },
  notice: Omit<NoticeAlert, "kind">,
): void {
  const row: NoticeAlert = { kind: "notice", ...notice };
  putAlertRow(op, clock.now(), fitRow(row, STORY_BYTES_MAX));
}

/** Adds a row that is due at a time to the alerts. Returns its key. */
export function putAlertRow(op: Atomic, at: Date, row: object): Deno.KvKey {
  const unique = crypto.randomUUID();
  const key = rowKeys.alertDue(at.toISOString(), unique);
  op.set(key, row).set(rowKeys.alertsWake(), unique);
  return key;
}
