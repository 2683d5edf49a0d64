import type { TaskRow, TaskWorkflow } from "../model/task_row.ts";

/** The part of another task that a task repeats. */
type RepeatedPart = NonNullable<TaskRow["retry_of"]>;

/** The cause of a task that does what its template describes. */
type OrderCause =
  | { kind: "person"; by_token: boolean }
  | { kind: "schedule"; id: number | null }
  | { kind: "integration"; id: number | null }
  /** A step of a workflow. */
  | { kind: "step"; workflow: TaskWorkflow }
  /** The end of a build, which the template deploys automatically. */
  | { kind: "deploy"; build_task_id: number | null };

/** The cause of a task that is the first attempt. */
type FirstCause =
  | OrderCause
  /** A person who repeats a task on some of its hosts, or fixes hosts that a check has found. */
  | { kind: "retry"; of: RepeatedPart; by_token: boolean }
  /** Someone or something wants to know which hosts differ: all, or some of another check. */
  | { kind: "check"; of?: RepeatedPart }
  /** The server fixes hosts that a check has found. */
  | { kind: "fix"; of: RepeatedPart };

/** Why a task exists. */
export type Cause =
  | FirstCause
  /** The server repeats a failed task. */
  | { kind: "attempt"; of: RepeatedPart; first: OrderCause };

/** Members of a row that together say its cause. */
type CauseMembers = Pick<
  TaskRow,
  | "check"
  | "auto_fix"
  | "retry_of"
  | "attempt"
  | "started_by"
  | "workflow"
  | "build_task_id"
  | "schedule_id"
  | "integration_id"
  | "by_token"
>;

/** Returns why a task exists. No other code compares several of these members. */
export function causeOf(task: CauseMembers): Cause {
  const { check, auto_fix, retry_of: of, attempt, by_token = false } = task;
  if (check) return { kind: "check", ...of && { of } };
  if (!of) return orderCauseOf(task);
  if (auto_fix) return { kind: "fix", of };
  // A retry by a person is a first attempt again.
  return attempt && attempt.n > 1
    ? { kind: "attempt", of, first: orderCauseOf(task) }
    : { kind: "retry", of, by_token };
}

/** Returns the cause of a task or, for an automatic attempt, of what it belongs to. */
export function firstCauseOf(task: CauseMembers): FirstCause {
  const cause = causeOf(task);
  return cause.kind === "attempt" ? cause.first : cause;
}

/** Returns who or what has ordered a task. */
function orderCauseOf(task: CauseMembers): OrderCause {
  const { started_by, workflow, build_task_id, schedule_id, integration_id, by_token } = task;
  if (workflow) return { kind: "step", workflow };
  switch (started_by?.kind) {
    case "autorun":
      return { kind: "deploy", build_task_id };
    case "schedule":
      return { kind: "schedule", id: schedule_id };
    case "integration":
      return { kind: "integration", id: integration_id };
    default:
      return { kind: "person", by_token: by_token ?? false };
  }
}
