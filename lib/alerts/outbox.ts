import type { Deps } from "../access/deps.ts";
import { rowKeys } from "../kv/keys.ts";
import type { TaskRow } from "../tasks/schema.ts";
import type { Status } from "../tasks/status.ts";
import type { ChannelKind } from "./schema.ts";
import { channels } from "./channels.ts";
import type { AlertMessage } from "./message.ts";

/** What is still to be sent: first that something happened, then a row for each who is told. */
export type AlertRow = TaskAlert | Delivery;

export interface TaskAlert {
  kind: "task";
  project_id: number;
  task_id: number;
  /** The task may have gone on since. */
  status: Status;
}

export interface Delivery {
  kind: "delivery";
  project_id: number;
  channel: ChannelKind;
  target: string;
  message: AlertMessage;
  /** Attempts that were begun. */
  attempts: number;
}

/** The states of a task that people are told of. A stop was somebody's own wish. */
const TOLD: readonly Status[] = ["success", "error", "waiting_confirmation"];

/**
 * Adds to `op` that a task came into its state: stored with that, or not at all. Who is told, and
 * how, is decided afterwards, outside of the task's way.
 */
export function queueTaskAlert(
  op: Deno.AtomicOperation,
  { clock, config }: Pick<Deps, "clock" | "config">,
  task: TaskRow,
): void {
  const { id: task_id, project_id, status } = task;
  if (!TOLD.includes(status)) return;
  if (status === "success" && task.suppress_success_alerts) return;
  if (!Object.values(channels).some((channel) => channel.isSetUp(config.alerts))) return;
  putAlert(op, clock.now(), { kind: "task", project_id, task_id, status });
}

/** Adds a row that is due at a time to `op`. */
export function putAlert(op: Deno.AtomicOperation, at: Date, row: AlertRow): void {
  const unique = crypto.randomUUID();
  op.set(rowKeys.alertDue(at.toISOString(), unique), row).set(rowKeys.alertsWake(), unique);
}
