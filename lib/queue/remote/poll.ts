import { whenAborted } from "../../base/time/abort.ts";
import type { PollAnswer, PollRequest } from "../../runner/protocol.ts";
import { rehearse } from "../../runner/seal.ts";
import {
  authenticateRunner,
  replacedRunner,
  requireProtocol,
  speaksProtocol,
} from "../../runners/authenticate.ts";
import { noteProtocol, touchRunner } from "../../runners/presence.ts";
import type { RunnerRow } from "../../runners/rows.ts";
import { readOpenTasks } from "../../tasks/open_tasks.ts";
import { keepRunnerLease, requestedStop } from "./lease.ts";
import { endTasksOfEarlierProcesses } from "./lost.ts";
import { offerTest } from "./connection_tests.ts";
import { offerRun } from "./offer.ts";
import { ownerName } from "../../tasks/waiting/runner_owner.ts";
import type { HeldPoll } from "./polls.ts";
import type { RunnerDeps } from "./remote.ts";
import { findRemoteRun } from "./rows.ts";

/** A call as it arrived. */
interface Caller {
  headers: Headers;
  /** Aborted when the caller has gone. */
  signal: AbortSignal;
}

/**
 * Answers a poll of a runner's process: with a run to begin, stops of its runs, or nothing when the
 * time is over. Everything is answered from what is stored, and again until the runner knows it.
 * Throws 409 if a newer process has the runner's token.
 */
export async function pollForRuns(
  deps: RunnerDeps,
  { headers, signal }: Caller,
  request: PollRequest,
): Promise<PollAnswer> {
  const { clock, remote: { polls } } = deps;
  const startedAt = clock.ticks();
  const runner = await authenticateRunner(deps, headers);
  await noteProtocol(deps, runner, !speaksProtocol(headers));
  requireProtocol(headers);
  await takeHeartbeat(deps, runner, request);
  const poll = polls.hold(runner, request);
  const release = whenAborted(signal, poll.bell.ring);
  try {
    if (request.free > 0 && polls.isAwaited) deps.wakeDispatcher();
    let answer = await answerPoll(deps, runner, poll);
    while (!isNews(answer) && !signal.aborted && !poll.isOver) {
      await rehearse();
      const leftMs = request.wait_ms - (clock.ticks() - startedAt);
      const hasChanged = await poll.bell.wait(Math.max(0, leftMs));
      if (!hasChanged) return { ...answer, now: clock.now().getTime(), wait_ms: polls.waitMs };
      answer = await answerPoll(deps, await authenticateRunner(deps, headers), poll);
    }
    return answer;
  } finally {
    release();
    polls.release(poll);
  }
}

const isNews = ({ run, check, stops, drain }: PollAnswer): boolean =>
  run !== null || check !== null || stops.length > 0 || drain;

/** Notes that the process is alive, and has its runs. */
async function takeHeartbeat(deps: RunnerDeps, runner: RunnerRow, request: PollRequest) {
  const { session, facts, runs, leaving } = request;
  const isCurrent = await touchRunner(deps, runner, session, facts, leaving) === "current";
  if (!isCurrent) throw replacedRunner();
  if (runs.length === 0) return;
  const open = await readOpenTasks(deps.kv);
  const listed = new Set(runs.map(({ task_id }) => task_id));
  const owner = ownerName({ runnerId: runner.id, session });
  // A runner may list any number. Only its own tasks count.
  const own = open.filter(({ id, lease }) => lease?.owner === owner && listed.has(id));
  for (const task of own) await keepRunnerLease(deps, task);
}

/** Returns the answer for now. If the task that was claimed did not begin, there is room again. */
async function answerPoll(deps: RunnerDeps, runner: RunnerRow, poll: HeldPoll) {
  const { polls } = deps.remote;
  const wasTaken = poll.isTaken;
  const answer = await answerNow(deps, runner, poll.request);
  if (wasTaken && answer.run === null) {
    polls.offerAgain(poll);
    if (polls.isAwaited) deps.wakeDispatcher();
  }
  return answer;
}

async function answerNow(
  deps: RunnerDeps,
  runner: RunnerRow,
  request: PollRequest,
): Promise<PollAnswer> {
  const open = await readOpenTasks(deps.kv);
  await endTasksOfEarlierProcesses(deps, open, runner.id, request.session);
  const owner = ownerName({ runnerId: runner.id, session: request.session });
  const own = open.filter(({ lease }) => lease?.owner === owner);
  const known = new Set<number>();
  const stops: PollAnswer["stops"] = [];
  for (const { task_id, run, stop: knownStop } of request.runs) {
    const task = own.find(({ id }) => id === task_id);
    const isKnown = task && (await findRemoteRun(deps.kv, task_id))?.value.run === run;
    const stop = isKnown ? await requestedStop(deps.kv, task) : "gone";
    if (isKnown) known.add(task_id);
    if (stop && stop !== knownStop) stops.push({ run, stop });
  }
  let run: PollAnswer["run"] = null;
  for (const task of own) {
    if (!known.has(task.id)) run ??= await offerRun(deps, runner, task);
  }
  return {
    now: deps.clock.now().getTime(),
    run,
    check: await offerTest(deps, runner),
    stops,
    drain: runner.state === "draining",
    wait_ms: deps.remote.polls.waitMs,
  };
}
