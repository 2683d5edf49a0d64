import type { Deps, EndFollower } from "../access/deps.ts";
import * as z from "zod";
import { alertJobs, type NoticeAlert, STORY_BYTES_MAX } from "../events/notices.ts";
import { jobKind } from "../jobs/kind.ts";
import { putJob } from "../jobs/put.ts";
import { fitRow } from "../store/rows/fit_row.ts";
import type { OwnEvent } from "../model/account_row.ts";
import type { TaskRow } from "../model/task_row.ts";
import { isRepeated } from "../tasks/attempts.ts";
import type { Status } from "../model/status.ts";
import type { LogKey } from "./deliveries/log.ts";
import type { LostRunner, WaitingApproval } from "./message.ts";
import type { DriftedHosts } from "./drifted_hosts.ts";
import type { EndedRun, HeldGroup } from "./more_messages.ts";
import { noteOutcome, type OutcomeChange } from "./outcomes.ts";
import type { AlertEvent } from "./schema.ts";
import { hasReceivers } from "./scope.ts";
import type { TargetMessage } from "./target_message.ts";
import { settingsTargets } from "./targets/settings_targets.ts";
import type { Atomic } from "../store/store.ts";

/** An alert about a task, a run, a runner or the server, before rules choose its targets. */
export type StoryAlert =
  | TaskAlert
  | RunAlert
  | RunnerAlert
  | ApprovalAlert
  | DriftAlert
  | NoticeAlert;

/**
 * An alert that is replaced with what follows from it: a story with a job for each of its targets,
 * and each of these with a message for each recipient.
 */
export type UnsentAlert = StoryAlert | RoutedAlert | FeedAlert;

export interface TaskAlert {
  kind: "task";
  project_id: number;
  task_id: number;
  /** The task may have moved on since. */
  status: Status;
  /** Missing for a task that waits, and for a dry run. */
  turn?: OutcomeChange;
  /** Whether the template sends no alert about a success. */
  quiet_success?: boolean;
  /** Whether it sends none about a failure. */
  quiet_error?: boolean;
}

/** A run of a workflow has ended. */
export interface RunAlert extends EndedRun {
  kind: "run";
  project_id: number;
  turn: OutcomeChange;
}

interface RunnerAlert extends LostRunner {
  kind: "lost_runner";
  /** Null for a runner of the server. */
  project_id: number | null;
}

/** A run of a workflow waits for votes. */
interface ApprovalAlert extends WaitingApproval {
  kind: "approval";
  project_id: number;
}

interface DriftAlert extends DriftedHosts {
  kind: "drift";
  project_id: number;
}

/** A rule sends what it has held back. */
export interface DigestDue {
  project_id: number | null;
  place: number;
  rule_id: number;
}

export const digestJobs = jobKind<DigestDue>({
  name: "alert_digests",
  schema: z.object({ project_id: z.int().nullable(), place: z.int(), rule_id: z.int() }),
  uniqueBy: ({ place, rule_id }) => `${place}.${rule_id}`,
});

/** The subject of a message: an alert as one of its events, or the alerts of a digest. */
type About =
  | { alert: StoryAlert; event: AlertEvent }
  | { held: { total: number; groups: HeldGroup[] }; rule_id: number };

/** An alert for one target. Rules have chosen it. */
export interface RoutedAlert {
  kind: "routed";
  project_id: number | null;
  about: About;
  /** Project of the rule; 0 for one of the server. */
  place: number;
  target_id: number;
  /** The rule that holds it back, and until when. */
  hold?: { rule_id: number; until: string };
  /** The only person who gets it, because it is about their task or run. */
  own?: { user_id: number; event: OwnEvent };
  /** The recipient up to whom messages are stored already, in the order of recipients. */
  after?: string;
}

/** An alert for the feed of its project. */
export interface FeedAlert {
  kind: "feed";
  project_id: number;
  about: StoryAlert;
  event: AlertEvent;
}

/** A message to a target. */
export interface TargetDelivery {
  project_id: number | null;
  /** Mail address or chat; empty for other targets. */
  to: string;
  message: TargetMessage;
  log: LogKey;
}

export const messageJobs = jobKind<TargetDelivery>({
  name: "alert_messages",
  schema: z.object({
    project_id: z.int().nullable(),
    to: z.string(),
    message: z.custom<TargetMessage>((value) => typeof value === "object" && value !== null),
    log: z.object({
      place: z.int(),
      target_id: z.int(),
      at: z.string(),
      unique: z.string(),
      also: z.int().optional(),
    }),
  }),
  groupBy: ({ log }) => `${log.place}/${log.target_id}`,
});

/** A task waits for a runner that does not exist. */
export interface RunnerCall {
  project_id: number;
  task_id: number;
  template_id: number;
  labels: string[];
}

export const runnerCallJobs = jobKind<RunnerCall>({
  name: "calls_for_runners",
  schema: z.object({
    project_id: z.int(),
    task_id: z.int(),
    template_id: z.int(),
    labels: z.array(z.string()),
  }),
});

type QueueDeps = Pick<Deps, "kv" | "clock" | "config">;

/** Statuses that are reported. Stopped tasks are not, because someone wanted the stop. */
const REPORTED: readonly Status[] = ["success", "error", "waiting_confirmation"];

/**
 * Adds the alert for a task's new status to `op`, so that both are stored or neither. For an end
 * that counts, it also adds how the end follows on that of the template's task before. Recipients
 * are determined later, without delaying the task.
 */
export async function queueTaskAlert(
  op: Atomic,
  deps: QueueDeps,
  task: TaskRow,
): Promise<void> {
  const { id: task_id, project_id, template_id, status, dry_run } = task;
  if (isRepeated(task)) return; // The last attempt is reported.
  if (!REPORTED.includes(status)) return;
  const at = deps.clock.now();
  const hasEnded = status !== "waiting_confirmation" && !dry_run;
  const turn = hasEnded
    ? await noteOutcome(deps.kv, op, {
      project_id,
      kind: "template",
      id: template_id,
      failed: status === "error",
      at: at.toISOString(),
    })
    : undefined;
  const quiet_success = status === "success" && task.suppress_success_alerts;
  const quiet_error = status === "error" && task.suppress_error_alerts;
  const isNews = turn === "recovered" && !task.suppress_error_alerts;
  const mayMailOwner = task.user_id !== null && hasMail(deps.config);
  if ((quiet_success && !isNews || quiet_error) && !mayMailOwner) return;
  if (!await reachesSomeone(deps, project_id)) return;
  putAlert(op, deps, {
    kind: "task",
    project_id,
    task_id,
    status,
    ...turn && { turn },
    ...quiet_success && { quiet_success },
    ...quiet_error && { quiet_error },
  });
}

export const alertFollower: EndFollower = {
  name: "alerts",
  add: (op, deps, { task }) => queueTaskAlert(op, deps, task),
};

/** Adds the alert for a run of a workflow that has ended to `op`, as `queueTaskAlert` does. */
export async function queueRunAlert(
  op: Atomic,
  deps: QueueDeps,
  alert: Omit<RunAlert, "kind" | "turn">,
): Promise<void> {
  const { project_id, workflow_id: id, failed } = alert;
  const at = deps.clock.now();
  const turn = await noteOutcome(deps.kv, op, {
    project_id,
    kind: "workflow",
    id,
    failed,
    at: at.toISOString(),
  });
  const mayMailOwner = alert.user_id !== null && hasMail(deps.config);
  if (!mayMailOwner && !await hasReceivers(deps.kv, project_id)) return;
  putAlert(op, deps, { kind: "run", ...alert, turn });
}

/** Adds the alert for a run that begins to wait for votes to `op`. */
export async function queueApprovalAlert(
  op: Atomic,
  deps: QueueDeps,
  alert: Omit<ApprovalAlert, "kind">,
): Promise<void> {
  if (!await reachesSomeone(deps, alert.project_id)) return;
  putAlert(op, deps, { kind: "approval", ...alert });
}

/**
 * Adds the alert for hosts that have stopped or begun to match the description of a template to
 * `op`. `hosts` may be a part of them, of which `count` is the number.
 */
export function queueDriftAlert(
  op: Atomic,
  deps: Pick<Deps, "clock">,
  alert: Omit<DriftAlert, "kind">,
): void {
  putAlert(op, deps, { kind: "drift", ...alert });
}

/** Whether alerts of a project can reach someone. */
const reachesSomeone = async ({ kv, config }: QueueDeps, projectId: number): Promise<boolean> =>
  settingsTargets(config).length > 0 || await hasReceivers(kv, projectId);

const hasMail = ({ alerts }: Deps["config"]): boolean => alerts.smtpUrl !== null;

/** Adds an alert to `op`. Texts of a story are bounded here. Other alerts have room for one. */
export function putAlert(op: Atomic, deps: Pick<Deps, "clock">, alert: UnsentAlert): void {
  const isOuter = alert.kind === "routed" || alert.kind === "feed";
  putJob(op, deps, alertJobs, isOuter ? alert : fitRow(alert, STORY_BYTES_MAX));
}
