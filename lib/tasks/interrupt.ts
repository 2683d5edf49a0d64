import type { Deps } from "../deps.ts";
import { AppError, type Message } from "../errors.ts";
import { translator } from "../i18n/translate.ts";
import { finish } from "./execute.ts";
import { createLogWriter, getLogHead } from "./log_store.ts";
import { findTask } from "./repository.ts";
import type { OpenTask } from "./schema.ts";

/** Gives a task that nobody runs any more its end: stopped when that was asked for, else an error. */
export async function interruptTask(
  deps: Deps,
  { id, project_id: projectId }: OpenTask,
  reason: Message,
): Promise<void> {
  // Of a task that is gone, with its project say, nothing must be written any more.
  if (!await findTask(deps.kv, projectId, id)) return;
  const target = { kv: deps.kv, hub: deps.hub, clock: deps.clock, projectId, taskId: id };
  const writer = createLogWriter(target, await getLogHead(deps.kv, id));
  await writer.write(translator("en")(reason.key, reason.params));
  await writer.flush();
  try {
    const task = { id, project_id: projectId };
    await finish(deps, task, "error", reason, (op) => writer.close(op));
  } catch (error) {
    // Another server was faster, or the project was deleted meanwhile.
    if (!(error instanceof AppError)) throw error;
  }
}
