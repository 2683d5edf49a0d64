import type { Deps } from "../../access/deps.ts";
import { queueTaskAlert } from "../../alerts/outbox.ts";
import type { Sentence } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import type { LogWriter } from "../../output/writer.ts";
import { orOvertaken, OVERTAKEN } from "../../store/transact.ts";
import { waitingApproval } from "../../tasks/approval.ts";
import { deleteApproved } from "../../tasks/approved_inputs.ts";
import { systemActor, taskChanged, taskEvent } from "../../tasks/changes.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { advance } from "../../tasks/steps.ts";
import { endTask } from "../ending/end_task.ts";
import { deleteVotesIn } from "../inputs/approved.ts";
import { queueApprovalLimit } from "../outboxes/approval_outbox.ts";

/** Lets a task that has not begun wait for its approval again. No vote counts anymore. */
export async function confirmAgain(
  deps: Deps,
  task: TaskRow,
  again: Sentence,
  log: LogWriter,
): Promise<void> {
  const { kv, clock } = deps;
  const approval = { ...waitingApproval(task.approval!, clock.now()), approved: 0, again };
  const change = { approval, start: null };
  const waiting = await orOvertaken(advance(kv, task, "waiting_confirmation", change, {
    async also(op, next) {
      await deleteVotesIn(kv, op, next);
      deleteApproved(op, next.id, ["votes"]);
      recordEvent(op, deps, systemActor(next), {
        ...taskEvent(next, "asked_again"),
        params: { reason: again },
      });
      queueApprovalLimit(op, deps, next);
      await queueTaskAlert(op, deps, next);
    },
  }));
  // A stop was requested just now.
  if (waiting === OVERTAKEN) return void await endTask(deps, task, { how: "stopped", log });
  taskChanged(deps, waiting);
  deps.wakeDispatcher();
}
