import type { Deps } from "../../access/deps.ts";
import { noteLocked } from "./note_locked.ts";
import { forgiveAttempt, type GuessAttempt, reserveAttempt, TooManyAttempts } from "./limiter.ts";
import type { Store } from "../../store/store.ts";

/**
 * How many attempts can wait for others of the same counter. Far fewer people sign in at the same
 * time.
 */
const WAITING_MAX = 100;
/**
 * How many waiting attempts are woken after a correct one. The strictest counter then lets in as
 * many.
 */
const WOKEN_AFTER_SUCCESS = 5;

/** Attempts on one counter that this process is checking, and those that wait for them. */
interface Counter {
  inFlight: number;
  waiting: (() => void)[];
}

interface Gate {
  counters: Map<string, Counter>;
  /** Reservations are made one after the other, so that a refused one sees which are in flight. */
  last: Promise<unknown>;
}

const gates = new WeakMap<Store, Gate>();

/**
 * Runs `check`, which throws if the input is wrong. Throws 429 if too many attempts have failed.
 * `check` receives how many count now. An attempt counts as failed while it is being checked, so
 * that guesses sent in parallel are not faster. If only such attempts are in the way, this one
 * waits for them instead of being refused, because they may turn out to be right. Attempts at
 * another server that shares the store are not waited for.
 */
export async function withinLimit<T>(
  deps: Pick<Deps, "kv" | "clock">,
  attempt: GuessAttempt,
  check: (failures: number) => Promise<T>,
): Promise<T> {
  const gate = gateOf(deps.kv);
  const { failures, counters } = await enter(deps, gate, attempt);
  let isRight = false;
  try {
    const result = await check(failures);
    await forgiveAttempt(deps.kv, attempt);
    isRight = true;
    return result;
  } catch (error) {
    if ("login" in attempt) await noteLocked(deps, attempt.login, failures);
    throw error;
  } finally {
    for (const name of counters) leave(gate, name, isRight);
  }
}

async function enter({ kv, clock }: Pick<Deps, "kv" | "clock">, gate: Gate, attempt: GuessAttempt) {
  for (;;) {
    try {
      return await inTurn(gate, async () => {
        const reserved = await reserveAttempt(kv, clock.now(), attempt);
        for (const name of reserved.counters) counterOf(gate, name).inFlight++;
        return reserved;
      });
    } catch (error) {
      if (!(error instanceof TooManyAttempts)) throw error;
      const counter = gate.counters.get(error.counter);
      if (!counter || counter.waiting.length >= WAITING_MAX) throw error;
      await new Promise<void>((resolve) => counter.waiting.push(resolve));
    }
  }
}

/** Ends one attempt. The last one in flight wakes all that wait, because no one else would. */
function leave({ counters }: Gate, name: string, isRight: boolean): void {
  const counter = counters.get(name)!;
  counter.inFlight--;
  if (counter.inFlight === 0) counters.delete(name);
  const woken = counter.inFlight === 0 ? counter.waiting.length : isRight ? WOKEN_AFTER_SUCCESS : 0;
  for (const wake of counter.waiting.splice(0, woken)) wake();
}

function inTurn<T>(gate: Gate, reserve: () => Promise<T>): Promise<T> {
  const mine = gate.last.then(reserve);
  gate.last = mine.catch(() => {});
  return mine;
}

function gateOf(kv: Store): Gate {
  const gate = gates.get(kv) ?? { counters: new Map(), last: Promise.resolve() };
  gates.set(kv, gate);
  return gate;
}

function counterOf({ counters }: Gate, name: string): Counter {
  const counter = counters.get(name) ?? { inFlight: 0, waiting: [] };
  counters.set(name, counter);
  return counter;
}
