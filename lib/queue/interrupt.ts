import type { Deps } from "../access/deps.ts";
import { AppError, type Message } from "../base/errors.ts";
import { translator } from "../i18n/translate.ts";
import { finish } from "./execute.ts";
import { type LogWriter, openLog } from "../tasks/log_store.ts";
import { findTask } from "../tasks/repository.ts";
import type { OpenTask } from "../tasks/schema.ts";

const ATTEMPTS_MAX = 20;

/** Gives a task that nobody runs any more its end: stopped when that was asked for, else an error. */
export async function interruptTask(
  deps: Deps,
  { id, project_id: projectId }: OpenTask,
  reason: Message,
): Promise<void> {
  // Of a task that is gone, with its project say, nothing must be written any more.
  if (!await findTask(deps.kv, projectId, id)) return;
  try {
    const target = { kv: deps.kv, hub: deps.hub, clock: deps.clock, projectId, taskId: id };
    const writer = await takeLog(target, translator("en")(reason.key, reason.params));
    const task = { id, project_id: projectId };
    await finish(deps, task, "error", reason, (op) => writer.close(op));
  } catch (error) {
    // Another server was faster, or the project was deleted meanwhile.
    if (!(error instanceof AppError)) throw error;
  }
}

/** A log with one more line; whoever has written it before can write nothing any more. */
async function takeLog(target: Parameters<typeof openLog>[0], line: string): Promise<LogWriter> {
  for (let attempt = 1;; attempt++) {
    const writer = await openLog(target);
    try {
      await writer.write(line);
      await writer.flush();
      return writer;
    } catch (error) {
      // Somebody who has lost the task, and does not know yet, has written a line in between.
      if (!(error instanceof AppError) || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}
