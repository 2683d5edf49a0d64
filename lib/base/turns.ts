import { whenAborted } from "./abort.ts";
import { after } from "./after.ts";
import { AppError } from "./errors.ts";

/** A participant that waits longer for its reader loses its turn. */
const REST_MS = 20;

/** One participant in work that takes turns. */
export interface Turns {
  /**
   * Waits for a turn, or continues the current turn until it has expired and others wait. Resolves
   * to false, without a turn, when no one needs the work any more.
   */
  next(): Promise<boolean>;
  /**
   * Gives the turn away unless `next` is called within `REST_MS`. Called before a value is passed
   * to a reader, who may be slow.
   */
  rest(): void;
}

interface QueueRules {
  /** Number of turns in parallel. */
  parallelMax: number;
  /** Length of a turn in milliseconds. A turn goes on longer if no one waits. */
  turnMs: number;
  /** Maximum number of participants on one server, and of one account. */
  max: number;
  accountMax: number;
  /** Keys of the sentences for exceeding these limits. */
  full: string;
  accountFull: string;
}

interface Queue {
  /** Number of participants by account. */
  participants: Map<number, number>;
  running: number;
  /**
   * Callbacks that give a turn to each waiting participant, by account in the order of their turns.
   */
  waiting: Map<number, (() => void)[]>;
}

/** Turns for processor-intensive work, with one queue for each store of a server. */
interface TurnQueue {
  /**
   * Takes part until the result is disposed. Throws 429 if there are too many participants in all
   * or of this account.
   */
  join(kv: object, accountId: number, gone: AbortSignal): Turns & Disposable;
}

/**
 * Creates a queue that is fair between accounts: waiting accounts take turns one after the other.
 */
export function createTurnQueue(rules: QueueRules): TurnQueue {
  const queues = new WeakMap<object, Queue>();
  return {
    join(kv, accountId, gone) {
      const queue = queues.get(kv) ?? { participants: new Map(), running: 0, waiting: new Map() };
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

/** Counts one more participant of the account. Returns a function that undoes this. */
function enter({ participants }: Queue, accountId: number, rules: QueueRules): () => void {
  const { max, full, accountMax, accountFull } = rules;
  const own = participants.get(accountId) ?? 0;
  if (own >= accountMax) throw new AppError(429, accountFull, { max: accountMax });
  if (participants.values().reduce((sum, count) => sum + count, 0) >= max) {
    throw new AppError(429, full, {}, { headers: { "Retry-After": "5" } });
  }
  participants.set(accountId, own + 1);
  let isIn = true;
  return () => {
    if (!isIn) return;
    isIn = false;
    const left = participants.get(accountId)! - 1;
    if (left > 0) participants.set(accountId, left);
    else participants.delete(accountId);
  };
}

function takeTurns(
  queue: Queue,
  accountId: number,
  gone: AbortSignal,
  { parallelMax, turnMs }: QueueRules,
) {
  let since: number | null = null;
  let resume = () => {};
  const give = () => {
    resume();
    if (since !== null) queue.running--;
    since = null;
    giveTurns(queue, parallelMax);
  };
  return {
    give,
    rest() {
      resume();
      resume = after(REST_MS, give);
    },
    async next() {
      resume();
      if (since !== null && (queue.waiting.size === 0 || performance.now() - since < turnMs)) {
        return !gone.aborted;
      }
      // Queues up before it gives its turn away, so that its account is behind those that wait
      // already.
      const turn = gone.aborted ? false : wait(queue, accountId, gone);
      give();
      const hasTurn = await turn;
      if (hasTurn) since = performance.now();
      return hasTurn;
    },
  };
}

/** Waits until the account's turn comes. Resolves to false if `gone` aborts first. */
function wait({ waiting }: Queue, accountId: number, gone: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const own = waiting.get(accountId) ?? [];
  const release = whenAborted(gone, () => {
    own.splice(own.indexOf(begin), 1);
    if (own.length === 0) waiting.delete(accountId);
    resolve(false);
  });
  function begin() {
    release();
    resolve(true);
  }
  own.push(begin);
  waiting.set(accountId, own);
  return promise;
}

function giveTurns(queue: Queue, parallelMax: number): void {
  const { waiting } = queue;
  while (queue.running < parallelMax) {
    const [first] = waiting;
    if (!first) return;
    const [accountId, own] = first;
    const begin = own.shift()!;
    // An account with more work goes behind the others.
    waiting.delete(accountId);
    if (own.length > 0) waiting.set(accountId, own);
    queue.running++;
    begin();
  }
}
