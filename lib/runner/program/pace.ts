import { createBell } from "../../base/bell.ts";
import type { RunState } from "../protocol.ts";
import type { Spool } from "./spool.ts";

/** Shortest time between two reports, unless there is much to send. */
const EVERY_MS = 250;
const MUCH_BYTES = 64 * 1024;
/** Time that the first line after a pause waits for others. */
const GATHER_MS = 10;
/** Time until the server is asked whether it has stored what it has. */
const ASK_MS = 1_000;

/** Decides when a run is reported. */
interface Pace {
  /** Called after a line or an event was added. */
  more(): void;
  /** Called after a change of the state, which is reported immediately. */
  changed(): void;
  /** Waits until a report is due, or until `signal` aborts and `wake` is called. */
  due(signal: AbortSignal): Promise<void>;
  wake(): void;
  /** Called when a report is sent. Returns a function to call once it was taken. */
  sent(): () => void;
}

export function createPace(spool: Spool, state: Readonly<RunState>): Pace {
  const bell = createBell();
  /** Number of changes of the state, and how many of them the server knows. */
  let [made, known] = [0, 0];
  let sentAt = -Infinity;
  let isIdle = false;

  return {
    more() {
      if (isIdle || spool.unsentBytes >= MUCH_BYTES) bell.ring();
    },
    changed() {
      made++;
      bell.ring();
    },
    async due(signal) {
      let gatheredAt: number | null = null;
      while (!signal.aborted && known === made && spool.unsentBytes < MUCH_BYTES) {
        const now = performance.now();
        if (spool.isUnsent) gatheredAt ??= now + GATHER_MS;
        const asks = spool.isUnstored || state.outcome !== null;
        const dueAt = gatheredAt !== null
          ? Math.max(sentAt + EVERY_MS, gatheredAt)
          : asks
          ? sentAt + ASK_MS
          : Infinity;
        if (dueAt <= now) return;
        isIdle = gatheredAt === null;
        await bell.wait(dueAt - now);
        isIdle = false;
      }
    },
    wake: bell.ring,
    sent() {
      const [sending, at] = [made, performance.now()];
      return () => {
        [known, sentAt] = [sending, at];
      };
    },
  };
}
