/*
 * The life of a task on a runner. A poll of this program is its heartbeat, claim and stop channel:
 * see docs/decisions/0093. `lib/queue/remote/` holds the call, claims a task whose labels fit,
 * makes its plan and seals it to the key of the runner. The program opens it and calls `runTask`,
 * as a server does. Lines and events go to the spool of the run, and from there in numbered
 * reports to the server, where they pass the same recorder as those of a local run. Lines continue
 * where the stored log ends. After a takeover all events come again, and the results are built
 * anew. The outcome applies when everything has arrived. The server ends the tasks of a runner
 * that is silent for too long, was restarted, or has lost its token.
 */

import { after } from "../../base/time/after.ts";
import { sleep } from "../../base/time/pause.ts";
import {
  FINAL_CODES,
  POLL_MS_MIN,
  type PollAnswer,
  pollAnswerSchema,
  type PollRequest,
  type RunnerFacts,
} from "../protocol.ts";
import { rehearse } from "../seal.ts";
import { connect, type Refused, type ServerConnection } from "./connection.ts";
import { createPatience } from "./patience.ts";
import { createTimeLimit } from "./time_limit.ts";
import { createRotation, type TokenKeeper } from "./rotation.ts";
import type { RunsContext } from "./run.ts";
import { answerTest } from "./connection_tests.ts";
import { createLocalRuns, type LocalRuns } from "./runs.ts";

/** A plan has an inventory, and may be long. */
const ANSWER_BYTES_MAX = 96 * 1024 * 1024;
/** Shortest time between two polls that bring nothing. */
const EVERY_MS = 1_000;
/** Time for the server to take the ends of runs after they have ended. */
const LAST_REPORT_MS = 10_000;

export interface ProgramOptions extends Omit<RunsContext, "session" | "onRefused"> {
  facts: RunnerFacts;
  tokens: TokenKeeper;
  /** Whether it ends after one run. */
  once: boolean;
  /** Time for runs to go on after `drain`. */
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

/** Reason why the program ended. */
export type ProgramEnd = "finished" | "revoked" | "replaced";

interface Program {
  /** Takes no more runs. Running ones get the time of `drainMs`. */
  drain(): void;
  ended: Promise<ProgramEnd>;
}

/** Returns a function that polls for a share of the time for which the server holds polls. */
function createPoller(connection: ServerConnection) {
  const limit = createTimeLimit();
  let [polls, holdMs] = [0, POLL_MS_MIN];
  return async (
    request: Omit<PollRequest, "number" | "wait_ms">,
    share: number,
    signal: AbortSignal,
  ): Promise<PollAnswer> => {
    const waitMs = Math.floor(holdMs * share);
    const body = JSON.stringify({ ...request, number: ++polls, wait_ms: waitMs });
    const limits = { limitMs: waitMs + limit.ms, bytesMax: ANSWER_BYTES_MAX, signal };
    const askedAt = performance.now();
    try {
      const asking = connection.post("/api/runner/poll", body, pollAnswerSchema, limits);
      const [answer] = await Promise.all([asking, rehearse()]);
      limit.answered(performance.now() - askedAt - waitMs);
      holdMs = answer.wait_ms;
      return answer;
    } catch (error) {
      if (!signal.aborted) limit.failed();
      throw error;
    }
  };
}

/** Asks the server for runs and carries them out, until it is drained or refused. */
export function startProgram(options: ProgramOptions): Program {
  const { log, once, facts, drainMs, environment } = options;
  const session = crypto.randomUUID();
  const connection = connect(options.target);
  const poll = createPoller(connection);
  const patience = createPatience({ connection, log, about: {}, polls: true, onRefused });
  const context = { ...options, session, onRefused };
  const rotateIfOld = createRotation({ ...options, connection });
  // After the end of a run, another poll says immediately that there is room.
  const runs = createLocalRuns({ context, maxParallel: facts.slots, onEnd: () => polling.abort() });
  let polling = new AbortController();
  let end: ProgramEnd | null = null;
  let isDraining = false;
  /** Whether the latest poll said that this process ends, so that the server offers no run. */
  let hasLeft = false;
  let contact: number | null = null;

  const takesNone = () => isDraining || (once && runs.taken > 0);
  const isIdle = () => takesNone() && runs.size === 0;
  const isOver = () => end !== null || (isIdle() && hasLeft);

  /** Called with an answer that ends this process. */
  function onRefused({ code, message }: Refused) {
    end ??= code === FINAL_CODES.replaced ? "replaced" : "revoked";
    log("error", `runner_${end}`, { why: message });
    runs.kill();
    polling.abort();
  }

  async function pollOnce(signal: AbortSignal): Promise<void> {
    hasLeft = isIdle();
    const free = takesNone() ? 0 : runs.free;
    const request = { session, facts, runs: runs.list(), free, leaving: hasLeft };
    const askedAt = performance.now();
    const answer = await poll(request, hasLeft ? 0 : patience.share ** 2, signal);
    contact = Date.now();
    patience.succeeded();
    if (answer.drain && !isDraining) log("info", "runner_draining");
    isDraining ||= answer.drain;
    if (answer.check) answerTest(context, answer.check).catch(reportError);
    const isNews = runs.take(answer) || answer.check !== null;
    if (!isNews && !isIdle()) await sleep(askedAt + EVERY_MS - performance.now(), { signal });
  }

  async function loop(): Promise<ProgramEnd> {
    while (!isOver()) {
      polling = new AbortController();
      const { signal } = polling;
      await rotateIfOld();
      await pollOnce(signal).catch((error) => {
        if (!signal.aborted && !isOver()) return patience.failed(error, signal);
      });
      options.onStatus({ contact, problem: patience.problem, runs: runs.list() });
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
      const cancel = endInTime(runs, drainMs, environment.graceMs);
      ended.then(cancel, cancel);
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
