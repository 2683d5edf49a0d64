import type { Deps } from "../access/deps.ts";
import { rowKeys } from "../kv/keys.ts";
import type { TaskRow } from "../tasks/schema.ts";
import type { Status } from "../tasks/status.ts";
import type { ChannelKind } from "./schema.ts";
import { channels } from "./channels.ts";
import type { AlertMessage, LostRunner, WaitingApproval } from "./message.ts";

/**
 * An unsent alert: first the change of a task, a runner or a workflow, then a row for each
 * recipient. Calls for runners are rows of the same list.
 */
export type AlertRow = TaskAlert | RunnerAlert | ApprovalAlert | Delivery | RunnerCall;

export interface TaskAlert {
  kind: "task";
  project_id: number;
  task_id: number;
  /** The task may have moved on since. */
  status: Status;
}

export interface RunnerAlert extends LostRunner {
  kind: "lost_runner";
  /** Null for a runner of the server. */
  project_id: number | null;
}

/** A run of a workflow waits for votes. */
export interface ApprovalAlert extends WaitingApproval {
  kind: "approval";
  project_id: number;
}

export interface Delivery {
  kind: "delivery";
  /** Null for a message about the server. */
  project_id: number | null;
  channel: ChannelKind;
  target: string;
  message: AlertMessage;
  /** Number of attempts that were begun. */
  attempts: number;
}

/** A task waits for a runner that does not exist. */
export interface RunnerCall {
  kind: "runner";
  project_id: number;
  task_id: number;
  template_id: number;
  labels: string[];
  /** Number of attempts that were begun. */
  attempts: number;
}

/** Statuses that are reported. Stopped tasks are not, because someone wanted the stop. */
const TOLD: readonly Status[] = ["success", "error", "waiting_confirmation"];

/**
 * Adds the alert for a task's new status to `op`, so that both are stored or neither. Recipients
 * are determined later, without delaying the task.
 */
export function queueTaskAlert(
  op: Deno.AtomicOperation,
  { clock, config }: Pick<Deps, "clock" | "config">,
  task: TaskRow,
): void {
  const { id: task_id, project_id, status } = task;
  if (!TOLD.includes(status)) return;
  if (status === "success" && task.suppress_success_alerts) return;
  if (hasChannel(config)) putAlert(op, clock.now(), { kind: "task", project_id, task_id, status });
}

/** Adds the alert for a run that begins to wait for votes to `op`. */
export function queueApprovalAlert(
  op: Deno.AtomicOperation,
  { clock, config }: Pick<Deps, "clock" | "config">,
  alert: Omit<ApprovalAlert, "kind">,
): void {
  if (hasChannel(config)) putAlert(op, clock.now(), { kind: "approval", ...alert });
}

const hasChannel = ({ alerts }: Deps["config"]): boolean =>
  Object.values(channels).some((channel) => channel.isSetUp(alerts));

/** Adds a row that is due at a time to `op`. */
export function putAlert(op: Deno.AtomicOperation, at: Date, row: AlertRow): void {
  const unique = crypto.randomUUID();
  op.set(rowKeys.alertDue(at.toISOString(), unique), row).set(rowKeys.alertsWake(), unique);
}
