import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import { createPause } from "../../base/time/pause.ts";
import { deleteFound } from "../../store/delete_prefix.ts";
import { rowKeys } from "../../store/keys.ts";
import { storableLine } from "../../output/chunk.ts";
import { runOf } from "../../output/run_id.ts";
import type { ReportRequest, RunState } from "../../runner/protocol.ts";
import { heldSentence } from "../../runner/held_sentence.ts";
import { readWireEvent } from "../../runner/wire_events.ts";
import { isPreviewing } from "../../tasks/preview_state.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { openRecorder, type Recorder } from "../running/recorder.ts";

/** The contents of a report that belong to the run itself. */
type Reported = Pick<ReportRequest, "lines_from" | "lines" | "events_from" | "events" | "state">;

/** A run on a runner whose reports this server takes. */
export interface LiveRun {
  readonly run: string;
  readonly recorder: Recorder;
  /**
   * Stores what is new in a report. Resolves to whether the run has ended. Must not be called while
   * an earlier call is in progress: see `takeReport`.
   */
  take(report: Reported): Promise<boolean>;
  /** Numbers of lines and events that this server has. */
  taken(): { lines: number; events: number; storedLines: number };
}

/**
 * Begins to take the reports of a claimed task's run, or continues after another server or process,
 * which had stored `linesBefore`. Lines continue where the stored log ends. Events start again.
 */
export async function openLiveRun(
  deps: Deps,
  claimed: TaskRow,
  run: string,
  linesBefore?: number,
): Promise<LiveRun> {
  const recorder = await openRecorder(deps, claimed, { continuedAt: linesBefore });
  const { io, log } = recorder;
  if (linesBefore !== undefined) {
    const results = runOf(claimed.id, isPreviewing(claimed));
    const prefix = rowKeys.taskResults(results);
    await deleteFound(deps.kv, [{ prefix }], [rowKeys.taskResultHead(results)]);
  }
  const first = recorder.linesBefore;
  let lines = log.head.lines - first;
  let events = 0;
  let sentBefore = linesBefore === undefined;
  const takeState = stateTaker(io);

  async function takeLines({ lines_from, lines: sent }: Reported) {
    // The lines beyond the limit were not stored, so another server does not know their number.
    if (log.isCut() && !sentBefore) lines = Math.max(lines, lines_from);
    sentBefore = true;
    if (lines_from > lines) return;
    const now = deps.clock.now().getTime();
    for (const [at, text] of sent.slice(lines - lines_from)) {
      lines++;
      await log.write(storableLine(text), Math.min(at, now));
    }
  }

  async function takeEvents({ events_from, events: sent }: Reported) {
    if (events_from > events) return;
    const pause = createPause();
    for (const value of sent.slice(events - events_from)) {
      if (pause.isDue()) await pause.take();
      events++;
      await io.onEvent(readWireEvent(value) ?? { type: "lost", count: 1 });
    }
  }

  async function take(report: Reported): Promise<boolean> {
    await takeState(report.state);
    await takeLines(report);
    await takeEvents(report);
    const { outcome } = report.state;
    if (!outcome || lines < outcome.lines || events < outcome.events) {
      // The answer says that they are stored, so that the runner need not ask for that later.
      await log.storeDue();
      return false;
    }
    await recorder.end({ ...outcome, reason: outcome.reason && heldSentence(outcome.reason) });
    return true;
  }

  return {
    run,
    recorder,
    take,
    taken() {
      // A runner keeps no lines that will not be stored.
      const storedLines = log.isCut() ? lines : Math.max(0, log.storedLines - first);
      return { lines, events, storedLines };
    },
  };
}

/** Returns a function that passes on what is new in the state of a run. */
function stateTaker(io: Recorder["io"]) {
  const known: Partial<RunState> = {};
  return async ({ checkout, inventories, ansible, requirements, started }: RunState) => {
    if (checkout && checkout.hash !== known.checkout?.hash) await io.onCheckout(checkout);
    if (inventories && inventories.hash !== known.inventories?.hash) {
      await io.onInventories(inventories);
    }
    if (ansible && ansible !== known.ansible) await io.onAnsible(ansible);
    if (requirements && requirements.key !== known.requirements?.key) {
      await io.onRequirements(requirements);
    }
    if (started && !known.started) await io.onStarted();
    Object.assign(known, { checkout, inventories, ansible, requirements, started });
  };
}

/** Whether a run cannot go on here, because another server has continued its log. */
export const isFenced = (error: unknown): boolean =>
  error instanceof AppError && error.key === "errors.run.lease_lost";
