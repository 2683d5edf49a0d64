import type { Deps } from "../../access/deps.ts";
import { recordEvent } from "../../events/record.ts";
import type { SentenceOrText } from "../../base/sentence_or_text.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic } from "../../store/store.ts";
import type { TargetDelivery } from "../outbox.ts";
import { alertEvent } from "../scope.ts";
import type { SendResult } from "../send_result.ts";
import { findAlertTarget } from "../targets/repository.ts";
import type { TargetRow } from "../targets/rows.ts";
import type { AlertDelivery } from "../targets/schema.ts";
import { forgetOldDeliveries, logDelivery, reasonOf } from "./log.ts";

/** Messages in a row that could not be sent, after which a target is paused. */
const FAILURES_MAX = 20;

/**
 * Adds the result of an attempt to `op`: in the log of the target, and as one of its failures in a
 * row. Other attempts may end at the same time, so the count is not checked with the message. A
 * target of the settings is never paused.
 */
export async function noteAttempt(
  deps: Pick<Deps, "kv" | "clock" | "config">,
  op: Atomic,
  { log, message, to }: TargetDelivery,
  attempts: number,
  result: SendResult,
  status: AlertDelivery["status"],
  next: Date | null,
): Promise<void> {
  const target = await findAlertTarget(deps, log.place, log.target_id);
  if (!target) return;
  const reason = reasonOf(result);
  logDelivery(op, log, {
    event: message.event,
    title: message.title,
    to,
    status,
    attempts,
    next_attempt: next?.toISOString() ?? null,
    code: result.code ?? null,
    reason,
  });
  await forgetOldDeliveries(deps.kv, op, log);
  if (target.id > 0) await countFailure(deps, target, status, reason);
}

/** Counts messages in a row that could not be sent. After too many the target is paused. */
async function countFailure(
  { kv, clock }: Pick<Deps, "kv" | "clock">,
  { project_id, id, failures: known }: TargetRow,
  status: AlertDelivery["status"],
  reason: SentenceOrText | null,
): Promise<void> {
  if (status !== "abandoned" && !(status === "sent" && known > 0)) return;
  await transact(kv, async (op) => {
    const entry = await kv.get<TargetRow>(rowKeys.alertTarget(project_id, id));
    if (!entry.value || entry.value.paused) return;
    const failures = status === "sent" ? 0 : entry.value.failures + 1;
    const isPaused = failures >= FAILURES_MAX;
    const paused = isPaused ? { at: clock.now().toISOString(), reason: reason ?? "" } : null;
    op.check(entry).set(entry.key, { ...entry.value, failures, paused });
    if (!isPaused) return;
    const actor = { kind: "server", id: 0, projectId: project_id } as const;
    recordEvent(op, { kv, clock }, actor, alertEvent(entry.value, "target_paused"));
  });
}
