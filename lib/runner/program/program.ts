import { after } from "../../base/after.ts";
import { sleep } from "../../base/pause.ts";
import {
  POLL_MS_MAX,
  type PollAnswer,
  pollAnswerSchema,
  type PollRequest,
  type RunnerFacts,
} from "../protocol.ts";
import { connect, type Refused, type ServerConnection } from "./connection.ts";
import { createPatience, type Patience, REPLACED } from "./patience.ts";
import type { RunsContext } from "./run.ts";
import { answerTest } from "./checks.ts";
import { createLocalRuns, type LocalRuns } from "./runs.ts";

/** Time for the server to answer after the poll is over. */
const ANSWER_MS = 15_000;
/** A plan has an inventory, and may be long. */
const ANSWER_BYTES_MAX = 96 * 1024 * 1024;
/** Shortest time between two polls that bring nothing. */
const EVERY_MS = 1_000;
/** Time for the server to take the ends of runs after they have ended. */
const LAST_REPORT_MS = 10_000;

export interface ProgramOptions extends Omit<RunsContext, "session" | "onRefused"> {
  facts: RunnerFacts;
  /** Whether it ends after one run. */
  once: boolean;
  /** How long runs may go on after `drain`. */
  drainMs: number;
  /** Called after each poll, and after the end of each run. */
  onStatus(status: ProgramStatus): void;
}

export interface ProgramStatus {
  /** Time of the latest answer in milliseconds; null if there was none. */
  contact: number | null;
  /** The reason why the server cannot be reached, or null. */
  problem: string | null;
  runs: PollRequest["runs"];
}

/** Why the program ended. */
export type ProgramEnd = "finished" | "revoked" | "replaced";

interface Program {
  /** Takes no more runs. Running ones get the time of `drainMs`. */
  drain(): void;
  ended: Promise<ProgramEnd>;
}

function poll(
  connection: ServerConnection,
  request: PollRequest,
  signal: AbortSignal,
): Promise<PollAnswer> {
  const limits = { limitMs: POLL_MS_MAX + ANSWER_MS, bytesMax: ANSWER_BYTES_MAX, signal };
  return connection.post("/api/runner/poll", JSON.stringify(request), pollAnswerSchema, limits);
}

/** Makes a call, and waits after a failure. */
async function attempt(
  call: (signal: AbortSignal) => Promise<void>,
  patience: Patience,
  signal: AbortSignal,
): Promise<void> {
  try {
    await call(signal);
  } catch (error) {
    if (!signal.aborted) await patience.failed(error, signal);
  }
}

/** Asks the server for runs, and carries them out, until it is told to end. */
export function startProgram(options: ProgramOptions): Program {
  const { log, once, facts, drainMs, environment } = options;
  const session = crypto.randomUUID();
  const connection = connect(options.target);
  const patience = createPatience({ connection, log, about: {}, polls: true, onRefused });
  const context = { ...options, session, onRefused };
  const runs = createLocalRuns({ context, maxParallel: facts.slots, onEnd });
  let polling = new AbortController();
  let end: ProgramEnd | null = null;
  let isDraining = false;
  let contact: number | null = null;

  const takesNone = () => isDraining || (once && runs.taken > 0);
  const isOver = () => end !== null || (takesNone() && runs.size === 0);
  const tellStatus = () =>
    options.onStatus({ contact, problem: patience.problem, runs: runs.list() });

  /** Called with an answer that ends this process. */
  function onRefused({ status, message }: Refused) {
    end ??= status === REPLACED ? "replaced" : "revoked";
    log("error", `runner_${end}`, { why: message });
    runs.kill();
    polling.abort();
  }

  /** Polls anew at once, because there is room for another run. */
  function onEnd() {
    tellStatus();
    polling.abort();
  }

  async function pollOnce(signal: AbortSignal): Promise<void> {
    const free = takesNone() ? 0 : runs.free;
    const askedAt = performance.now();
    const request = { session, facts, free, runs: runs.list(), wait_ms: POLL_MS_MAX };
    const answer = await poll(connection, request, signal);
    if (contact === null) log("info", "server_reached");
    contact = Date.now();
    patience.succeeded();
    if (answer.drain && !isDraining) log("info", "runner_draining");
    isDraining ||= answer.drain;
    if (answer.check) answerTest(context, answer.check);
    const isNews = runs.take(answer) || answer.check !== null;
    const restMs = askedAt + EVERY_MS - performance.now();
    if (!isNews && restMs > 0) await sleep(restMs, { signal });
  }

  async function loop(): Promise<ProgramEnd> {
    while (!isOver()) {
      polling = new AbortController();
      await attempt(pollOnce, patience, polling.signal);
      tellStatus();
    }
    await runs.done();
    connection.close();
    return end ?? "finished";
  }

  const ended = loop();
  return {
    ended,
    drain() {
      isDraining = true;
      polling.abort();
      const release = endInTime(runs, drainMs, environment.graceMs);
      ended.finally(release);
    },
  };
}

/** Ends runs, and later their reports. Returns a function that cancels both. */
function endInTime(runs: LocalRuns, drainMs: number, graceMs: number): () => void {
  const timers = [
    after(drainMs, runs.interrupt),
    after(drainMs + graceMs + LAST_REPORT_MS, runs.abandon),
  ];
  return () => timers.forEach((cancel) => cancel());
}
