import type { ResultStatus } from "../execution/run/events.ts";
import type { Play, PlayTask } from "./schema.ts";

/** A play, or a task of it, as a bar on the run's axis of time; milliseconds are since the run began. */
export interface TimelineBar {
  play: Play;
  /** Null for the play itself. */
  task: PlayTask | null;
  fromMs: number;
  ms: number;
  /** The worst that happened in it; null while nothing has. */
  status: ResultStatus | null;
  isRunning: boolean;
  /** Its place in the order of the run. */
  place: number;
}

export const TIMELINE_ORDERS = ["run", "slowest", "plays"] as const;
type TimelineOrder = (typeof TIMELINE_ORDERS)[number];

const WORST_FIRST: ResultStatus[] = [
  "unreachable",
  "failed",
  "rescued",
  "ignored",
  "changed",
  "ok",
  "included",
  "skipped",
];

/** All bars of a run that began at `start`, in its order; one that runs still goes on until `now`. */
export function timelineBars(plays: Play[], start: number, now: number | null): TimelineBar[] {
  const lastTask = plays.at(-1)?.tasks.at(-1);
  const bars = plays.flatMap((play) =>
    [null, ...play.tasks].map((task) => {
      const { start: from, end } = task ?? play;
      const isRunning = now !== null && (task ? task === lastTask : play === plays.at(-1));
      const fromMs = Math.max(0, Date.parse(from) - start);
      const toMs = Math.max(Date.parse(end), isRunning ? now : 0) - start;
      const counted = task ? [task] : play.tasks;
      const status = WORST_FIRST.find((status) => counted.some(({ counts }) => counts[status]));
      return {
        play,
        task,
        fromMs,
        ms: Math.max(0, toMs - fromMs),
        status: status ?? null,
        isRunning,
      };
    })
  );
  return bars.map((bar, place) => ({ ...bar, place }));
}

/** Those that an order shows: by it, the slowest tasks are first, or there are only plays. */
export function orderBars(bars: TimelineBar[], order: TimelineOrder): TimelineBar[] {
  if (order === "plays") return bars.filter(({ task }) => !task);
  if (order === "slowest") return bars.filter(({ task }) => task).sort((a, b) => b.ms - a.ms);
  return bars;
}

/** So many bars from `skip` on; where that begins amid a play, with the play's own before. */
export function barsFrom(bars: TimelineBar[], skip: number, limit: number): TimelineBar[] {
  const shown = bars.slice(skip, skip + limit);
  const [first] = shown;
  const own = first?.task && bars.find(({ play, task }) => play === first.play && !task);
  return own ? [own, ...shown] : shown;
}
