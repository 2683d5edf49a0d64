import { createBell } from "../../base/bell.ts";
import { POLL_MS_MAX, POLL_MS_MIN, type PollRequest } from "../../runner/protocol.ts";
import type { RunnerRow } from "../../runners/rows.ts";
import type { OpenTask } from "../../tasks/open_tasks.ts";
import { ownerName } from "../../tasks/waiting/runner_owner.ts";

/** A poll that waits for something to answer. */
export interface HeldPoll {
  readonly runner: RunnerRow;
  readonly request: PollRequest;
  readonly bell: ReturnType<typeof createBell>;
  /** Whether another poll has replaced it, or the server ends. */
  isOver: boolean;
  /** Whether a task was claimed for it. It takes no second one. */
  isTaken: boolean;
}

/** The polls that runners hold open at this server, one for each runner. */
export interface Polls {
  /** Whether a queued task waits for a runner. A new offer is worth a look at the queue then. */
  isAwaited: boolean;
  /** Number of polls so far that offered to take a task. */
  readonly offersMade: number;
  /** Time for which a runner's next poll should be held. */
  readonly waitMs: number;
  /**
   * Adds a poll, which replaces an earlier one of the same runner, so that it holds no more. One
   * that arrives after a later one ends immediately, because its caller has abandoned it.
   */
  hold(runner: RunnerRow, request: PollRequest): HeldPoll;
  release(poll: HeldPoll): void;
  /** Lets a poll take another task, because the one that it took has ended. */
  offerAgain(poll: HeldPoll): void;
  /** Polls that would take a task now, by the runner's id. */
  offers(): Map<number, HeldPoll>;
  /**
   * Wakes the polls whose answer may have changed: by their runs in the queue, by their runner, or
   * because `isWanted`.
   */
  wake(
    open: OpenTask[],
    runners: readonly RunnerRow[],
    isWanted: (runner: RunnerRow) => boolean,
  ): void;
  /** Ends all polls without news, and each later one immediately. */
  close(): void;
}

/** Time between two polls of all runners of a server together. A poll costs 1 to 2 ms of CPU. */
const APART_MS = 250;

/** Returns the time for which each of so many polls should be held. */
export const waitFor = (polls: number): number =>
  Math.min(Math.max(polls * APART_MS, POLL_MS_MIN), POLL_MS_MAX);

export function createPolls(): Polls {
  const held = new Map<number, HeldPoll>();
  let isClosed = false;
  let offersMade = 0;

  const end = (poll: HeldPoll) => {
    poll.isOver = true;
    poll.bell.ring();
  };

  return {
    isAwaited: false,
    get offersMade() {
      return offersMade;
    },
    get waitMs() {
      return waitFor(held.size);
    },
    hold(runner, request) {
      const former = held.get(runner.id);
      const isLate = former !== undefined && isEarlier(request, former.request);
      const isOver = isClosed || isLate;
      const poll = { runner, request, bell: createBell(), isOver, isTaken: false };
      if (isLate) return poll;
      if (former) end(former);
      held.set(runner.id, poll);
      if (request.free > 0) offersMade++;
      return poll;
    },
    release(poll) {
      if (held.get(poll.runner.id) === poll) held.delete(poll.runner.id);
    },
    offerAgain(poll) {
      poll.isTaken = false;
      offersMade++;
    },
    offers() {
      const free = [...held.values()].filter(({ request, isTaken }) =>
        request.free > 0 && !isTaken
      );
      return new Map(free.map((poll) => [poll.runner.id, poll]));
    },
    wake(open, runners, isWanted) {
      if (held.size === 0) return;
      const rows = new Map(runners.map((row) => [row.id, row]));
      const tasks = Map.groupBy(open, (task) => task.lease?.owner);
      for (const poll of held.values()) {
        const isNews = isWanted(poll.runner) ||
          hasChanged(poll.runner, rows.get(poll.runner.id)) ||
          hasNews(poll.request, tasks.get(ownerOf(poll)) ?? []);
        if (isNews) poll.bell.ring();
      }
    },
    close() {
      isClosed = true;
      held.forEach(end);
    },
  };
}

const isEarlier = (one: PollRequest, other: PollRequest): boolean =>
  one.session === other.session && one.number < other.number;

const ownerOf = ({ runner, request: { session } }: HeldPoll): string =>
  ownerName({ runnerId: runner.id, session });

const hasChanged = (known: RunnerRow, row: RunnerRow | undefined): boolean =>
  row?.state !== known.state || row.token_hash !== known.token_hash;

/** Whether the runner does not know of a run, of a stop, or of the end of a run. */
function hasNews({ runs }: PollRequest, tasks: OpenTask[]): boolean {
  const known = new Map(runs.map((run) => [run.task_id, run]));
  return tasks.some(({ id, status }) => {
    const run = known.get(id);
    return !run || status === "stopping" && run.stop !== "force";
  }) || runs.some(({ task_id, stop }) =>
    stop !== "gone" && !tasks.some(({ id }) => id === task_id)
  );
}
