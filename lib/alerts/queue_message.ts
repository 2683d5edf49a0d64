import type { Deps } from "../access/deps.ts";
import { putJob } from "../jobs/put.ts";
import { fitRow } from "../store/fit_row.ts";
import type { Atomic } from "../store/store.ts";
import { logDelivery, logKey } from "./deliveries/log.ts";
import { messageJobs } from "./outbox.ts";
import type { TargetMessage } from "./target_message.ts";
import type { TargetRow } from "./targets/rows.ts";

const MESSAGE_BYTES_MAX = 56 * 1024;

interface Queued {
  to: string;
  message: TargetMessage;
  /** Project of the rule that sends it; 0 for one of the server. */
  place: number;
}

/** Adds a message to a target to `op`, with its entry in the log. A paused one is skipped. */
export function queueMessage(
  { clock }: Pick<Deps, "clock">,
  op: Atomic,
  target: TargetRow,
  { to, message: given, place }: Queued,
): void {
  const now = clock.now();
  const message = fitRow(given, MESSAGE_BYTES_MAX);
  const { paused } = target;
  const log = logKey(target, place, now);
  logDelivery(op, log, {
    event: message.event,
    title: message.title,
    to,
    status: paused ? "skipped" : "waiting",
    attempts: 0,
    next_attempt: paused ? null : now.toISOString(),
    code: null,
    reason: null,
  });
  if (paused) return;
  const project_id = message.project?.id ?? null;
  putJob(op, { clock }, messageJobs, { project_id, to, message, log });
}
