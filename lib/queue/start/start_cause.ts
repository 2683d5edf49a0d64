import { conflict } from "../../base/errors.ts";
import type { TaskAttempt, TaskRow } from "../../model/task_row.ts";
import type { Cause } from "../../tasks/cause.ts";
import type { TaskDraft } from "../../tasks/insert.ts";

/** The part of a task that a new one repeats. */
export interface Repeats {
  task: TaskRow;
  /** The packed names of its hosts: see host_store.ts. */
  hosts: Uint8Array;
  /** Their number, and that of the hosts of the task. */
  counts: { hosts: number; of: number };
  /** The Ansible task to start at. */
  start_at?: string;
  /** Version of a build that is completed; null for a version of its own. */
  version: string | null;
}

/** The cause of a new task. Its actor says which person, schedule, integration or build it is. */
export type StartCause =
  | { kind: "order" }
  | Extract<Cause, { kind: "step" }>
  | { kind: "check"; repeats?: Repeats }
  | { kind: "retry"; repeats: Repeats }
  /** `attempt` is its position among attempts, which have the same starter. */
  | { kind: "attempt"; repeats: Repeats; attempt: TaskAttempt }
  /** `tags` are those that the template names for automatic fixes. */
  | { kind: "fix"; repeats: Repeats; tags: string[] };

/** Returns the part of a task that a cause repeats; undefined for none. */
export const repeatsOf = (cause: StartCause): Repeats | undefined =>
  "repeats" in cause ? cause.repeats : undefined;

/**
 * Returns a new task with the members by which `causeOf` finds its cause. `newTask` has made it a
 * check. Throws 409 if it repeats hosts that are in another inventory.
 */
export function withCause(draft: TaskDraft, cause: StartCause): TaskDraft {
  const task = withRepeats(draft, repeatsOf(cause));
  switch (cause.kind) {
    case "step":
      return { ...task, workflow: cause.workflow };
    case "attempt":
      return { ...task, ...starterOf(cause.repeats.task), attempt: cause.attempt };
    case "fix":
      return asFix(task, cause.tags);
    default:
      return task;
  }
}

function withRepeats(draft: TaskDraft, repeats: Repeats | undefined): TaskDraft {
  if (!repeats) return draft;
  const { task: { id, inventory_id }, counts, start_at } = repeats;
  if (draft.inventory_id !== inventory_id) throw conflict("errors.retry.inventory_changed", { id });
  return { ...draft, retry_of: { task_id: id, ...counts, ...start_at && { start_at } } };
}

function starterOf(
  { user_id, username, user_name, schedule_id, integration_id, by_token, workflow }: TaskRow,
) {
  const starter = { user_id, username, user_name, schedule_id, integration_id, by_token };
  return { ...starter, ...workflow && { workflow } };
}

/** A fix is never repeated automatically, because that would have no preview. */
const asFix = ({ attempt: _, ...draft }: TaskDraft, tags: string[]): TaskDraft => ({
  ...draft,
  auto_fix: true,
  ...tags.length > 0 && { tags, given: { ...draft.given, tags } },
});
