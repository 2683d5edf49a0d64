import type { AppError } from "../../base/errors.ts";
import { type Memory, memoryPart } from "../memory.ts";

/** A limit that a call must keep to. */
interface SlotLimit {
  /** Name of those who share these slots, such as an account. */
  of: string;
  max: number;
  /** Creates the error for a call that finds them all taken. */
  full(): AppError;
}

/** Slots for calls in progress on one server. None of them waits. */
interface Slots {
  /** Takes a slot of each limit, or throws and takes none. Returns a function that frees them. */
  take(store: { memory: Memory }, limits: SlotLimit[]): () => void;
  /** Number of slots that are taken. */
  taken(store: { memory: Memory }, of: string): number;
}

export function createSlots(name: string): Slots {
  const counts = memoryPart(`slots of ${name}`, () => new Map<string, number>());
  return {
    take(store, limits) {
      const taken = counts.of(store);
      const full = limits.find(({ of, max }) => (taken.get(of) ?? 0) >= max);
      if (full) throw full.full();
      const add = (of: string, change: number) => {
        const count = (taken.get(of) ?? 0) + change;
        if (count > 0) taken.set(of, count);
        else taken.delete(of);
      };
      for (const { of } of limits) add(of, 1);
      let isTaken = true;
      return () => {
        if (isTaken) { for (const { of } of limits) add(of, -1); }
        isTaken = false;
      };
    },
    taken: (store, of) => counts.of(store).get(of) ?? 0,
  };
}
