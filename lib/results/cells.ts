import { createPause } from "../base/time/pause.ts";
import { packed, unpackedList } from "../store/rows/packed_json.ts";
import { packCell, type PackedCell, packedStates, unpackedStates } from "./packing.ts";
import {
  BAND,
  bandOf,
  type Cell,
  cellIndex,
  type ChangeRow,
  type Row,
  stateIndex,
  STATES,
  statesOf,
  statusCode,
} from "./rows.ts";

/** Storage format of rows of one kind. */
interface Kind<T> {
  name: string;
  empty(): T;
  pack(row: T): Uint8Array;
  unpack(bytes: Uint8Array): T;
}

const CELLS: Kind<(PackedCell | 0)[]> = {
  name: "cells",
  empty: () => new Array(BAND * BAND).fill(0),
  pack: packed,
  unpack: unpackedList,
};
const STATE_CODES: Kind<Uint8Array> = {
  name: "states",
  empty: () => new Uint8Array(STATES * BAND),
  pack: packedStates,
  unpack: unpackedStates,
};

/** Collects the cells of Ansible tasks x hosts, and separately their states. */
export function tiles() {
  const cells = packedRows(CELLS);
  const states = packedRows(STATE_CODES);
  const stateKey = (task: number, host: number) => `${statesOf(task)}/${bandOf(host)}`;

  return {
    has: (task: number, host: number): boolean =>
      (states.get(stateKey(task, host))?.[stateIndex(task, host)] ?? 0) > 0,
    set(task: number, host: number, cell: Cell): void {
      cells.change(`${bandOf(task)}/${bandOf(host)}`)[cellIndex(task, host)] = packCell(cell);
      states.change(stateKey(task, host))[stateIndex(task, host)] = statusCode(cell.status);
    },
    rows: async (): Promise<Row[]> => [...await cells.take(), ...await states.take()],
  };
}

/** Maximum number of unpacked rows. In crafted results, each one may be in another row. */
const OPEN_MAX = 512;

/** Collects rows by key. Rows in use are unpacked, and the others are packed as they are stored. */
function packedRows<T>({ name, empty, pack, unpack }: Kind<T>) {
  const stored = new Map<string, Uint8Array>();
  const open = new Map<string, T>();
  let changed = new Set<string>();

  function hold(key: string, row: T): T {
    if (open.size >= OPEN_MAX) {
      const [[oldest, its]] = open;
      stored.set(oldest, pack(its));
      open.delete(oldest);
    }
    open.set(key, row);
    return row;
  }

  function get(key: string): T | undefined {
    const known = open.get(key);
    const bytes = known ? undefined : stored.get(key);
    return bytes ? hold(key, unpack(bytes)) : known;
  }

  return {
    get,
    /** Returns the row, which the caller must change immediately. */
    change(key: string): T {
      const row = get(key) ?? hold(key, empty());
      changed.add(key);
      return row;
    },
    /**
     * Returns the rows that have changed since the last call. A row that changes meanwhile is
     * returned again by the next call.
     */
    async take(): Promise<Row[]> {
      const pause = createPause();
      const taken = changed;
      changed = new Set();
      const rows: Row[] = [];
      for (const key of taken) {
        if (pause.isDue()) await pause.take();
        const row = open.get(key);
        const value = row ? pack(row) : stored.get(key)!;
        stored.set(key, value);
        rows.push({ at: [name, ...key.split("/").map(Number)], value, bytes: value.length });
      }
      for (const key of open.keys()) {
        if (!taken.has(key) && !changed.has(key)) open.delete(key);
      }
      return rows;
    },
  };
}

/** Maximum number of hosts in a row. Naming every one of ten thousand hosts is not useful. */
const ALIKE_MAX = 5_000;

/** Collects the hosts with the same change in each Ansible task. */
export function changeLists() {
  const all = new Map<string, ChangeRow & { task: number; diff: number }>();
  const changed = new Set<string>();
  return {
    add(task: number, diff: number, host: number, isDone: boolean): void {
      const key = `${task}/${diff}`;
      let list = all.get(key);
      if (!list) all.set(key, list = { task, diff, hosts: [], more: 0 });
      if (list.hosts.length < ALIKE_MAX) {
        list.hosts.push(host);
        if (isDone) (list.done ??= []).push(host);
      } else list.more++;
      changed.add(key);
    },
    rows(): Row[] {
      const rows = [...changed].map((key): Row => {
        const { task, diff, hosts, done, more } = all.get(key)!;
        const bytes = 6 * (hosts.length + (done?.length ?? 0));
        return { at: ["changes", task, diff], value: { hosts, ...done && { done }, more }, bytes };
      });
      changed.clear();
      return rows;
    },
  };
}
