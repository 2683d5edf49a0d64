import type { Actor } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import type { Sentence, SentenceParams } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { fitRow } from "../../store/rows/fit_row.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { closeIdleLog } from "../../output/store.ts";
import type { LogWriter } from "../../output/writer.ts";
import { findDifferences } from "../../previews/differences.ts";
import { roomOf } from "../../tasks/insert.ts";
import { taskChanged, taskEvent } from "../../tasks/changes.ts";
import { findHead } from "../../results/result_store.ts";
import { hasFailures } from "../../results/statuses.ts";
import { isPreviewing } from "../../tasks/preview_state.ts";
import type { PreviewState, TaskRow } from "../../model/task_row.ts";
import type { FinalStatus } from "../../model/status.ts";
import { causeOf } from "../../tasks/cause.ts";
import { addStep } from "../../tasks/steps.ts";
import { nextAttemptAt } from "../outboxes/attempt_outbox.ts";

/** How a task ends on the server that runs it or has taken it over. */
interface RunEnd {
  /** Interrupted by a restart of its server, or lost by a server that stopped responding. */
  how: "success" | "error" | "stopped" | "interrupted" | "lost";
  reason?: Sentence | null;
  /** Line of the output that reports the reason. */
  failure_line?: number | null;
  /** State of a preview that ends its task. */
  preview?: PreviewState;
  /** The flushed log. */
  log: Pick<LogWriter, "head" | "close">;
}

/** How someone ends a task that no server runs. */
interface IdleEnd {
  how: "stopped" | "rejected" | "replaced";
  reason: Sentence;
  stop: "stop" | "force";
  by: Actor;
  /** Replaces parts of the event, which otherwise has only the status. */
  event?: { action: string; params?: SentenceParams };
  /** Adds to the commit. Throws to cancel the end. */
  also?(op: Atomic, task: TaskRow): Promise<void>;
}

/** How a task ends. */
type TaskEnd = RunEnd | IdleEnd;

const STATUSES: Record<TaskEnd["how"], FinalStatus> = {
  success: "success",
  error: "error",
  interrupted: "error",
  lost: "error",
  stopped: "stopped",
  rejected: "stopped",
  replaced: "stopped",
};

/**
 * Ends a task. No other code does. The closed log, the event and what other rooms do after it (the
 * `endFollowers`) are stored in the same commit. A stop that was requested overrides how a run
 * ended, and why. Throws 404 if the task is deleted, and 409 if it has ended or, without a log, has
 * moved on since `task` was read.
 */
export async function endTask(deps: Deps, task: TaskRow, end: TaskEnd): Promise<TaskRow> {
  const { kv } = deps;
  const isRun = "log" in end;
  const closeLog = isRun ? end.log.close : await closeIdleLog(kv, task.id);
  const found = isRun
    ? { preview: await previewAfter(kv, task, end), mayFollow: await mayFollow(kv, task, end) }
    : {};
  const ended = await transact(kv, (op) => addEnd(deps, op, task, end, closeLog, found));
  taskChanged(deps, ended);
  deps.wakeDispatcher();
  return ended;
}

/** Adds the end of a task that no server runs to `op`. Throws as `endTask` does. */
export const addIdleEnd = async (
  deps: Deps,
  op: Atomic,
  task: TaskRow,
  end: IdleEnd,
): Promise<TaskRow> => addEnd(deps, op, task, end, await closeIdleLog(deps.kv, task.id));

/** Parts of an end that the results of the run decide. */
interface FoundAtEnd {
  preview?: PreviewState;
  /** Whether another attempt follows if the task ends as an error. */
  mayFollow?: boolean;
}

function addEnd(
  deps: Deps,
  op: Atomic,
  task: TaskRow,
  end: TaskEnd,
  closeLog: (op: Atomic) => void,
  { preview, mayFollow = false }: FoundAtEnd = {},
): Promise<TaskRow> {
  const isRun = "log" in end;
  return addStep(deps.kv, op, task, async (current) => {
    const { stop } = current;
    if (!isRun) await end.also?.(op, current);
    const how = isRun && stop !== "" ? "stopped" : end.how;
    const to = STATUSES[how];
    const action = `finished_${to}`;
    return {
      to,
      from: isRun ? undefined : task.status,
      change: {
        end: deps.clock.now().toISOString(),
        end_reason: isRun && how === "stopped"
          ? current.end_reason
          : fitRow(end.reason ?? null, roomOf(current)),
        ...isRun
          ? {
            play_tasks: end.log.head.play_tasks,
            ...end.log.head.cut && { output_cut: true },
            ...how !== "stopped" && end.failure_line && { failure_line: end.failure_line },
          }
          : { stop: end.stop },
        ...preview && { preview },
        ...mayFollow && how === "error" && current.attempt && {
          attempt: { ...current.attempt, next_at: nextAttemptAt(deps, current.attempt.minutes) },
        },
      },
      ...isRun && { records: { clock: deps.clock, action } },
      async also(op, next) {
        closeLog(op);
        if (!isRun) recordEvent(op, deps, end.by, { ...taskEvent(next, action), ...end.event });
        const isCheck = causeOf(next).kind === "check";
        for (const follower of deps.endFollowers) {
          if (!isCheck || follower.checks) await follower.add(op, deps, { task: next, isRun });
        }
      },
    };
  });
}

/**
 * Returns the changed preview state: that of a preview which ends its task, or, after a confirmed
 * run, one with the numbers of hosts that differ from the prediction.
 */
async function previewAfter(
  kv: Store,
  { id, preview }: TaskRow,
  end: RunEnd,
): Promise<PreviewState | undefined> {
  if (end.preview) return end.preview;
  const differences = preview?.confirmed_by === undefined ? null : await findDifferences(kv, id);
  if (!preview || !differences) return undefined;
  return { ...preview, unpredicted: differences.unpredicted, absent: differences.absent };
}

/**
 * Whether a failed task is repeated automatically: it has an attempt left, and it is certain on
 * which hosts alone it failed. A run that did not reach its end is not repeated, because its other
 * hosts may not have finished. A later attempt that reached no host failed on all of its hosts.
 */
async function mayFollow(kv: Store, task: TaskRow, { how }: RunEnd): Promise<boolean> {
  const { id, attempt } = task;
  if (how !== "error" || !attempt || attempt.n >= attempt.of || isPreviewing(task)) return false;
  const head = await findHead(kv, id);
  if (!head || head.hosts === 0) return attempt.n > 1;
  return head.complete && (hasFailures(head) || head.lost > 0);
}
