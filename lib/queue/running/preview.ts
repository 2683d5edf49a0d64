import type { Deps } from "../../access/deps.ts";
import { queueFix } from "../../drift/outbox.ts";
import type { RunOutcome } from "../../execution/run/io.ts";
import { recordEvent } from "../../events/record.ts";
import { visible } from "../../i18n/visible.ts";
import { type Hold, noHold } from "../../store/hold.ts";
import { orOvertaken, OVERTAKEN } from "../../store/transact.ts";
import { readNamePerson } from "../../people/users/name_person.ts";
import { listHosts, listPlayTasks } from "../../results/result_store.ts";
import { waitingApproval } from "../../tasks/approval.ts";
import { causeOf } from "../../tasks/cause.ts";
import { systemActor, taskChanged, taskEvent } from "../../tasks/changes.ts";
import type { LogWriter } from "../../output/writer.ts";
import { HOSTS_FAILED } from "../../tasks/reason.ts";
import { isPreviewing } from "../../tasks/preview_state.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { runOf } from "../../output/run_id.ts";
import { advance } from "../../tasks/steps.ts";
import { queueTaskAlert } from "../../alerts/outbox.ts";
import { queueApprovalLimit } from "../outboxes/approval_outbox.ts";
import { endTask } from "../ending/end_task.ts";
import { isCertainNoOp } from "../../previews/predictions.ts";
import { hostStatus, isFailure, wouldChange } from "../../results/statuses.ts";

/** Writes a line where the preview or the confirmed run begins, because both write to one log. */
export async function logRunStart(
  { kv }: Pick<Deps, "kv">,
  task: TaskRow,
  log: LogWriter,
): Promise<void> {
  const { preview } = task;
  if (!preview) return;
  if (isPreviewing(task)) return await log.say("Preview: running with --check --diff");
  const { confirmers, confirmed_by = "" } = preview;
  const names = confirmers?.map(await readNamePerson(kv)).join(", ") ?? visible(confirmed_by);
  await log.say(`Approved by ${names}: running now`);
}

/**
 * Whether a run that ends is a preview which failed on hosts, so that a person may go on in spite
 * of that. A fix that no person has asked for ends with its preview.
 */
export const isFailedPreview = (task: TaskRow, { end, reason }: RunOutcome): boolean =>
  end === "error" && isPreviewing(task) && causeOf(task).kind !== "fix" &&
  HOSTS_FAILED.includes(reason?.key ?? "");

/**
 * Completes a preview. The task waits for its confirmation, and no server holds it
 * meanwhile. If the template says so, a task that would certainly change nothing ends instead.
 */
export async function completePreview(
  deps: Deps,
  task: TaskRow,
  log: LogWriter,
  hold: Hold = noHold,
): Promise<void> {
  const made = deps.clock.now().toISOString();
  const run = runOf(task.id, true);
  const [hosts, tasks] = await Promise.all([listHosts(deps.kv, run), listPlayTasks(deps.kv, run)]);
  const changed_hosts = hosts.filter(wouldChange).length;
  const carried_out = tasks.filter((its) => its.carried_out).length;
  const failed_hosts = hosts.filter((recap) => isFailure(hostStatus(recap))).length;
  const preview = {
    ...task.preview!,
    ...{ made, hosts: hosts.length, changed_hosts, carried_out },
    ...failed_hosts > 0 && { failed_hosts },
  };
  if (preview.ends_unchanged && await isCertainNoOp(deps.kv, task.id)) {
    await log.say("The preview found nothing to change. Nothing will run.");
    await log.flush();
    const unchanged = { ...preview, unchanged: true };
    await hold.write(() => endTask(deps, task, { how: "success", preview: unchanged, log }));
    return;
  }
  await log.say(
    failed_hosts > 0
      ? "The preview failed. The task is waiting for someone who approves it all the same."
      : "The preview is complete. The task is waiting for approval.",
  );
  await log.flush();
  // The real execution has not begun, so the time of waiting does not count.
  const approval = waitingApproval(task.approval!, deps.clock.now());
  const change = { preview, approval, start: null };
  const step = () =>
    advance(deps.kv, task, "waiting_confirmation", change, {
      also: async (op, next) => {
        recordEvent(op, deps, systemActor(next), taskEvent(next, "waiting_confirmation"));
        queueApprovalLimit(op, deps, next);
        if (causeOf(next).kind !== "fix") return await queueTaskAlert(op, deps, next);
        // People are notified if the server does not confirm it.
        queueFix(op, deps, next);
      },
    });
  const waiting = await orOvertaken(hold.write(step));
  if (waiting === OVERTAKEN) {
    // A stop was requested just now.
    await hold.write(() => endTask(deps, task, { how: "stopped", log }));
    return;
  }
  taskChanged(deps, waiting);
  deps.wakeDispatcher();
}
