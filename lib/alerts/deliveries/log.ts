import type { SentenceOrText } from "../../base/sentence_or_text.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import type { SendResult } from "../channel.ts";
import type { AlertDelivery } from "../targets/schema.ts";

const KEPT_MAX = 100;
/** More than one commit adds between two looks. */
const EXTRA_MAX = 500;

const REASON_MAX = 300;

/** Returns the reason of a failure as the log keeps it; null for a success. */
export function reasonOf(result: SendResult): SentenceOrText | null {
  if (result.ok) return null;
  const { reason } = result;
  return typeof reason === "string" ? reason.slice(0, REASON_MAX) : reason;
}

/** Key of a message in the log of its target. */
export interface LogKey {
  place: number;
  target_id: number;
  at: string;
  unique: string;
}

/** Adds the state of a message to `op`. */
export function logDelivery(
  op: Atomic,
  { place, target_id, at, unique }: LogKey,
  delivery: Omit<AlertDelivery, "time">,
): void {
  op.set(rowKeys.alertDelivery(place, target_id, at, unique), { time: at, ...delivery });
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
export async function forgetOldDeliveries(
  kv: Store,
  op: Atomic,
  { place, target_id }: Pick<LogKey, "place" | "target_id">,
): Promise<void> {
  const prefix = rowKeys.alertDeliveries(place, target_id);
  const entries = kv.list({ prefix }, { limit: KEPT_MAX + EXTRA_MAX, reverse: true });
  let count = 0;
  for await (const { key } of entries) if (++count > KEPT_MAX) op.delete(key);
}
