import { whenAborted } from "./abort.ts";
import { after } from "./after.ts";
import { AppError } from "./errors.ts";

/** A reader who takes longer than that is not waited for during a turn. */
const REST_MS = 20;

/** One part in work that takes turns. */
export interface Turns {
  /**
   * Waits for its turn, or goes on with it until it is over and others wait. False, without a turn,
   * when nobody wants the work any more.
   */
  next(): Promise<boolean>;
  /** Gives the turn to others unless `next` is called at once: before a reader has to take something. */
  rest(): void;
}

interface QueueRules {
  /** So many have their turn at the same time. */
  atOnce: number;
  /** A turn is over after so long, if others wait. */
  turnMs: number;
  /** So many take part on one server, and of one account. */
  max: number;
  accountMax: number;
  /** The sentences for one more of them. */
  full: string;
  accountFull: string;
}

interface Queue {
  /** How many take part, by account. */
  parts: Map<number, number>;
  running: number;
  /** What gives a turn to each that waits, by account; the account whose turn is next comes first. */
  waiting: Map<number, (() => void)[]>;
}

/** Turns for all that takes a processor for long, one queue for each store of a server. */
interface TurnQueue {
  /**
   * Takes part until the result is given back. Throws 429 when there are too many, or too many of
   * this account.
   */
  join(kv: Deno.Kv, accountId: number, gone: AbortSignal): Turns & Disposable;
}

/** A queue that is fair between accounts: of those that wait, each has one turn after the other. */
export function createTurnQueue(rules: QueueRules): TurnQueue {
  const queues = new WeakMap<Deno.Kv, Queue>();
  return {
    join(kv, accountId, gone) {
      const queue = queues.get(kv) ?? { parts: new Map(), running: 0, waiting: new Map() };
      queues.set(kv, queue);
      const leave = enter(queue, accountId, rules);
      const { give, ...turns } = takeTurns(queue, accountId, gone, rules);
      return {
        ...turns,
        [Symbol.dispose]() {
          give();
          leave();
        },
      };
    },
  };
}

/** Counts one more part of the account; gives what takes it back. */
function enter({ parts }: Queue, accountId: number, rules: QueueRules): () => void {
  const { max, full, accountMax, accountFull } = rules;
  const own = parts.get(accountId) ?? 0;
  if (own >= accountMax) throw new AppError(429, accountFull, { max: accountMax });
  if (parts.values().reduce((sum, count) => sum + count, 0) >= max) {
    throw new AppError(429, full, {}, { headers: { "Retry-After": "5" } });
  }
  parts.set(accountId, own + 1);
  let isIn = true;
  return () => {
    if (!isIn) return;
    isIn = false;
    const left = parts.get(accountId)! - 1;
    if (left > 0) parts.set(accountId, left);
    else parts.delete(accountId);
  };
}

function takeTurns(
  queue: Queue,
  accountId: number,
  gone: AbortSignal,
  { atOnce, turnMs }: QueueRules,
) {
  let since: number | null = null;
  let goOn = () => {};
  const give = () => {
    goOn();
    if (since !== null) queue.running--;
    since = null;
    giveTurns(queue, atOnce);
  };
  return {
    give,
    rest() {
      goOn();
      goOn = after(REST_MS, give);
    },
    async next() {
      goOn();
      if (since !== null && (queue.waiting.size === 0 || performance.now() - since < turnMs)) {
        return !gone.aborted;
      }
      // Waits before it gives its turn away, so that its account is behind those that wait already.
      const turn = gone.aborted ? false : wait(queue, accountId, gone);
      give();
      const hasTurn = await turn;
      if (hasTurn) since = performance.now();
      return hasTurn;
    },
  };
}

/** Waits until the account's turn comes; false when `gone` aborts before. */
function wait({ waiting }: Queue, accountId: number, gone: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const own = waiting.get(accountId) ?? [];
  const forget = whenAborted(gone, () => {
    own.splice(own.indexOf(begin), 1);
    if (own.length === 0) waiting.delete(accountId);
    resolve(false);
  });
  function begin() {
    forget();
    resolve(true);
  }
  own.push(begin);
  waiting.set(accountId, own);
  return promise;
}

function giveTurns(queue: Queue, atOnce: number): void {
  const { waiting } = queue;
  while (queue.running < atOnce) {
    const [first] = waiting;
    if (!first) return;
    const [accountId, own] = first;
    const begin = own.shift()!;
    // An account that has more to do waits behind the others.
    waiting.delete(accountId);
    if (own.length > 0) waiting.set(accountId, own);
    queue.running++;
    begin();
  }
}
