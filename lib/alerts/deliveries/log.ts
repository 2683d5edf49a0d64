import type { SentenceOrText } from "../../base/sentence_or_text.ts";
import { fitRow } from "../../store/rows/fit_row.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import type { SendResult } from "../send_result.ts";
import type { TargetRow } from "../targets/rows.ts";
import type { AlertDelivery } from "../targets/schema.ts";

const KEPT_MAX = 100;
/** More than one commit adds between two looks. */
const EXTRA_MAX = 300;

const REASON_BYTES_MAX = 1_024;
const ENTRY_BYTES_MAX = 4 * 1024;

/** Returns the reason of a failure as the log keeps it; null for a success. */
export const reasonOf = (result: SendResult): SentenceOrText | null =>
  result.ok ? null : fitRow(result.reason, REASON_BYTES_MAX);

/** Keys of a message in the log of its target. */
export interface LogKey {
  /** Project of the target; 0 for one of the server. */
  place: number;
  target_id: number;
  at: string;
  unique: string;
  /** The project that has a log of its own for its messages to a target of the settings. */
  also?: number;
}

/** Returns the keys for a new message to a target, which a rule of `place` sends. */
export const logKey = ({ project_id, id }: TargetRow, place: number, now: Date): LogKey => ({
  place: project_id,
  target_id: id,
  at: now.toISOString(),
  unique: crypto.randomUUID(),
  ...place !== project_id && { also: place },
});

type Log = Pick<LogKey, "place" | "target_id" | "also">;

const placesOf = ({ place, also }: Log): number[] => also === undefined ? [place] : [place, also];

/** Adds the state of a message to `op`. */
export function logDelivery(op: Atomic, log: LogKey, delivery: Omit<AlertDelivery, "time">): void {
  const { target_id, at, unique } = log;
  const row: AlertDelivery = fitRow({ time: at, ...delivery }, ENTRY_BYTES_MAX);
  for (const place of placesOf(log)) {
    op.set(rowKeys.alertDelivery(place, target_id, at, unique), row);
  }
}

/** Returns at most `limit` messages of a target, the latest first. */
export const readAlertLog = (
  kv: Store,
  place: number,
  targetId: number,
  limit = KEPT_MAX,
) =>
  Array.fromAsync(
    kv.list<AlertDelivery>({ prefix: rowKeys.alertDeliveries(place, targetId) }, {
      limit,
      reverse: true,
    }),
    ({ value }) => value,
  );

/** Adds the deletion of all messages but the latest to `op`. */
export async function forgetOldDeliveries(kv: Store, op: Atomic, log: Log): Promise<void> {
  for (const place of placesOf(log)) {
    const prefix = rowKeys.alertDeliveries(place, log.target_id);
    const entries = kv.list({ prefix }, { limit: KEPT_MAX + EXTRA_MAX, reverse: true });
    let count = 0;
    for await (const { key } of entries) if (++count > KEPT_MAX) op.delete(key);
  }
}
