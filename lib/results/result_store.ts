import { inflateRawSync } from "node:zlib";
import { getAll } from "../kv/get_all.ts";
import { rowKeys } from "../kv/keys.ts";
import { type PackedCell, unpackCell, unpacked } from "./packing.ts";
import {
  bandOf,
  type Cell,
  cellPlace,
  type HostRow,
  type PlayRow,
  type PlayTaskRow,
  type ResultHead,
  type ResultText,
  statePlace,
  statesOf,
} from "./rows.ts";

/** What is stored of a run's results as a whole; null when there are none. */
export const findHead = async (kv: Deno.Kv, taskId: number): Promise<ResultHead | null> =>
  (await kv.get<ResultHead>(rowKeys.taskResultHead(taskId))).value;

async function listBands<T>(kv: Deno.Kv, taskId: number, kind: string): Promise<T[]> {
  const entries = kv.list<T[]>({ prefix: rowKeys.taskResultRow(taskId, kind) }, { batchSize: 100 });
  return (await Array.fromAsync(entries, ({ value }) => value)).flat();
}

/** All of a run, in the order of their ids. */
export const listPlays = (kv: Deno.Kv, taskId: number) => listBands<PlayRow>(kv, taskId, "plays");
export const listPlayTasks = (kv: Deno.Kv, taskId: number) =>
  listBands<PlayTaskRow>(kv, taskId, "tasks");
export const listHosts = (kv: Deno.Kv, taskId: number) => listBands<HostRow>(kv, taskId, "hosts");

/** A play task and a host, by their ids. */
export type Place = readonly [task: number, host: number];

/** The values of rows of one kind, by their numbers. */
async function readRows<T>(kv: Deno.Kv, taskId: number, kind: string, wanted: Set<string>) {
  const names = [...wanted];
  const keys = names.map((name) => rowKeys.taskResultRow(taskId, kind, ...numbersOf(name)));
  const rows = await getAll<T>(kv, keys);
  return new Map(rows.flatMap(({ value }, n) => value ? [[names[n], value] as const] : []));
}

const numbersOf = (name: string) => name.split("/").map(Number);
const tileOf = ([task, host]: Place) => `${bandOf(task)}/${bandOf(host)}`;

/** The results at these places, as far as there are; in that order. */
export async function readCells(
  kv: Deno.Kv,
  taskId: number,
  places: Place[],
): Promise<{ task: number; host: number; cell: Cell }[]> {
  const packed = await readRows<Uint8Array>(kv, taskId, "cells", new Set(places.map(tileOf)));
  const tiles = new Map(
    [...packed].map(([name, bytes]) => [name, unpacked<(PackedCell | 0)[]>(bytes)]),
  );
  return places.flatMap(([task, host]) => {
    const found = tiles.get(tileOf([task, host]))?.[cellPlace(task, host)];
    return found ? [{ task, host, cell: unpackCell(found) }] : [];
  });
}

/** Tells the status code of each place of these play tasks and hosts; 0 where there is no result. */
export async function readStates(
  kv: Deno.Kv,
  taskId: number,
  tasks: number[],
  hosts: number[],
): Promise<(task: number, host: number) => number> {
  const names = new Set(
    hosts.flatMap((host) =>
      [...new Set(tasks.map(statesOf))].map((block) => `${block}/${bandOf(host)}`)
    ),
  );
  const packed = await readRows<Uint8Array>(kv, taskId, "states", names);
  const states = new Map([...packed].map(([name, bytes]) => [name, inflateRawSync(bytes)]));
  return (task, host) =>
    states.get(`${statesOf(task)}/${bandOf(host)}`)?.[statePlace(task, host)] ?? 0;
}

/** Values by their numbers, of which only the chunks are read that hold them. */
async function readChunked<T>(kv: Deno.Kv, taskId: number, kind: string, numbers: number[]) {
  const found = new Map<number, T>();
  for (const n of new Set(numbers)) {
    if (n === 0 || found.has(n)) continue;
    const selector = {
      prefix: rowKeys.taskResultRow(taskId, kind),
      end: rowKeys.taskResultRow(taskId, kind, n + 1),
    };
    for await (const { key, value } of kv.list<Uint8Array>(selector, { reverse: true, limit: 1 })) {
      const first = key.at(-1) as number;
      unpacked<T[]>(value).forEach((item, at) => found.set(first + at, item));
    }
  }
  return found;
}

export const readTexts = (kv: Deno.Kv, taskId: number, numbers: number[]) =>
  readChunked<ResultText>(kv, taskId, "texts", numbers);
export const readDiffs = (kv: Deno.Kv, taskId: number, numbers: number[]) =>
  readChunked<string>(kv, taskId, "diffs", numbers);
