import { join } from "node:path";
import { whenAborted } from "../../base/time/abort.ts";
import { AppError, type Sentence } from "../../base/errors.ts";
import { byteLength } from "../../base/fields.ts";
import { describeError, type Log } from "../../base/log.ts";
import type { RunEnvironment } from "../../execution/run/environment.ts";
import type { RunIo, RunOutcome } from "../../execution/run/io.ts";
import type { Commit } from "../../execution/run/plan.ts";
import { runTask } from "../../execution/runner.ts";
import { type PollAnswer, reportRequestSchema, type RunState, type RunStop } from "../protocol.ts";
import { boundTo, openPlan } from "../seal.ts";
import { shiftEvent } from "../wire_events.ts";
import { connect, type Refused, type Target } from "./connection.ts";
import { createPatience } from "./patience.ts";
import { startReporter } from "./reporter.ts";
import { createSpool, spoolDirectory } from "./spool.ts";

/** A run as a server offers it. */
type OfferedRun = NonNullable<PollAnswer["run"]>;

/** A runner's process. All its runs share it. */
export interface RunsContext {
  environment: RunEnvironment;
  target: Target;
  runnerId: number;
  session: string;
  privateKey: JsonWebKey;
  log: Log;
  /** Called with an answer that concerns all runs. */
  onRefused(refused: Refused): void;
}

/** A run on this machine, until its end is stored on the server. */
export interface LocalRun {
  readonly taskId: number;
  readonly run: string;
  /** The latest stop that the server has sent. */
  readonly stop: RunStop | null;
  /** Ends it in the way that the server wants. */
  end(stop: RunStop): void;
  /** Ends it as an error, because this process ends. */
  interrupt(reason: AppError): void;
  /** Drops what was not reported yet. */
  abandon(): void;
  /** Resolves once its processes have ended and its end is stored, or no one needs it any more. */
  done: Promise<void>;
}

const STRENGTH: (RunStop | null)[] = [null, "stop", "force", "gone"];
const MESSAGE_MAX = 500;

interface Beginning {
  /** Milliseconds by which the server's clock is ahead. */
  clockMs: number;
  /** Resolves once the folder of the task is free. */
  after: Promise<unknown>;
}

/** Begins a run. */
export function beginRun(
  context: RunsContext,
  offered: OfferedRun,
  beginning: Beginning,
): LocalRun {
  const { task_id: taskId, run } = offered;
  const [stop, force, abandoned] = Array.from({ length: 3 }, () => new AbortController());
  let known: RunStop | null = null;

  function end(wanted: RunStop) {
    if (STRENGTH.indexOf(wanted) <= STRENGTH.indexOf(known)) return;
    known = wanted;
    stop.abort();
    if (wanted !== "stop") force.abort();
    if (wanted === "gone") abandoned.abort();
  }

  const interrupt = (reason: AppError) => stop.abort(reason);
  const signals = { stop: stop.signal, force: force.signal, abandoned: abandoned.signal };
  const control = { ...beginning, ...signals, end, interrupt };
  const done = carryOut(context, offered, control).catch((error) => {
    context.log("error", "run_failed", { task: taskId, ...describeError(error) });
  });
  return {
    taskId,
    run,
    get stop() {
      return known;
    },
    end,
    interrupt,
    abandon: () => abandoned.abort(),
    done,
  };
}

interface Control extends Beginning {
  stop: AbortSignal;
  force: AbortSignal;
  abandoned: AbortSignal;
  end(stop: RunStop): void;
  interrupt(reason: AppError): void;
}

async function carryOut(
  context: RunsContext,
  offered: OfferedRun,
  { clockMs, after, stop, force, abandoned, end, interrupt }: Control,
): Promise<void> {
  const { target, session, log, onRefused } = context;
  const { task_id: taskId, run } = offered;
  log("info", "run_started", { task: taskId, run });
  const spool = openSpool(context, offered, interrupt);
  const connection = connect(target);
  const state: RunState = {
    checkout: null,
    inventories: null,
    ansible: null,
    requirements: null,
    started: false,
    outcome: null,
  };
  const patience = createPatience({
    connection,
    log,
    about: { task: taskId },
    polls: false,
    onRefused,
  });
  const reporter = startReporter(
    { session, run, taskId, spool, state },
    { connection, patience, onStop: end },
  );
  const abandon = () => {
    spool.close();
    reporter.abandon();
  };
  whenAborted(abandoned, abandon);
  const note = (change: Partial<RunState>) => {
    Object.assign(state, change);
    reporter.changed();
  };
  const isRoomFor = outputLimit(offered.output_bytes_max);
  const io: RunIo = {
    stop,
    forceStop: force,
    writeLine(line) {
      if (!isRoomFor(line)) return;
      const written = spool.addLine(Date.now() + clockMs, line);
      reporter.more();
      return written;
    },
    onEvent(event) {
      const added = spool.addEvent(shiftEvent(event, clockMs));
      reporter.more();
      return added;
    },
    onCheckout: (commit) => note({ checkout: shortened(commit) }),
    onInventories: (commit) => note({ inventories: shortened(commit) }),
    onRequirements: (requirements) => note({ requirements }),
    onAnsible: (version) => note({ ansible: version.slice(0, 200) }),
    onStarted: () => note({ started: true }),
  };
  await after;
  const outcome = await runOffered(context, offered, io);
  note({ outcome: { ...outcome, reason: sendable(outcome.reason), ...spool.count } });
  await reporter.done;
  connection.close();
  await spool.remove();
  log("info", "run_ended", { task: taskId, run, end: outcome.end });
}

/** Creates the spool of a run, which is interrupted if the disk stays full. */
function openSpool(
  { environment: { dataDir, fullDisk: { waitMs, reason } }, log }: RunsContext,
  { run, task_id: task }: OfferedRun,
  interrupt: (reason: AppError) => void,
) {
  return createSpool(join(spoolDirectory(dataDir), run), {
    waitMs,
    onFull: () => log("warn", "disk_full", { task }),
    onLate: () => interrupt(new AppError(503, reason)),
  });
}

/**
 * Returns a function that says whether a line is sent. The first line that exceeds the limit is,
 * because the server, which has the same limit, cuts the output there.
 */
function outputLimit(bytesMax: number): (line: string) => boolean {
  let left = bytesMax || Infinity;
  return (line) => {
    if (left < 0) return false;
    left -= byteLength(line) + 1;
    return true;
  };
}

/** Opens the plan and carries it out. Never throws, as `runTask`. */
async function runOffered(
  { environment, runnerId, privateKey }: RunsContext,
  { run, plan: sealed, time_limit_ms: taskMs }: OfferedRun,
  io: RunIo,
): Promise<RunOutcome> {
  const timeLimits = { ...environment.timeLimits, taskMs };
  try {
    const { plan } = await openPlan(sealed, privateKey, boundTo(runnerId, run));
    return await runTask({ ...environment, timeLimits }, plan, io);
  } catch (error) {
    // An error of the encryption has no message that helps.
    const detail = `The runner cannot open the plan: ${error instanceof Error ? error.name : ""}`;
    return { end: "error", reason: { key: "errors.run.unforeseen", params: { detail } } };
  }
}

const shortened = ({ hash, message }: Commit): Commit => ({
  hash,
  message: message.slice(0, MESSAGE_MAX),
});

/** Returns a reason as the server takes it. One that it would refuse keeps only its key. */
function sendable(reason: Sentence | null): Sentence | null {
  if (!reason) return null;
  const { outcome } = reportRequestSchema.shape.state.shape;
  const isFine = outcome.safeParse({ end: "error", reason, lines: 0, events: 0 }).success;
  return isFine ? reason : { key: "errors.run.unforeseen", params: { detail: reason.key } };
}
