import { BAND, bandOf } from "./rows.ts";

/** A row to be stored: its kind and numbers, as `rowKeys.taskResultRow` takes them, and its value. */
export interface Row {
  at: [kind: string, ...n: number[]];
  value: unknown;
  /** About how much of a commit it takes. */
  bytes: number;
}

/** About what an item of a band takes in the store. */
const ITEM_BYTES = 500;

/** A list of items with ids from 1, which are stored a band at a time when they have changed. */
export function bands<T>(kind: string) {
  const items: T[] = [];
  const changed = new Set<number>();
  return {
    size: () => items.length,
    /** Its id is the size afterwards. */
    add(item: T): T {
      items.push(item);
      changed.add(bandOf(items.length));
      return item;
    },
    get: (id: number): T => items[id - 1],
    /** The item, which the caller changes. */
    change(id: number): T {
      changed.add(bandOf(id));
      return items[id - 1];
    },
    /** The rows that have changed since the last call. */
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
