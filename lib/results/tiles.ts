import { deflateRawSync } from "node:zlib";
import type { Row } from "./bands.ts";
import { packCell, packed, type PackedCell, unpacked } from "./packing.ts";
import {
  BAND,
  bandOf,
  type Cell,
  cellPlace,
  statePlace,
  STATES,
  statesOf,
  statusCode,
} from "./rows.ts";

/** A row of cells: those that are worked on as numbers, the others packed, as they are stored. */
interface Tile {
  cells: (PackedCell | 0)[] | null;
  packed: Uint8Array | null;
}

/** The cells of play tasks x hosts, and their states alone. */
export function tiles() {
  const all = new Map<string, Tile>();
  const states = new Map<string, Uint8Array>();
  const [changedTiles, changedStates] = [new Set<string>(), new Set<string>()];
  const keyOf = (a: number, b: number) => `${a}/${b}`;
  const numbersOf = (key: string) => key.split("/").map(Number) as [number, number];

  function cellsAt(key: string): (PackedCell | 0)[] {
    let tile = all.get(key);
    if (!tile) all.set(key, tile = { cells: new Array(BAND * BAND).fill(0), packed: null });
    return tile.cells ??= unpacked<(PackedCell | 0)[]>(tile.packed!);
  }

  function takeTiles(): Row[] {
    const rows = [...changedTiles].map((key): Row => {
      const tile = all.get(key)!;
      const value = tile.packed = packed(tile.cells);
      return { at: ["cells", ...numbersOf(key)], value, bytes: value.length };
    });
    for (const [key, tile] of all) if (!changedTiles.has(key)) tile.cells = null;
    changedTiles.clear();
    return rows;
  }

  function takeStates(): Row[] {
    const rows = [...changedStates].map((key): Row => {
      const value = new Uint8Array(deflateRawSync(states.get(key)!));
      return { at: ["states", ...numbersOf(key)], value, bytes: value.length };
    });
    changedStates.clear();
    return rows;
  }

  return {
    has: (task: number, host: number): boolean =>
      (states.get(keyOf(statesOf(task), bandOf(host)))?.[statePlace(task, host)] ?? 0) > 0,
    set(task: number, host: number, cell: Cell): void {
      const key = keyOf(bandOf(task), bandOf(host));
      cellsAt(key)[cellPlace(task, host)] = packCell(cell);
      changedTiles.add(key);
      const stateKey = keyOf(statesOf(task), bandOf(host));
      let its = states.get(stateKey);
      if (!its) states.set(stateKey, its = new Uint8Array(STATES * BAND));
      its[statePlace(task, host)] = statusCode(cell.status);
      changedStates.add(stateKey);
    },
    rows: (): Row[] => [...takeTiles(), ...takeStates()],
  };
}
