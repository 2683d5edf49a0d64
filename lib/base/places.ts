import { AppError } from "./errors.ts";

/** What one account can have so many of at once. */
interface Places {
  /** Takes one; gives what gives it back. Throws 429 where all of the account are taken. */
  take(kv: Deno.Kv, accountId: number): () => void;
}

/** `max` places for each account of a server; the sentence `full` is told of one more. */
export function createPlaces(max: number, full: string): Places {
  const takenOf = new WeakMap<Deno.Kv, Map<number, number>>();
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
