import type { SentenceOrText } from "../base/sentence_or_text.ts";
import type { AlertSettings } from "../base/alert_settings.ts";
import type { Language } from "../i18n/catalogs.ts";
import { tell } from "../i18n/tell.ts";
import { translator } from "../i18n/translate.ts";
import { type DueList, startDueLoop } from "../kv/due.ts";
import type { Loop } from "../kv/loop.ts";
import type { Deps } from "../access/deps.ts";
import { storeEvent } from "../events/record.ts";
import { rowKeys } from "../kv/keys.ts";
import type { ProjectRow } from "../access/rows.ts";
import type { TaskRow } from "../tasks/schema.ts";
import type { ChannelKind } from "./schema.ts";
import { NOT_SET_UP, SEND_MS_MAX, type SendResult } from "./channel.ts";
import { channels } from "./channels.ts";
import { type AlertMessage, approvalMessage, runnerMessage, taskMessage } from "./message.ts";
import {
  type AlertRow,
  type ApprovalAlert,
  type Delivery,
  putAlert,
  type RunnerAlert,
  type RunnerCall,
  type TaskAlert,
} from "./outbox.ts";
import { callForRunner } from "./runner_call.ts";
import { recipientsOf, serverRecipients, voteRecipients } from "./recipients.ts";

const MINUTE_MS = 60_000;
/** Waits before the second and later attempts. After them the alert is abandoned. */
const WAITS_MS = [MINUTE_MS / 2, 2 * MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS];
/** After this time, an attempt without a result counts as one of a server that died. */
const LEASE_MS = 4 * SEND_MS_MAX;
const ALERTS_PARALLEL_MAX = 4;

/** Sends queued alerts, on this server or another one that shares the store. */
export const startAlerts = (deps: Deps, onAttempt?: OnAttempt): Loop =>
  startDueLoop(deps, "alerts", rowKeys.alertsWake(), dueAlerts(deps, onAttempt));

/** Called after each attempt. `failed` means that another attempt follows. */
type OnAttempt = (channel: ChannelKind, result: AttemptResult) => void;
type AttemptResult = "sent" | "failed" | "abandoned";

/** Returns the alerts that are still to be sent. */
export const dueAlerts = (deps: Deps, onAttempt: OnAttempt = () => {}): DueList<AlertRow> => ({
  prefix: rowKeys.alertsDue(),
  parallelMax: ALERTS_PARALLEL_MAX,
  handle: (entry) => handle(deps, entry, onAttempt),
  put: putAlert,
  longestWait,
});

/** Returns the longest time until the current attempt ends, or until the next one. */
const longestWait = (row: AlertRow): number =>
  !("attempts" in row) || row.attempts === 0
    ? 0
    : Math.max(LEASE_MS, WAITS_MS[row.attempts - 1] ?? 0);

async function handle(
  deps: Deps,
  entry: Deno.KvEntry<AlertRow>,
  onAttempt: OnAttempt,
): Promise<void> {
  const { value: row } = entry;
  if ("attempts" in row) await deliver(deps, entry, row, onAttempt);
  else await expand(deps, entry, row);
}

type Change = TaskAlert | RunnerAlert | ApprovalAlert;

/** Replaces an alert with a row for each recipient, in one commit. */
async function expand(
  deps: Deps,
  entry: Deno.KvEntry<AlertRow>,
  alert: Change,
): Promise<void> {
  const { kv, clock } = deps;
  const { project_id } = alert;
  const op = kv.atomic().check(entry).delete(entry.key);
  const found = project_id === null ? null : await kv.get<ProjectRow>(rowKeys.project(project_id));
  if (found) op.check(found);
  const project = found?.value ?? null;
  const isGone = found !== null && (!project || project.deleting);
  const message = isGone ? null : await messageOf(deps, project, alert);
  if (message) {
    for (const { language, ...recipient } of await recipients(deps, project, alert)) {
      const delivery = { ...recipient, message: message(language), attempts: 0 };
      putAlert(op, clock.now(), { kind: "delivery", project_id, ...delivery });
    }
  }
  await op.commit();
}

async function recipients({ kv, config }: Deps, project: ProjectRow | null, alert: Change) {
  if (!project) return await serverRecipients(kv, config);
  if (alert.kind === "approval") return await voteRecipients(kv, config, project, alert.voters);
  // People who get mails about failures get those about runners.
  const status = alert.kind === "task" ? alert.status : "error";
  return await recipientsOf(kv, config, project, status);
}

/** Returns the message of an alert in any language; null if its task was deleted. */
async function messageOf(
  { kv, config }: Deps,
  project: ProjectRow | null,
  alert: Change,
): Promise<((language: Language) => AlertMessage) | null> {
  if (alert.kind === "lost_runner") {
    return (language) => runnerMessage(config, project, alert, language);
  }
  if (!project) return null;
  if (alert.kind === "approval") {
    return (language) => approvalMessage(config, project, alert, language);
  }
  const { status, task_id } = alert;
  const { value: task } = await kv.get<TaskRow>(rowKeys.task(project.id, task_id));
  return task && ((language) => taskMessage(config, project, { ...task, status }, language));
}

/** Makes one attempt. It claims the row first, so that no other server makes the same one. */
async function deliver(
  deps: Deps,
  entry: Deno.KvEntry<AlertRow>,
  row: Delivery | RunnerCall,
  onAttempt: OnAttempt,
): Promise<void> {
  const { kv, clock, config } = deps;
  const begun = { ...row, attempts: row.attempts + 1 };
  const report = (result: AttemptResult) =>
    row.kind === "delivery" && onAttempt(row.channel, result);
  const lease = rowKeys.alertDue(
    new Date(clock.now().getTime() + LEASE_MS).toISOString(),
    entry.key[2] as string,
  );
  const claimed = await kv.atomic().check(entry).delete(entry.key).set(lease, begun).commit();
  if (!claimed.ok) return;
  const result = await attempt(config.alerts, row);
  const op = kv.atomic().check({ key: lease, versionstamp: claimed.versionstamp }).delete(lease);
  if (result.ok) {
    report("sent");
    return void await op.commit();
  }
  const { reason, retry } = result;
  deps.log("warn", "alert_not_sent", {
    channel: row.kind === "delivery" ? row.channel : "runner_webhook",
    project: row.project_id,
    attempts: begun.attempts,
    reason: tell(reason, translator("en")),
  });
  const wait = retry ? WAITS_MS[row.attempts] : undefined;
  report(wait === undefined ? "abandoned" : "failed");
  if (wait !== undefined) putAlert(op, new Date(clock.now().getTime() + wait), begun);
  await op.commit();
  if (wait === undefined && begun.kind === "delivery") await tellFailure(deps, begun, reason);
}

function attempt(settings: AlertSettings, row: Delivery | RunnerCall): Promise<SendResult> {
  if (row.kind === "runner") return callForRunner(settings, row);
  const { isSetUp, send } = channels[row.channel];
  return isSetUp(settings) ? send(settings, row.target, row.message) : Promise.resolve(NOT_SET_UP);
}

/**
 * Records an abandoned alert as an event, which everyone who looks into the project can see. One
 * about the server is only in the log and the metrics.
 */
async function tellFailure(
  deps: Deps,
  { channel, project_id, message }: Delivery,
  reason: SentenceOrText,
): Promise<void> {
  if (project_id === null || message.project === null) return;
  await storeEvent(deps, { kind: "server", id: 0, projectId: project_id }, {
    projectId: project_id,
    object: "project",
    id: project_id,
    name: message.project.name,
    action: "alert_failed",
    params: { channel, reason: typeof reason === "string" ? reason.slice(0, 300) : reason },
  });
}
