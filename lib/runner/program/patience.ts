import type { Log } from "../../base/log.ts";
import { sleep } from "../../base/time/pause.ts";
import { FINAL_CODES } from "../protocol.ts";
import { failureOf, Refused, type ServerConnection } from "./connection.ts";

const DELAY_MS_MIN = 200;
const DELAY_MS_MAX = 5_000;
/** An outdated program asks this often whether the server or the program was updated. */
const UPDATE_MS = 60_000;
/** Time after which a server is asked to take over a run of another one. */
const TAKE_OVER_MS = 3_000;
/** Time before another connection is tried, which may lead to the right server. */
const OTHER_SERVER_MS = 50;
/** Smallest share of the largest call. A connection may be cut before a larger one has passed. */
const SHARE_MIN = 1 / 256;
const SHARE_GROWTH = 1.5;

interface PatienceOptions {
  connection: ServerConnection;
  log: Log;
  /** Fields of the lines in the log. */
  about: Record<string, unknown>;
  /** Whether the calls are polls. Only they notice that another process has replaced this one. */
  polls: boolean;
  /** Called when the token is revoked, or another process has replaced this one. */
  onRefused(refused: Refused): void;
}

/** Repeats calls that fail, less and less often. */
export interface Patience {
  /** The reason why calls fail; null if they do not. */
  readonly problem: string | null;
  /** Share of the largest report and, squared, of the longest poll that pass the network. */
  readonly share: number;
  /** Whether the server should take over what another server has. */
  readonly takesOver: boolean;
  succeeded(): void;
  /** Waits before the next attempt. */
  failed(error: unknown, signal: AbortSignal): Promise<void>;
}

export function createPatience(options: PatienceOptions): Patience {
  const { connection, log, about, polls, onRefused } = options;
  let delayMs = DELAY_MS_MIN;
  let problem: string | null = null;
  let share = 1;
  let otherSince: number | null = null;
  let conflicts = 0;

  const takesOver = () => otherSince !== null && performance.now() - otherSince >= TAKE_OVER_MS;

  /** A single conflict may be one of requests that came at the same time. */
  function isFinal({ code }: Refused): boolean {
    conflicts = code === FINAL_CODES.replaced ? conflicts + 1 : 0;
    return code === FINAL_CODES.revoked || (polls && conflicts > 1);
  }

  /** Returns a delay that differs between runners. */
  function nextDelay(): number {
    const delay = delayMs * (0.5 + Math.random() / 2);
    delayMs = Math.min(delayMs * 2, DELAY_MS_MAX);
    return delay;
  }

  return {
    get problem() {
      return problem;
    },
    get share() {
      return share;
    },
    get takesOver() {
      return takesOver();
    },
    succeeded() {
      if (problem !== null) log("info", "server_back", about);
      [problem, delayMs, otherSince, conflicts] = [null, DELAY_MS_MIN, null, 0];
      share = Math.min(1, share * SHARE_GROWTH);
    },
    async failed(error, signal) {
      const refused = error instanceof Refused ? error : null;
      if (refused && isFinal(refused)) return onRefused(refused);
      if (refused?.status === 421) {
        otherSince ??= performance.now();
        connection.renew();
        return await sleep(takesOver() ? nextDelay() : OTHER_SERVER_MS, { signal });
      }
      if (!refused) connection.renew();
      if (!refused?.isOfServer || refused.status === 413) share = Math.max(SHARE_MIN, share / 2);
      const why = failureOf(error);
      if (why !== problem) log("warn", "server_unreachable", { ...about, why });
      problem = why;
      const askedMs = refused?.status === 426 ? UPDATE_MS : refused?.retryAfterMs ?? 0;
      await sleep(Math.max(nextDelay(), askedMs), { signal });
    },
  };
}
