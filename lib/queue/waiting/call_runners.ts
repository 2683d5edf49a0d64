import type { Deps } from "../../access/deps.ts";
import { runnerCallJobs } from "../../alerts/outbox.ts";
import { putJob } from "../../jobs/put.ts";
import { sleep } from "../../base/time/pause.ts";
import { rowKeys } from "../../store/keys.ts";
import { type Loop, startLoop } from "../../store/loop.ts";
import { listOpenTasks, type OpenTask } from "../../tasks/open_tasks.ts";
import { isQueued } from "../../model/status.ts";
import { readReasons } from "../../tasks/waiting/read_reasons.ts";
import type { Blocked } from "../../tasks/waiting/startable.ts";

/** Pause between two looks at the queue, which changes with each task. */
const PAUSE_MS = 1_000;
/** A runner falls silent without any change of a row. */
const AGAIN_MS = 15_000;

/** Starts to call for runners, so that a script can start one. */
export function startRunnerCalls(deps: Deps): Loop {
  return startLoop(deps, {
    name: "runner_calls",
    wokenBy: rowKeys.tasksWake(),
    async step(stop) {
      const open = await listOpenTasks(deps.kv);
      const queued = open.filter(({ status }) => isQueued(status));
      await callRunners(deps, queued, await readReasons(deps, open, queued));
      await sleep(PAUSE_MS, { signal: stop });
      return AGAIN_MS;
    },
  });
}

/** Reasons that a further runner ends. */
const LACKING: ReadonlySet<string> = new Set(["none", "label", "silent"]);

/**
 * Calls for a runner once for each queued task that no connected runner can run. It is called for
 * again only after there was one.
 */
export async function callRunners(
  { kv, clock }: Pick<Deps, "kv" | "clock">,
  queued: OpenTask[],
  reasons: ReadonlyMap<number, Blocked | null>,
): Promise<void> {
  for (const { id, called = false } of queued) {
    const blocked = reasons.get(id);
    const isLacking = blocked?.by === "runner" && LACKING.has(blocked.why.kind);
    // A limit of the project or template says nothing about runners.
    if (isLacking === called || !isLacking && blocked && blocked.by !== "runner") continue;
    const entry = await kv.get<OpenTask>(rowKeys.openTask(id));
    // Another server may have called, or the task may have started.
    if (!entry.value || !isQueued(entry.value.status)) continue;
    if ((entry.value.called ?? false) === isLacking) continue;
    const op = kv.atomic().check(entry).set(entry.key, { ...entry.value, called: isLacking });
    const { project_id, template_id, labels = [] } = entry.value;
    if (isLacking) {
      putJob(op, { clock }, runnerCallJobs, { project_id, task_id: id, template_id, labels });
    }
    await op.commit();
  }
}
