import { AppError } from "./errors.ts";

/** A limited number of slots for each account. */
interface Slots {
  /**
   * Takes a slot and returns a function that releases it. Throws 429 if all slots of the account
   * are taken.
   */
  take(kv: object, accountId: number): () => void;
}

/** Creates `max` slots for each account of a server. `full` is the key of the error's sentence. */
export function createSlots(max: number, full: string): Slots {
  const takenOf = new WeakMap<object, Map<number, number>>();
  return {
    take(kv, accountId) {
      const counts = takenOf.get(kv) ?? new Map<number, number>();
      takenOf.set(kv, counts);
      const count = counts.get(accountId) ?? 0;
      if (count >= max) throw new AppError(429, full, { max });
      counts.set(accountId, count + 1);
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        const left = counts.get(accountId)! - 1;
        if (left > 0) counts.set(accountId, left);
        else counts.delete(accountId);
      };
    },
  };
}
