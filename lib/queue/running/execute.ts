import { linkedAbort } from "../../base/time/abort.ts";
import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import { describeError } from "../../base/log.ts";
import type { RunEnvironment } from "../../execution/run/environment.ts";
import type { KeptAccess, RunOutcome } from "../../execution/run/io.ts";
import { runTask } from "../../execution/runner.ts";
import { createHold, type Hold } from "../../store/hold.ts";
import { rowKeys } from "../../store/keys.ts";
import { onChange } from "../../store/watch.ts";
import {
  type KeptFiles,
  readKeptFiles,
  storeKeptFiles,
} from "../../resources/common/kept_files.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { forgetFullDisk, noteFullDisk } from "../ending/full_disk.ts";
import { makePlan } from "../plan/make_plan.ts";
import { openRecorder, type Recorder } from "./recorder.ts";

/** Context in which this server executes a claimed task. */
interface Execution {
  deps: Deps;
  environment: RunEnvironment;
  /** Aborted with an AppError when the server shuts down or has lost the task. */
  abandon: AbortSignal;
  /** Aborted when the server ends and can wait for space on its disk no longer. */
  giveUp: AbortSignal;
}

/** Executes a claimed task until its final status is stored. Never throws. */
export async function executeTask(execution: Execution, claimed: TaskRow): Promise<void> {
  const { deps, giveUp } = execution;
  const hold = createHold({
    limitMs: deps.config.fullDiskMs,
    giveUp,
    onFull: () => deps.log("warn", "disk_full", { task: claimed.id }),
    onLate: () => noteFullDisk(deps, claimed.id),
  });
  try {
    const recorder = await openRecorder(deps, claimed, { hold });
    await recorder.end(await runClaimed(execution, claimed, recorder, hold));
    if (hold.late.aborted) await forgetFullDisk(deps, claimed.id);
  } catch (error) {
    // Only the store itself can fail here. The dispatcher ends the task as soon as it can.
    deps.log("error", "task_lost", { task: claimed.id, ...describeError(error) });
  }
}

async function runClaimed(
  { deps, environment, abandon }: Execution,
  claimed: TaskRow,
  { io }: Recorder,
  hold: ReturnType<typeof createHold>,
): Promise<RunOutcome> {
  const stop = linkedAbort(abandon, hold.late);
  const force = new AbortController();
  const watching = onChange<[TaskRow]>(
    deps,
    // Watches the task's row, because any server that shares the store may request a stop.
    [rowKeys.task(claimed.project_id, claimed.id)],
    ([{ value }]) => {
      if (value?.stop) stop.abort();
      if (value?.stop === "force") force.abort();
    },
  );
  try {
    const plan = await makePlan(deps, claimed);
    const signals = { stop: stop.signal, forceStop: force.signal };
    return await runTask(environment, plan, {
      ...io,
      ...signals,
      kept: keptOf(deps, claimed, hold),
    });
  } catch (error) {
    return planFailed(deps, claimed, error);
  } finally {
    await watching.cancel();
    stop.release();
  }
}

/** Returns the access of a task to the files that its template and its inventory keep. */
function keptOf(
  deps: Deps,
  { project_id, template_id, inventory_id }: TaskRow,
  hold: Hold,
): KeptAccess {
  const keepers = {
    template: { projectId: project_id, kind: "templates", id: template_id },
    inventory: { projectId: project_id, kind: "inventories", id: inventory_id },
  } as const;
  const found = new Map<string, KeptFiles["entry"]>();
  return {
    async read(of) {
      const { archive, entry } = await readKeptFiles(deps, keepers[of]);
      found.set(of, entry);
      return archive;
    },
    async write(of, archive) {
      const entry = found.get(of);
      if (entry?.value === null && archive.length === 0) return true; // as before
      if (entry === undefined) return false;
      return await hold.write(() => storeKeptFiles(deps, keepers[of], entry, archive));
    },
  };
}

/** Returns the end of a run whose plan could not be made. */
export function planFailed(deps: Deps, task: TaskRow, error: unknown): RunOutcome {
  if (error instanceof AppError) {
    return { end: "error", reason: { key: error.key, params: error.params } };
  }
  deps.log("error", "task_failed", { task: task.id, ...describeError(error) });
  return { end: "error", reason: { key: "errors.run.internal" } };
}
