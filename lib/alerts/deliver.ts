import type { Deps } from "../access/deps.ts";
import { AppError, type Sentence } from "../base/errors.ts";
import type { SentenceOrText } from "../base/sentence_or_text.ts";
import { storeEvent } from "../events/record.ts";
import { alertJobs } from "../events/notices.ts";
import { tell } from "../i18n/tell.ts";
import { translator } from "../i18n/translate.ts";
import { type Job, worker } from "../jobs/worker.ts";
import { reasonOf } from "./deliveries/log.ts";
import { noteAttempt } from "./deliveries/note_attempt.ts";
import { sendDigest } from "./digests.ts";
import { expandAlert } from "./expand.ts";
import {
  type DigestDue,
  digestJobs,
  messageJobs,
  type RunnerCall,
  runnerCallJobs,
  type TargetDelivery,
  type UnsentAlert,
} from "./outbox.ts";
import { storeFeedEntry, storeRouted } from "./routed.ts";
import type { AnyKind } from "./schema.ts";
import { NOT_SET_UP, SEND_MS_MAX, type SendResult } from "./send_result.ts";
import { findAlertTarget } from "./targets/repository.ts";
import { sendToTarget } from "./targets/send.ts";
import { channelOf } from "./targets/settings_targets.ts";
import type { AlertSettings } from "../base/settings/alert_settings.ts";
import { signedPost } from "./kinds/webhook.ts";
import { sendRequest } from "./send_request.ts";

const MINUTE_MS = 60_000;
/** Waits before the second and later attempts. After them the message is abandoned. */
const WAITS_MS = [MINUTE_MS / 2, 2 * MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS];
const ATTEMPTS = WAITS_MS.length + 1;

/** Dependencies of the alerts. */
export interface AlertDeps extends Deps {
  /** Called after each attempt to send. `failed` means that another attempt follows. */
  onAlertAttempt?(channel: AnyKind, result: "sent" | "failed" | "abandoned"): void;
}

/** How what follows from an alert is stored. */
const STORING = {
  attempts: 10,
  waitsMs: [1_000, 10_000, MINUTE_MS, 10 * MINUTE_MS],
  limitMs: 5 * MINUTE_MS,
  parallel: 8,
};

/** Replaces alerts with those for their targets, and these with messages. */
export const alertWorker = worker<UnsentAlert, AlertDeps>({
  ...STORING,
  kind: alertJobs as never,
  run(deps, job) {
    const alert = job.input;
    if (alert.kind === "routed") return storeRouted(deps, job, alert);
    if (alert.kind === "feed") return storeFeedEntry(deps, job, alert);
    return expandAlert(deps, job, alert);
  },
});

/** Sends what rules have held back. */
export const digestWorker = worker<DigestDue, AlertDeps>({
  ...STORING,
  kind: digestJobs,
  run: sendDigest,
});

/**
 * How messages are sent. A receiver that does not answer delays no other one, and those of one
 * project leave room for those of others.
 */
const SENDING = {
  attempts: ATTEMPTS,
  waitsMs: WAITS_MS,
  limitMs: 2 * SEND_MS_MAX,
  parallel: 32,
  perProject: 8,
  perGroup: 2,
};

/** Sends messages to targets. Their log has those that are abandoned. */
export const messageWorker = worker<TargetDelivery, AlertDeps>({
  ...SENDING,
  kind: messageJobs,
  run: sendMessage,
  async gaveUp(deps, { input }, reason) {
    await abandon(deps, input, { ok: false, reason, retry: false }, ATTEMPTS);
    return true;
  },
});

/** Calls for runners. */
export const runnerCallWorker = worker<RunnerCall, AlertDeps>({
  ...SENDING,
  kind: runnerCallJobs,
  async run({ config, log }, { input, attempt }) {
    const result = await callForRunner(config.alerts, input);
    if (result.ok) return;
    logFailure(log, { channel: "runner_webhook", project: input.project_id, attempt }, result);
    if (result.retry) throw failureOf(result.reason);
  },
});

async function sendMessage(deps: AlertDeps, job: Job<TargetDelivery>): Promise<void> {
  const { kv, clock, log } = deps;
  const { input: message, attempt } = job;
  const { result, channel } = await send(deps, message);
  if (result.ok) {
    if (channel) deps.onAlertAttempt?.(channel, "sent");
    const op = kv.atomic();
    await noteAttempt(deps, op, message, attempt, result, "sent", null);
    await job.end(op);
    return void await op.commit();
  }
  const about = { channel: channel ?? "deleted target", project: message.project_id, attempt };
  logFailure(log, about, result);
  if (!result.retry || attempt === ATTEMPTS) {
    return await abandon(deps, message, result, attempt, channel);
  }
  if (channel) deps.onAlertAttempt?.(channel, "failed");
  const next = new Date(clock.now().getTime() + WAITS_MS[attempt - 1]);
  const op = kv.atomic();
  await noteAttempt(deps, op, message, attempt, result, "failed", next);
  await op.commit();
  throw failureOf(result.reason);
}

/** Stores that no further attempt follows. */
async function abandon(
  deps: AlertDeps,
  message: TargetDelivery,
  result: SendResult,
  attempt: number,
  channel?: AnyKind,
): Promise<void> {
  const kind = channel ?? await channelTo(deps, message);
  if (kind) deps.onAlertAttempt?.(kind, "abandoned");
  const op = deps.kv.atomic();
  await noteAttempt(deps, op, message, attempt, result, "abandoned", null);
  await op.commit();
  await recordFailure(deps, message, reasonOf(result));
}

function logFailure(
  log: Deps["log"],
  about: Record<string, unknown>,
  { reason }: SendResult & { ok: false },
): void {
  log("warn", "alert_not_sent", { ...about, reason: tell(reason, translator("en")) });
}

const failureOf = (reason: SentenceOrText): AppError => {
  const { key, params }: Sentence = typeof reason === "string"
    ? { key: "errors.jobs.unexpected", params: { message: reason } }
    : reason;
  return new AppError(503, key, params);
};

const PAUSED: SendResult = { ok: false, reason: { key: "errors.alerts.paused" }, retry: false };

async function channelTo(deps: Deps, { log }: TargetDelivery): Promise<AnyKind | undefined> {
  const target = await findAlertTarget(deps, log.place, log.target_id);
  return target?.kind === "members" ? "email" : target?.kind;
}

/** Makes one attempt. `channel` is missing if there is no target any more. */
async function send(
  deps: Deps,
  { to, message, log: { place, target_id, unique } }: TargetDelivery,
): Promise<{ result: SendResult; channel?: AnyKind }> {
  const target = await findAlertTarget(deps, place, target_id);
  if (!target) return { result: NOT_SET_UP };
  if (target.paused) return { result: PAUSED };
  const result = await sendToTarget(deps, target, { message, to, id: unique });
  return { result, channel: target.kind === "members" ? "email" : target.kind };
}

/**
 * Records an alert that a target of the settings has not got as an event of its project. People
 * who manage the project cannot see the settings.
 */
async function recordFailure(
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

/** Posts that a task waits for a runner to the address that the administrator configured. */
function callForRunner(
  { runnerWebhookUrl: url, runnerWebhookSecret: secret }: AlertSettings,
  { project_id, task_id, template_id, labels }: RunnerCall,
): Promise<SendResult> {
  if (url === null) return Promise.resolve(NOT_SET_UP);
  const body = { action: "wanted", project_id, task_id, template_id, labels };
  return sendRequest(signedPost(url, secret, body), { secrets: [url] });
}
