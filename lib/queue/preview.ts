import type { Deps } from "../access/deps.ts";
import { AppError } from "../base/errors.ts";
import { recordEvent } from "../events/record.ts";
import { translator } from "../i18n/translate.ts";
import { listHosts, listPlayTasks } from "../results/result_store.ts";
import { wouldChange, wouldSurelyChangeNothing } from "../results/predictions.ts";
import { systemActor, taskChanged, taskEvent } from "../tasks/changes.ts";
import type { LogWriter } from "../output/writer.ts";
import { isPreviewing } from "../tasks/preview_state.ts";
import type { TaskRow } from "../tasks/schema.ts";
import { runOf } from "../output/run_id.ts";
import { advance, amendTask } from "../tasks/steps.ts";
import { queueTaskAlert } from "../alerts/outbox.ts";
import { finish } from "./finish.ts";

const english = translator("en");

/** Says in the output, which both runs of a task write, which of them begins. */
export async function tellPass(task: TaskRow, log: LogWriter): Promise<void> {
  const { preview } = task;
  if (!preview) return;
  const line = isPreviewing(task)
    ? english("preview.log.begins")
    : english("preview.log.carried_out", { name: preview.confirmed_by ?? "" });
  await log.write(line);
}

/**
 * What becomes of a task whose preview went well: it waits to be confirmed, and no server holds it
 * meanwhile. One that would surely change nothing ends, where its template says so.
 */
export async function endPreview(deps: Deps, task: TaskRow, log: LogWriter): Promise<void> {
  const made = deps.clock.now().toISOString();
  const run = runOf(task.id, true);
  const [hosts, tasks] = await Promise.all([listHosts(deps.kv, run), listPlayTasks(deps.kv, run)]);
  const changed_hosts = hosts.filter(wouldChange).length;
  const carried_out = tasks.filter((its) => its.carried_out).length;
  const preview = { ...task.preview!, made, hosts: hosts.length, changed_hosts, carried_out };
  if (preview.ends_unchanged && await wouldSurelyChangeNothing(deps.kv, task.id)) {
    await log.write(english("preview.log.unchanged"));
    await log.flush();
    await amendTask(deps.kv, task, { preview: { ...preview, unchanged: true } });
    await finish(deps, task, "success", null, log);
    return;
  }
  await log.write(english("preview.log.waits"));
  await log.flush();
  // What was not carried out has not begun, and takes no time while it waits.
  const change = { preview, start: null };
  try {
    const waiting = await advance(deps.kv, task, "waiting_confirmation", change, {
      also: (op, next) => {
        recordEvent(op, deps, systemActor(next), taskEvent(next, "waiting_confirmation"));
        queueTaskAlert(op, deps, next);
      },
    });
    taskChanged(deps, waiting);
  } catch (error) {
    if (!(error instanceof AppError && error.status === 409)) throw error;
    // A stop came in this very moment.
    await finish(deps, task, "stopped", null, log);
  }
}
