import { BAND, bandOf } from "./rows.ts";

/**
 * A row to be stored: its kind and numbers as parameters of `rowKeys.taskResultRow`, and its value.
 */
export interface Row {
  at: [kind: string, ...n: number[]];
  value: unknown;
  /** Approximate bytes that it takes in a commit. */
  bytes: number;
}

/** Approximate bytes of one stored item. */
const ITEM_BYTES = 500;

/** Creates a list of items with ids from 1. Changed items are stored in bands. */
export function bands<T>(kind: string) {
  const items: T[] = [];
  const changed = new Set<number>();
  return {
    size: () => items.length,
    /** Adds an item. Its id is the size afterwards. */
    add(item: T): T {
      items.push(item);
      changed.add(bandOf(items.length));
      return item;
    },
    get: (id: number): T => items[id - 1],
    /** Returns the item for the caller to change. */
    change(id: number): T {
      changed.add(bandOf(id));
      return items[id - 1];
    },
    /** Returns the rows that have changed since the last call. */
    take(): Row[] {
      const rows = [...changed].map((band) => {
        const value = items.slice(band * BAND, (band + 1) * BAND);
        return { at: [kind, band], value, bytes: value.length * ITEM_BYTES } satisfies Row;
      });
      changed.clear();
      return rows;
    },
  };
}
