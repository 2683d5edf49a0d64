import type { Deps } from "../../access/deps.ts";
import type { Sentence } from "../../base/errors.ts";
import { outputReader } from "../../execution/ansible/results/output_reader.ts";
import type { RunIo, RunOutcome } from "../../execution/run/io.ts";
import { boundedUse } from "../../execution/run/used_requirements.ts";
import { createOutputs } from "../../execution/run/outputs.ts";
import { type Hold, noHold } from "../../store/hold.ts";
import { orOvertaken, OVERTAKEN } from "../../store/transact.ts";
import type { Store } from "../../store/store.ts";
import { type LogWriter, openLog } from "../../output/writer.ts";
import { getLogHead, readLog, takeLines } from "../../output/store.ts";
import { findFirstFailure } from "../../results/first_failure.ts";
import { createResultWriter } from "../../results/writer.ts";
import { taskChanged } from "../../tasks/changes.ts";
import { roomOf } from "../../tasks/insert.ts";
import { isPreviewing } from "../../tasks/preview_state.ts";
import { HOSTS_FAILED, INVENTORY_ERROR } from "../../tasks/reason.ts";
import { storeOutputs } from "../../tasks/outputs.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { advance, amendTask } from "../../tasks/steps.ts";
import { endTask } from "../ending/end_task.ts";
import { confirmAgain } from "../approvals/confirm_again.ts";
import { isAskedAgain } from "../inputs/approved.ts";
import { fullBytesOf } from "../plan/make_plan.ts";
import { completePreview, isFailedPreview, logRunStart } from "./preview.ts";

/** Stores everything that the execution of a claimed task reports, wherever it runs. */
export interface Recorder {
  io: Required<Omit<RunIo, "stop" | "forceStop" | "kept">>;
  log: LogWriter;
  /** Number of lines in the task's log before those of this execution. */
  linesBefore: number;
  /** Stores the rest, and the end of the execution. */
  end(outcome: RunOutcome): Promise<void>;
}

/**
 * Continues the log of a claimed task, and collects its results. Earlier recorders of the task can
 * store nothing more. `continuedAt` is `linesBefore` of an execution that has already begun.
 * Without a hold, a full disk fails each call.
 */
export async function openRecorder(
  deps: Deps,
  claimed: TaskRow,
  { continuedAt, hold = noHold }: { continuedAt?: number; hold?: Hold } = {},
): Promise<Recorder> {
  const { kv, hub, clock } = deps;
  const target = { kv, hub, clock, projectId: claimed.project_id, taskId: claimed.id, hold };
  const bytesMax = deps.config.taskOutputBytesMax || Infinity;
  const amend = async (change: Parameters<typeof amendTask>[2]) =>
    void await hold.write(() => amendTask(kv, claimed, change));
  const log = await openLog({ ...target, bytesMax });
  if (continuedAt === undefined) {
    await logRunStart(deps, claimed, log);
    await log.flush();
  }
  const linesBefore = continuedAt ?? log.head.lines;
  const results = createResultWriter({
    ...target,
    isPreview: isPreviewing(claimed),
    fullBytesMax: fullBytesOf(deps, claimed),
    log: deps.log,
    output: log,
    linesBefore,
  });
  const outputs = createOutputs();
  return {
    log,
    linesBefore,
    io: {
      writeLine: log.write,
      onEvent(event) {
        if (event.type !== "output") return results.take(log.isCut() ? withoutLines(event) : event);
        // A runner leaves out the same ones. This is the limit for a hostile one.
        if (outputs.add(event.name, event.value)) return results.take({ type: "lost", count: 1 });
      },
      async onCheckout({ hash, message }) {
        const commit_message = message.slice(0, 500);
        await amend({ commit_hash: hash, commit_message });
      },
      onInventories: ({ hash }) => amend({ inventory_commit: hash }),
      onAnsible: (ansible_version) => amend({ ansible_version }),
      onRequirements: ({ key, items, more }) => {
        // A runner bounds them as well, but not by the room of the row.
        const used = boundedUse(key, items, roomOf(claimed) / 2);
        return amend({ requirements: { ...used, more: used.more + more } });
      },
      onStarted: () => hold.write(() => markRunning(deps, claimed)),
    },
    async end({ end: how, reason }) {
      if (reason) await log.writeSentence(reason);
      await results.flush();
      // Before the end, so that it is never seen without them.
      const { values } = outputs;
      if (values.size > 0 && !isPreviewing(claimed)) {
        await log.storeWith((op) => storeOutputs(op, claimed, values));
      }
      await log.flush();
      const isComplete = how === "success" && isPreviewing(claimed);
      if (isComplete || isFailedPreview(claimed, { end: how, reason })) {
        await completePreview(deps, claimed, log, hold);
      } else if (reason && await isAskedAgain(kv, claimed, reason)) {
        await hold.write(() => confirmAgain(deps, claimed, reason, log));
      } else {
        const explanation = await explained(kv, claimed, reason, linesBefore);
        await hold.write(() => endTask(deps, claimed, { how, ...explanation, log }));
      }
    },
  };
}

/** Returns an event without its lines, which are not stored any more. */
const withoutLines = <T extends object>(event: T): T =>
  "lines" in event ? { ...event, lines: null } : event;

async function markRunning(deps: Deps, task: TaskRow) {
  const records = { clock: deps.clock, action: "running" };
  const running = await orOvertaken(advance(deps.kv, task, "running", {}, { records }));
  // If a stop was requested just now, the stop signal ends the execution.
  if (running !== OVERTAKEN) taskChanged(deps, running);
}

/** Reasons that say that hosts failed, but not why. */
const HAVE_FAILED = [...HOSTS_FAILED, "errors.run.playbook_failed"];

/** The reason that Ansible itself gives before its first play, or between two. */
const ANSIBLE_ERRORS = ["errors.run.ansible_error", "errors.run.ansible_error_at"];

/** Returns the reason of an end or, if hosts failed, the first failure, and the line of it. */
async function explained(
  kv: Store,
  task: TaskRow,
  reason: Sentence | null,
  linesBefore: number,
) {
  if (reason?.key === INVENTORY_ERROR) {
    return { reason, failure_line: await inventoryLine(kv, task.id, linesBefore) };
  }
  if (reason && ANSIBLE_ERRORS.includes(reason.key)) {
    const { first_failure } = await getLogHead(kv, task.id);
    return { reason, failure_line: first_failure || null };
  }
  const first = reason && HAVE_FAILED.includes(reason.key)
    ? await findFirstFailure(kv, task.id, { preview: isPreviewing(task) })
    : null;
  return first ? { reason: first.reason, failure_line: first.line } : { reason };
}

/** Number of lines in which the error of an inventory is searched: it precedes all plays. */
const LOOKED_AT = 10_000;

/** Returns the line after `before` that reports the error of an inventory; null for none. */
async function inventoryLine(kv: Store, taskId: number, before: number): Promise<number | null> {
  const reader = outputReader();
  for await (const records of takeLines(readLog(kv, taskId, before), LOOKED_AT)) {
    for (const { output } of records) reader.read(output);
  }
  const error = reader.inventoryError();
  return error && before + error.lines_before + 1;
}
