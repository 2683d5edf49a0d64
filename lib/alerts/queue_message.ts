import type { Deps } from "../access/deps.ts";
import { rowKeys } from "../store/keys.ts";
import type { Atomic } from "../store/store.ts";
import { forgetOldDeliveries, logDelivery } from "./deliveries/log.ts";
import { type MailsAlert, putAlert } from "./outbox.ts";
import type { TargetMessage } from "./target_message.ts";
import type { TargetRow } from "./targets/rows.ts";
import { recipientsOfTarget } from "./targets/send.ts";

/** Adds a message to a target to `op`, with its entry in the log. A paused one is skipped. */
export async function queueMessage(
  { kv, clock }: Pick<Deps, "kv" | "clock">,
  op: Atomic,
  target: TargetRow,
  message: TargetMessage,
): Promise<void> {
  const now = clock.now();
  const { project_id: place, id: target_id, paused } = target;
  for (const to of await recipientsOfTarget(kv, target)) {
    const unique = crypto.randomUUID();
    const log = { place, target_id, at: now.toISOString(), unique };
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
    if (paused) continue;
    const project_id = message.project?.id ?? null;
    putAlert(op, now, { kind: "target", project_id, to, message, log, attempts: 0 });
  }
  // Otherwise its attempts do this.
  if (paused) await forgetOldDeliveries(kv, op, { place, target_id });
}

/** Replaces the mails of a target with a row for each of them. */
export async function storeMails(
  deps: Pick<Deps, "kv" | "clock">,
  entry: Deno.KvEntry<unknown>,
  { place, target_id, message }: MailsAlert,
): Promise<void> {
  const op = deps.kv.atomic().check(entry).delete(entry.key);
  const { value: target } = await deps.kv.get<TargetRow>(rowKeys.alertTarget(place, target_id));
  if (target?.active) await queueMessage(deps, op, target, message);
  await op.commit();
}
