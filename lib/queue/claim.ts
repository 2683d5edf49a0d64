import type { Deps } from "../access/deps.ts";
import { recordEvent } from "../events/record.ts";
import { keys } from "../kv/keys.ts";
import { systemActor, taskEvent } from "../tasks/changes.ts";
import { setTask } from "../tasks/repository.ts";
import type { OpenTask, TaskRow } from "../tasks/schema.ts";
import { mayBecome } from "../tasks/status.ts";

/** Makes the task this server's own; null when it, or any other claim, moved in between. */
export async function claim(
  { kv, clock }: Deps,
  open: OpenTask,
  lease: NonNullable<OpenTask["lease"]>,
  guardStamp: string | null,
): Promise<{ task: TaskRow; versionstamp: string } | null> {
  const entry = await kv.get<TaskRow>(keys.task(open.project_id, open.id));
  if (!entry.value || !mayBecome(entry.value.status, "starting")) return null;
  const task: TaskRow = { ...entry.value, status: "starting", start: clock.now().toISOString() };
  const op = kv.atomic();
  await setTask(kv, op, entry, task);
  recordEvent(op, { clock }, systemActor(task), taskEvent(task, "starting"));
  const committed = await op
    .check({ key: keys.dispatcherClaims(), versionstamp: guardStamp })
    .set(keys.openTask(task.id), { ...open, status: "starting", lease })
    .set(keys.dispatcherClaims(), task.id)
    .commit();
  return committed.ok ? { task, versionstamp: committed.versionstamp } : null;
}
