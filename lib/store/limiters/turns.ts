import { whenAborted } from "../../base/time/abort.ts";
import { after } from "../../base/time/after.ts";
import { AppError } from "../../base/errors.ts";
import { type Memory, memoryPart } from "../memory.ts";
import { createSlots } from "./slots.ts";

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
  name: string;
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
  running: number;
  /**
   * Callbacks that give a turn to each waiting participant, by account in the order of their turns.
   */
  waiting: Map<number, (() => void)[]>;
}

/** Turns for processor-intensive work of a server. */
interface TurnQueue {
  /**
   * Takes part until the result is disposed. Throws 429 if there are too many participants in all
   * or of this account.
   */
  join(store: { memory: Memory }, accountId: number, gone: AbortSignal): Turns & Disposable;
}

/**
 * Creates a queue that is fair between accounts: waiting accounts take turns one after the other.
 */
export function createTurnQueue(rules: QueueRules): TurnQueue {
  const { name, max, full, accountMax, accountFull } = rules;
  const slots = createSlots(name);
  const queues = memoryPart(`turns of ${name}`, (): Queue => ({ running: 0, waiting: new Map() }));
  return {
    join(store, accountId, gone) {
      const tooManyOfAccount = () => new AppError(429, accountFull, { max: accountMax });
      const tooMany = () => new AppError(429, full, {}, { headers: { "Retry-After": "5" } });
      const leave = slots.take(store, [
        { of: `account ${accountId}`, max: accountMax, full: tooManyOfAccount },
        { of: "all", max, full: tooMany },
      ]);
      const { give, ...turns } = takeTurns(queues.of(store), accountId, gone, rules);
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
