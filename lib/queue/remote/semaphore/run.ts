import { createHash } from "node:crypto";
import type { Deps } from "../../../access/deps.ts";
import { createPause } from "../../../base/pause.ts";
import type { Secret } from "../../../base/secret.ts";
import { runLog } from "../../../execution/log/run_log.ts";
import type { RunOutcome } from "../../../execution/run/io.ts";
import type { TaskRow } from "../../../model/task_row.ts";
import { openRecorder, type Recorder } from "../../running/recorder.ts";
import type { SemaphoreJob } from "./job.ts";
import type { JobProgress, SentRecord } from "./progress_body.ts";

/** A run on a runner of Semaphore whose progress this server takes. */
export interface SemaphoreRun {
  readonly run: string;
  readonly recorder: Recorder;
  /** Whether the runner has begun with it. */
  readonly isStarted: boolean;
  /** The job as it was offered; null if another server has offered it. */
  job: SemaphoreJob | null;
  /** Stores what is new. Resolves to whether the run has ended. */
  take(progress: JobProgress, isOverTime: boolean): Promise<boolean>;
}

const encoder = new TextEncoder();

/**
 * Begins to take the progress of a claimed task, or continues after another server or process.
 * `masks` are all secrets that the runner may have got.
 */
export async function openSemaphoreRun(
  deps: Deps,
  claimed: TaskRow,
  run: string,
  masks: Secret[],
  linesBefore?: number,
): Promise<SemaphoreRun> {
  const recorder = await openRecorder(deps, claimed, { continuedAt: linesBefore });
  const { io, log } = recorder;
  let at = 0;
  // One pipe for the whole run, so that a secret of several lines is masked wherever they arrive.
  const pipe = runLog(masks, (line) => log.write(line, at)).pipe();
  const newRecords = repeatFilter();
  let commit = "";
  let isStarted = false;

  async function start() {
    if (!isStarted) await io.onStarted();
    isStarted = true;
  }

  return {
    run,
    recorder,
    get isStarted() {
      return isStarted;
    },
    job: null,
    async take({ status, records, commit: known }, isOverTime) {
      if (known && known.hash !== commit) {
        await io.onCheckout(known);
        commit = known.hash;
      }
      const outcome = outcomeOf(deps, status, isOverTime);
      if (status === "running" || outcome?.end === "success") await start();
      const pause = createPause();
      for (const { time, message } of newRecords(records)) {
        if (pause.isDue()) await pause.take();
        at = Math.min(time, deps.clock.now().getTime());
        await pipe.write(encoder.encode(`${message}\n`));
      }
      if (outcome) {
        await pipe.end();
        await recorder.end(outcome);
      } else {
        // Versions since 2.19 forget records once they are acknowledged.
        await log.flush();
      }
      return outcome !== null;
    },
  };
}

/** Returns how a run ends with a status; null for a status with which it continues. */
function outcomeOf(
  { config }: Deps,
  status: JobProgress["status"],
  isOverTime: boolean,
): RunOutcome | null {
  if (status === "success") return { end: "success", reason: null };
  if (status !== "error" && status !== "stopped") return null;
  if (isOverTime) {
    const seconds = Math.round(config.taskTimeLimitMs / 1000);
    return { end: "error", reason: { key: "errors.run.time_limit", params: { seconds } } };
  }
  if (status === "stopped") return { end: "stopped", reason: null };
  return { end: "error", reason: { key: "errors.run.semaphore_failed" } };
}

/**
 * Returns a function that passes on the records that are new. Versions since 2.19 send records
 * again, followed by later ones, until they get an answer.
 */
function repeatFilter() {
  let [count, hash] = [0, createHash("sha256")];
  const digest = () => hash.copy().digest("hex");
  const add = ({ sent, message }: SentRecord) =>
    void hash.update(`${sent.length} ${message.length} ${sent}${message}`);

  return function* (records: SentRecord[]): Generator<SentRecord> {
    if (records.length === 0) return;
    const known = digest();
    const before = count;
    [count, hash] = [0, createHash("sha256")];
    records.slice(0, before).forEach(add);
    let from = before;
    if (records.length < before || digest() !== known) {
      hash = createHash("sha256");
      from = 0;
    }
    count = from;
    for (const record of records.slice(from)) {
      // Counted only when it was taken, because a store that fails must not lose it.
      yield record;
      add(record);
      count++;
    }
  };
}
