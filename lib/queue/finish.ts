import type { Deps } from "../access/deps.ts";
import { AppError, type Sentence } from "../base/errors.ts";
import { recordEvent } from "../events/record.ts";
import type { RunOutcome } from "../execution/run/io.ts";
import { queueHosts } from "../hosts/outbox.ts";
import { systemActor, taskChanged, taskEvent } from "../tasks/changes.ts";
import type { LogWriter } from "../output/writer.ts";
import { findDifferences } from "../previews/differences.ts";
import type { PreviewState } from "../tasks/preview_state.ts";
import { getTaskRow } from "../tasks/repository.ts";
import { advance } from "../tasks/steps.ts";
import type { TaskRow } from "../tasks/schema.ts";
import { queueTaskAlert } from "../alerts/outbox.ts";
import { queueAutorun } from "./autorun_outbox.ts";

/**
 * Finishes a task and closes its log, which is flushed first. A requested stop overrides the exit
 * status of the process. Alerts, automatic deploys and the history of hosts are queued in the same
 * commit and processed later.
 */
export async function finishTask(
  deps: Deps,
  task: Pick<TaskRow, "id" | "project_id">,
  wanted: RunOutcome["end"],
  reason: Sentence | null,
  log: Pick<LogWriter, "head" | "close">,
): Promise<TaskRow> {
  const { stop, preview } = await getTaskRow(deps.kv, task.project_id, task.id);
  const status = stop === "" ? wanted : "stopped";
  const change = {
    end: deps.clock.now().toISOString(),
    end_reason: status === "stopped" ? null : reason,
    play_tasks: log.head.play_tasks ?? 0,
    ...preview?.confirmed_by !== undefined &&
      { preview: await compared(deps.kv, task.id, preview) },
  };
  try {
    const ended = await advance(deps.kv, task, status, change, {
      also: (op, next) => {
        log.close(op);
        recordEvent(op, deps, systemActor(next), taskEvent(next, `finished_${status}`));
        queueTaskAlert(op, deps, next);
        queueAutorun(op, deps, next);
        queueHosts(op, next);
      },
    });
    taskChanged(deps, ended);
    return ended;
  } catch (error) {
    const overtaken = error instanceof AppError && error.status === 409 && status !== "stopped";
    if (!overtaken) throw error;
    // A stop was requested between reading and writing.
    return await finishTask(deps, task, "stopped", null, log);
  }
}

/** Returns the preview state with the number of hosts that differ from the prediction. */
async function compared(kv: Deno.Kv, id: number, preview: PreviewState): Promise<PreviewState> {
  const differences = await findDifferences(kv, id);
  if (!differences) return preview;
  const { unpredicted, absent } = differences;
  return { ...preview, unpredicted, absent };
}
