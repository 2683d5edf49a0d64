import type { Deps } from "../../access/deps.ts";
import { forgiveAttempt, type GuessAttempt, reserveAttempt, TooManyAttempts } from "./limiter.ts";

/** Attempts that wait for others of the same counter: far more than people sign in at once. */
const WAITING_MAX = 100;
/** Woken when one attempt was right: as many as the strictest counter lets in after that. */
const WOKEN_AFTER_SUCCESS = 5;

/** What is being checked by this process, by the counter that it was reserved on. */
interface Counter {
  inFlight: number;
  waiting: (() => void)[];
}

interface Gate {
  counters: Map<string, Counter>;
  /** Reservations are made one after the other, so that a refused one sees who is in flight. */
  last: Promise<unknown>;
}

const gates = new WeakMap<Deno.Kv, Gate>();

/**
 * Carries out `check`, which throws when what was typed is wrong, unless too many attempts have
 * failed: 429. `check` is told how many count by now. An attempt counts as failed while it is being
 * checked, so that guesses sent in parallel are no faster; where only such attempts stand in the
 * way it waits for them instead of being refused, since they may turn out to be right. Attempts at
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

/** Ends one attempt; the last one in flight wakes all, as nobody else would. */
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

function gateOf(kv: Deno.Kv): Gate {
  const gate = gates.get(kv) ?? { counters: new Map(), last: Promise.resolve() };
  gates.set(kv, gate);
  return gate;
}

function counterOf({ counters }: Gate, name: string): Counter {
  const counter = counters.get(name) ?? { inFlight: 0, waiting: [] };
  counters.set(name, counter);
  return counter;
}
