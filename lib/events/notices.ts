import type { Sentence } from "../base/errors.ts";
import { fitRow } from "../store/rows/fit_row.ts";
import * as z from "zod";
import { jobKind } from "../jobs/kind.ts";
import { putJob } from "../jobs/put.ts";
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

/** An alert that is not sent yet. Its kind decides about other members: lib/alerts/outbox.ts. */
interface StoredAlert {
  kind: string;
  project_id: number | null;
}

export const alertJobs = jobKind<StoredAlert>({
  name: "alerts",
  schema: z.looseObject({ kind: z.string(), project_id: z.int().nullable() }),
});

/** Adds a notice to `op`. */
export function queueNotice(
  op: Atomic,
  { clock }: { clock: { now(): Date } },
  notice: Omit<NoticeAlert, "kind">,
): void {
  const row: NoticeAlert = { kind: "notice", ...notice };
  putJob(op, { clock }, alertJobs, fitRow(row, STORY_BYTES_MAX));
}
