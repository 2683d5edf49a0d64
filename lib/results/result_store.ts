import { createPause } from "../base/time/pause.ts";
import type { FullResult } from "../execution/run/full_result.ts";
import { getAll } from "../store/rows/get_all.ts";
import { rowKeys } from "../store/keys.ts";
import { unpackedList, unpackedValues } from "../store/rows/packed_json.ts";
import type { Store } from "../store/store.ts";
import { type PackedCell, unpackCell, unpackedStates } from "./packing.ts";
import {
  bandOf,
  type Cell,
  cellIndex,
  type HostRow,
  type PlayRow,
  type PlayTaskRow,
  type ResultHead,
  type ResultText,
  stateIndex,
  statesOf,
} from "./rows.ts";

/** Returns the summary of stored results; null if there are none. */
export const findHead = async (kv: Store, taskId: number): Promise<ResultHead | null> =>
  (await kv.get<ResultHead>(rowKeys.taskResultHead(taskId))).value;

async function listBands<T>(kv: Store, taskId: number, kind: string): Promise<T[]> {
  const selector = { prefix: rowKeys.taskResultRow(taskId, kind) };
  const entries = kv.list<Uint8Array | T[]>(selector, { batchSize: 25 });
  return (await Array.fromAsync(entries, ({ value }) => unpackedList<T>(value))).flat();
}

/**
 * Returns all plays of an execution. This and the next two functions return items by ascending id.
 */
export const listPlays = (kv: Store, taskId: number) => listBands<PlayRow>(kv, taskId, "plays");
export const listPlayTasks = (kv: Store, taskId: number) =>
  listBands<PlayTaskRow>(kv, taskId, "tasks");
export const listHosts = (kv: Store, taskId: number) => listBands<HostRow>(kv, taskId, "hosts");

/** Position of a result: the ids of an Ansible task and a host. */
export type CellPosition = readonly [task: number, host: number];

/** Returns the values of rows of one kind, by their numbers. */
async function readRows<T>(kv: Store, taskId: number, kind: string, wanted: Set<string>) {
  const names = [...wanted];
  const keys = names.map((name) => rowKeys.taskResultRow(taskId, kind, ...numbersOf(name)));
  const rows = await getAll<T>(kv, keys);
  return new Map(rows.flatMap(({ value }, n) => value ? [[names[n], value] as const] : []));
}

const numbersOf = (name: string) => name.split("/").map(Number);
const tileOf = ([task, host]: CellPosition) => `${bandOf(task)}/${bandOf(host)}`;

/** Returns Ansible tasks or hosts by their ids. It reads only the rows that hold them. */
async function readItems<T extends { id: number }>(
  kv: Store,
  taskId: number,
  kind: string,
  ids: number[],
): Promise<Map<number, T>> {
  const bands = new Set(ids.map((id) => String(bandOf(id))));
  const rows = await readRows<Uint8Array | T[]>(kv, taskId, kind, bands);
  const items = [...rows.values()].flatMap((row) => unpackedList<T>(row));
  return new Map(items.map((item) => [item.id, item]));
}

export const readPlayTasks = (kv: Store, taskId: number, ids: number[]) =>
  readItems<PlayTaskRow>(kv, taskId, "tasks", ids);
export const readHosts = (kv: Store, taskId: number, ids: number[]) =>
  readItems<HostRow>(kv, taskId, "hosts", ids);

/** A stored result with its position. */
export interface FoundCell {
  task: number;
  host: number;
  cell: Cell;
}

/** Returns the existing results at these positions, in this order. */
export async function readCells(
  kv: Store,
  taskId: number,
  positions: CellPosition[],
): Promise<FoundCell[]> {
  const pause = createPause();
  const byTile = Map.groupBy(positions, tileOf);
  const tiles = await readRows<Uint8Array>(kv, taskId, "cells", new Set(byTile.keys()));
  const found = new Map<CellPosition, FoundCell>();
  for (const [name, bytes] of tiles) {
    if (pause.isDue()) await pause.take();
    const cells = unpackedList<PackedCell | 0>(bytes);
    for (const position of byTile.get(name)!) {
      const [task, host] = position;
      const packed = cells[cellIndex(task, host)];
      if (packed) found.set(position, { task, host, cell: unpackCell(packed) });
    }
  }
  return positions.flatMap((position) => found.get(position) ?? []);
}

/** Number of rows of cells that are read in parallel. */
const TILES_AT_ONCE = 40;

/** Returns the first matching result of these Ansible tasks; null if there is none. */
export async function findCell(
  kv: Store,
  taskId: number,
  { tasks, hosts }: { tasks: number[]; hosts: number[] },
  isWanted: (cell: Cell) => boolean,
): Promise<FoundCell | null> {
  const [tasksOf, hostsOf] = [Map.groupBy(tasks, bandOf), Map.groupBy(hosts, bandOf)];
  const names = [...tasksOf.keys()].flatMap((task) =>
    [...hostsOf.keys()].map((host) => `${task}/${host}`)
  );
  for (let from = 0; from < names.length; from += TILES_AT_ONCE) {
    const some = names.slice(from, from + TILES_AT_ONCE).map(numbersOf);
    const positions = some.flatMap(([task, host]) =>
      tasksOf.get(task)!.flatMap((id) => hostsOf.get(host)!.map((its) => [id, its] as const))
    );
    const found = (await readCells(kv, taskId, positions)).find(({ cell }) => isWanted(cell));
    if (found) return found;
  }
  return null;
}

/**
 * Returns a function for the status codes of these Ansible tasks and hosts; a code is 0 if there is
 * no result.
 */
export async function readStates(
  kv: Store,
  taskId: number,
  tasks: number[],
  hosts: number[],
): Promise<(task: number, host: number) => number> {
  const pause = createPause();
  const [tasksOf, hostsOf] = [Map.groupBy(tasks, statesOf), Map.groupBy(hosts, bandOf)];
  const names = [...hostsOf.keys()].flatMap((band) =>
    [...tasksOf.keys()].map((block) => `${block}/${band}`)
  );
  const [taskAt, hostAt] = [positions(tasks), positions(hosts)];
  const codes = new Uint8Array(tasks.length * hosts.length);
  for (const [name, bytes] of await readRows<Uint8Array>(kv, taskId, "states", new Set(names))) {
    if (pause.isDue()) await pause.take();
    const [block, band] = numbersOf(name);
    const states = unpackedStates(bytes);
    for (const task of tasksOf.get(block)!) {
      const from = taskAt[task] * hosts.length;
      for (const host of hostsOf.get(band)!) {
        codes[from + hostAt[host]] = states[stateIndex(task, host)] ?? 0;
      }
    }
  }
  return (task, host) => codes[taskAt[task] * hosts.length + hostAt[host]] ?? 0;
}

/** Returns the position of each id in a list. */
function positions(ids: number[]): Uint32Array {
  const at = new Uint32Array(ids.reduce((most, id) => Math.max(most, id), 0) + 1);
  ids.forEach((id, n) => at[id] = n);
  return at;
}

/** Returns values by their numbers. It reads only the chunks that hold them. */
async function readChunked<T>(kv: Store, taskId: number, kind: string, numbers: number[]) {
  const pause = createPause();
  const found = new Map<number, T>();
  for (const n of new Set(numbers)) {
    if (n === 0 || found.has(n)) continue;
    if (pause.isDue()) await pause.take();
    const selector = {
      prefix: rowKeys.taskResultRow(taskId, kind),
      end: rowKeys.taskResultRow(taskId, kind, n + 1),
    };
    for await (const { key, value } of kv.list<Uint8Array>(selector, { reverse: true, limit: 1 })) {
      const first = key.at(-1) as number;
      unpackedValues<T>(value).forEach((item, at) => found.set(first + at, item));
    }
  }
  return found;
}

export const readTexts = (kv: Store, taskId: number, numbers: number[]) =>
  readChunked<ResultText>(kv, taskId, "texts", numbers);
export const readFull = (kv: Store, taskId: number, numbers: number[]) =>
  readChunked<FullResult>(kv, taskId, "full", numbers);
export async function readDiffs(
  kv: Store,
  taskId: number,
  numbers: number[],
): Promise<Map<number, string>> {
  const diffs = await readChunked<string>(kv, taskId, "diffs", numbers);
  return new Map(numbers.flatMap((n) => {
    const diff = diffs.get(n);
    return diff === undefined ? [] : [[n, withoutRunFolder(diff)]];
  }));
}

/** File name in a diff, and its part below the checkout or Ansible's temporary folder. */
const NAMES = /^(?:---|\+\+\+) (.*\/tasks\/\d+\/(?:checkout|tmp\/ansible-local-[^/\n]+)\/(.*))$/gm;

/**
 * Returns the diff without paths of the task's own folder. A new file may be named after its
 * temporary source, which for a template ends with the template's name.
 */
export const withoutRunFolder = (diff: string): string =>
  diff.replace(NAMES, (line, path: string, rest: string) => {
    const name = rest.replace(/^tmp[^/]*\//, "");
    return line.replace(path, () => /^\.?(?:tmp|ansible)[^/]*$/.test(name) ? "" : name);
  });
