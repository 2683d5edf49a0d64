import { type ReportAnswer, reportAnswerSchema, type RunState, type RunStop } from "../protocol.ts";
import type { ServerConnection } from "./connection.ts";
import { createPace } from "./pace.ts";
import type { Patience } from "./patience.ts";
import type { Spool } from "./spool.ts";
import { createTimeLimit } from "./time_limit.ts";

interface ReportedRun {
  session: string;
  run: string;
  taskId: number;
  spool: Spool;
  /** Everything that is known of the run so far. */
  state: RunState;
}

interface ReporterOptions {
  connection: ServerConnection;
  patience: Patience;
  /** Called for each stop in an answer. */
  onStop(stop: RunStop): void;
}

/** Reports one run to the server until its end is stored there. */
interface Reporter {
  /** Called after a line or an event was added. */
  more(): void;
  /** Called after a change of the state. */
  changed(): void;
  /** Ends the reports early. */
  abandon(): void;
  /** Resolves when there will be no more reports. */
  done: Promise<void>;
}

/** Starts to report a run. There is never more than one report at a time. */
export function startReporter(reported: ReportedRun, options: ReporterOptions): Reporter {
  const { spool, state, taskId } = reported;
  const { connection, patience, onStop } = options;
  const pace = createPace(spool, state);
  const abandoned = new AbortController();
  const { signal } = abandoned;
  const limit = createTimeLimit();

  async function report(): Promise<ReportAnswer> {
    const json = await reportJson(reported, patience);
    const taken = pace.sent();
    const sentAt = performance.now();
    const answer = await connection.post(
      `/api/runner/tasks/${taskId}/report`,
      json,
      reportAnswerSchema,
      { limitMs: limit.ms, zip: true, signal },
    );
    taken();
    limit.answered(performance.now() - sentAt);
    return answer;
  }

  /** Returns whether the run is still reported. */
  async function take(answer: ReportAnswer): Promise<boolean> {
    patience.succeeded();
    // A server that has lost lines cannot continue the run, because they are not here any more.
    const stop = await spool.acknowledge(answer) ? answer.stop : "gone";
    if (stop) onStop(stop);
    return !answer.ended && stop !== "gone";
  }

  async function loop(): Promise<void> {
    let goesOn = true;
    while (goesOn) {
      await pace.due(signal);
      if (signal.aborted) return;
      try {
        goesOn = await take(await report());
      } catch (error) {
        limit.failed();
        if (!signal.aborted) await patience.failed(error, signal);
      }
    }
  }

  return {
    more: pace.more,
    changed: pace.changed,
    abandon() {
      abandoned.abort();
      pace.wake();
    },
    done: loop(),
  };
}

/** Returns the next report. Its records are JSON already. */
async function reportJson(
  { session, run, spool, state }: ReportedRun,
  { share, takesOver }: Patience,
): Promise<string> {
  const { linesFrom, lines, eventsFrom, events } = await spool.next(share);
  const head = JSON.stringify({ session, run, take_over: takesOver, state });
  return `${head.slice(0, -1)},"lines_from":${linesFrom},"lines":[${lines.join()}],` +
    `"events_from":${eventsFrom},"events":[${events.join()}]}`;
}
