import type { PublicDeps } from "../../access/deps.ts";
import type { RunnerRow } from "../../runners/rows.ts";
import type { OpenTask } from "../../tasks/open_tasks.ts";
import { createPolls, type Polls } from "./polls.ts";
import type { LiveRun } from "./live_run.ts";

/** State of this server about runs on runners. The store has everything that must last. */
export interface Remote {
  /** Id of this process in rows of remote runs. */
  server: string;
  /** Whether other servers use the same store, and may have a run that is reported here. */
  shared: boolean;
  polls: Polls;
  /** Runs whose reports this server takes, by task. */
  runs: Map<number, LiveRun>;
  /** Number of reports that are being taken, by runner. */
  reports: Map<number, number>;
  /** Time of this server's latest renewal of a lease, by task, in ticks. */
  renewals: Map<number, number>;
  /** Wakes polls, and forgets runs that have ended. Called at each look at the queue. */
  follow(
    open: OpenTask[],
    runners: readonly RunnerRow[],
    isWanted: (runner: RunnerRow) => boolean,
  ): void;
  /** Ends the polls. Runners go on with their runs, and report to the next server. */
  close(): void;
}

export function createRemote({ shared }: Pick<Remote, "shared">): Remote {
  const polls = createPolls();
  const runs: Remote["runs"] = new Map();
  const renewals: Remote["renewals"] = new Map();
  return {
    server: crypto.randomUUID(),
    shared,
    polls,
    runs,
    renewals,
    reports: new Map(),
    follow(open, runners, isWanted) {
      polls.wake(open, runners, isWanted);
      const ids = new Set(open.map(({ id }) => id));
      for (const map of [runs, renewals]) {
        for (const id of map.keys()) if (!ids.has(id)) map.delete(id);
      }
    },
    close: polls.close,
  };
}

/** Dependencies of the calls of runners. */
export type RunnerDeps = PublicDeps & { remote: Remote };
