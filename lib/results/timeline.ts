import type { ResultStatus } from "../execution/run/events.ts";
import type { Play, PlayTask } from "./schema.ts";
import { worstOf } from "./statuses.ts";

/** A play or one of its tasks as a bar on the time axis, in milliseconds since the beginning. */
export interface TimelineBar {
  play: Play;
  /** Null for the play itself. */
  task: PlayTask | null;
  fromMs: number;
  ms: number;
  /** The worst status in it; null if there is none yet. */
  status: ResultStatus | null;
  isRunning: boolean;
  /** Its position in execution order. */
  index: number;
}

export const TIMELINE_ORDERS = ["run", "slowest", "plays"] as const;
type TimelineOrder = (typeof TIMELINE_ORDERS)[number];

/** Returns all bars in execution order, starting at `start`. Running ones extend to `now`. */
export function timelineBars(plays: Play[], start: number, now: number | null): TimelineBar[] {
  const lastTask = plays.at(-1)?.tasks.at(-1);
  const bars = plays.flatMap((play) =>
    [null, ...play.tasks].map((task) => {
      const { start: from, end } = task ?? play;
      const isRunning = now !== null && (task ? task === lastTask : play === plays.at(-1));
      const fromMs = Math.max(0, Date.parse(from) - start);
      const toMs = Math.max(Date.parse(end), isRunning ? now : 0) - start;
      const counted = task ? [task] : play.tasks;
      return {
        play,
        task,
        fromMs,
        ms: Math.max(0, toMs - fromMs),
        status: worstOf(counted.map(({ counts }) => counts)),
        isRunning,
      };
    })
  );
  return bars.map((bar, index) => ({ ...bar, index }));
}

/** Returns the bars of an order: all, the slowest tasks first, or only plays. */
export function orderBars(bars: TimelineBar[], order: TimelineOrder): TimelineBar[] {
  if (order === "plays") return bars.filter(({ task }) => !task);
  if (order === "slowest") return bars.filter(({ task }) => task).sort((a, b) => b.ms - a.ms);
  return bars;
}

/**
 * Returns `limit` bars after the first `skip`. If the first one is a task, its play is added before
 * it.
 */
export function barsFrom(bars: TimelineBar[], skip: number, limit: number): TimelineBar[] {
  const shown = bars.slice(skip, skip + limit);
  const [first] = shown;
  const own = first?.task && bars.find(({ play, task }) => play === first.play && !task);
  return own ? [own, ...shown] : shown;
}
