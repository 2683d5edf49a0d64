import type { SentenceOrText } from "../base/sentence_or_text.ts";
import { describeError } from "../base/log.ts";
import { tell } from "../i18n/tell.ts";
import { translator } from "../i18n/translate.ts";
import { type DueList, startDueLoop } from "../store/due.ts";
import type { Loop } from "../store/loop.ts";
import type { Deps } from "../access/deps.ts";
import { storeEvent } from "../events/record.ts";
import { rowKeys } from "../store/keys.ts";
import type { AnyKind } from "./schema.ts";
import { reasonOf } from "./deliveries/log.ts";
import { noteAttempt } from "./deliveries/note_attempt.ts";
import { sendDigest } from "./digests.ts";
import { expandAlert } from "./expand.ts";
import { renewed } from "./former_rows.ts";
import {
  type AlertRow,
  putAlert,
  type RunnerCall,
  type TargetDelivery,
  type UnsentAlert,
} from "./outbox.ts";
import { storeFeedEntry, storeRouted } from "./routed.ts";
import { callForRunner } from "./runner_call.ts";
import { NOT_SET_UP, SEND_MS_MAX, type SendResult } from "./send_result.ts";
import { createSenders, type Senders } from "./senders.ts";
import { findAlertTarget } from "./targets/repository.ts";
import { sendToTarget } from "./targets/send.ts";
import { channelOf } from "./targets/settings_targets.ts";

const MINUTE_MS = 60_000;
/** Waits before the second and later attempts. After them the alert is abandoned. */
const WAITS_MS = [MINUTE_MS / 2, 2 * MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS];
/** After this time, an attempt without a result counts as one of a server that died. */
const LEASE_MS = 4 * SEND_MS_MAX;
const ALERTS_PARALLEL_MAX = 8;

/**
 * Shortest and longest time after which a message to a receiver that has not answered others is
 * looked at again. It doubles each time, because each look writes the row.
 */
const BUSY_MS = 2_000;
const BUSY_MS_MAX = 64_000;
/** Time after which an alert whose messages could not be stored is looked at again. */
const POSTPONED_MS = MINUTE_MS;
/** Failures after which such an alert is abandoned. */
const FAILURES_MAX = 60;

/** Sends queued alerts, on this server or another one that shares the store. */
export function startAlerts(deps: Deps, onAttempt?: OnAttempt): Loop {
  const senders = createSenders();
  const due = dueAlerts(deps, onAttempt, senders);
  const loop = startDueLoop(deps, "alerts", rowKeys.alertsWake(), due);
  return {
    ...loop,
    async stop() {
      await loop.stop();
      await senders.settled();
    },
  };
}

/** Called after each attempt. `failed` means that another attempt follows. */
type OnAttempt = (channel: AnyKind, result: AttemptResult) => void;
type AttemptResult = "sent" | "failed" | "abandoned";

interface Sending extends Deps {
  onAttempt: OnAttempt;
  senders: Senders;
}

/** Returns the alerts that are still to be sent. */
export const dueAlerts = (
  deps: Deps,
  onAttempt: OnAttempt = () => {},
  senders: Senders = createSenders(LEASE_MS),
): DueList<AlertRow> => ({
  prefix: rowKeys.alertsDue(),
  parallelMax: ALERTS_PARALLEL_MAX,
  handle: (entry) => handle({ ...deps, onAttempt, senders }, entry),
  put: putAlert,
  longestWait,
});

const DAY_MS = 24 * 60 * MINUTE_MS;

/** Returns the longest time until the current attempt ends, or until the next one. */
function longestWait(row: AlertRow): number {
  if (row.kind === "digest") return DAY_MS;
  if (!("attempts" in row)) return 0;
  return row.attempts === 0 ? BUSY_MS_MAX : Math.max(LEASE_MS, WAITS_MS[row.attempts - 1] ?? 0);
}

type Message = TargetDelivery | RunnerCall;

async function handle(deps: Sending, stored: Deno.KvEntry<AlertRow>): Promise<void> {
  const row = renewed(stored);
  const entry = { ...stored, value: row };
  if (!("attempts" in row)) return await storeMessages(deps, entry, row);
  const receiver = { name: receiverOf(row), project: row.project_id };
  if (!deps.senders.isBusy(receiver)) {
    return await deps.senders.start(receiver, () => deliver(deps, entry, row));
  }
  const { busy = 0 } = row;
  const ms = Math.min(BUSY_MS_MAX, BUSY_MS * 2 ** busy);
  await postpone(deps, { ...entry, value: { ...row, busy: busy + 1 } }, ms);
}

/** Replaces an alert or a digest with what follows. One that fails must not block others. */
async function storeMessages(
  deps: Sending,
  entry: Deno.KvEntry<AlertRow>,
  row: UnsentAlert,
): Promise<void> {
  try {
    if (row.kind === "digest") await sendDigest(deps, entry, row);
    else if (row.kind === "routed") await storeRouted(deps, entry, row);
    else if (row.kind === "feed") await storeFeedEntry(deps, entry, row);
    else await expandAlert(deps, entry, row);
  } catch (error) {
    const failures = (row.failures ?? 0) + 1;
    const about = { alert: row.kind, failures };
    deps.log("error", "alert_not_expanded", { ...about, ...describeError(error) });
    if (failures < FAILURES_MAX) {
      await postpone(deps, { ...entry, value: { ...row, failures } }, POSTPONED_MS);
    } else await deps.kv.atomic().check(entry).delete(entry.key).commit();
  }
}

async function postpone(
  { kv, clock }: Deps,
  entry: Deno.KvEntry<AlertRow>,
  ms: number,
): Promise<void> {
  const op = kv.atomic().check(entry).delete(entry.key);
  putAlert(op, new Date(clock.now().getTime() + ms), entry.value);
  await op.commit();
}

const receiverOf = (row: Message): string =>
  row.kind === "target" ? `target ${row.log.place} ${row.log.target_id}` : "runner";

/** Makes one attempt. It claims the row first, so that no other server makes the same one. */
async function deliver(deps: Sending, entry: Deno.KvEntry<AlertRow>, row: Message): Promise<void> {
  const { kv, clock } = deps;
  const begun = { ...row, attempts: row.attempts + 1, busy: 0 };
  const lease = rowKeys.alertDue(
    new Date(clock.now().getTime() + LEASE_MS).toISOString(),
    entry.key[2] as string,
  );
  const claimed = await kv.atomic().check(entry).delete(entry.key).set(lease, begun).commit();
  if (!claimed.ok) return;
  const sent = await attempt(deps, row).catch((error): Attempted => {
    deps.log("error", "alert_attempt_failed", describeError(error));
    return { name: "alert", result: { ok: false, reason: String(error), retry: true } };
  });
  const op = kv.atomic().check({ key: lease, versionstamp: claimed.versionstamp }).delete(lease);
  const { result } = sent;
  const wait = !result.ok && result.retry ? WAITS_MS[row.attempts] : undefined;
  const next = wait === undefined ? null : new Date(clock.now().getTime() + wait);
  if (next) putAlert(op, next, begun);
  const state = result.ok ? "sent" : next ? "failed" : "abandoned";
  if (sent.channel) deps.onAttempt(sent.channel, state);
  if (!result.ok) {
    deps.log("warn", "alert_not_sent", {
      channel: sent.name,
      project: row.project_id,
      attempts: begun.attempts,
      reason: tell(result.reason, translator("en")),
    });
  }
  if (begun.kind === "target") await noteAttempt(deps, op, begun, result, state, next);
  await op.commit();
  if (begun.kind === "target" && !result.ok && !next) {
    await tellFailure(deps, begun, reasonOf(result));
  }
}

const PAUSED: SendResult = { ok: false, reason: { key: "errors.alerts.paused" }, retry: false };

interface Attempted {
  result: SendResult;
  /** Service for the metrics; missing for a call for runners, and if there was no attempt. */
  channel?: AnyKind;
  /** Name for the log. */
  name: string;
}

async function attempt(deps: Deps, row: Message): Promise<Attempted> {
  if (row.kind === "runner") {
    return { result: await callForRunner(deps.config.alerts, row), name: "runner_webhook" };
  }
  const { place, target_id, unique } = row.log;
  const target = await findAlertTarget(deps, place, target_id);
  if (!target) return { result: NOT_SET_UP, name: "deleted target" };
  const { kind, paused } = target;
  if (paused) return { result: PAUSED, name: kind };
  const { message, to } = row;
  const result = await sendToTarget(deps, target, { message, to, id: unique });
  const channel = kind === "members" ? "email" : kind;
  return { result, channel, name: channel };
}

/**
 * Records an alert that a target of the settings has not got as an event of its project. People
 * who manage the project cannot see the settings.
 */
async function tellFailure(
  deps: Deps,
  { log, project_id, message }: TargetDelivery,
  reason: SentenceOrText | null,
): Promise<void> {
  const channel = channelOf(log.target_id);
  if (channel === null || project_id === null || message.project === null) return;
  await storeEvent(deps, { kind: "server", id: 0, projectId: project_id }, {
    projectId: project_id,
    object: "project",
    id: project_id,
    name: message.project.name,
    action: "alert_failed",
    params: { channel, reason: reason ?? "" },
  });
}
