import { deflateRawSync, inflateRawSync } from "node:zlib";
import { BAND, type Cell, STATES, statusCode, statusOfCode } from "./rows.ts";

/** A cell as numbers, without trailing zeros. */
export type PackedCell = number[];

export function packCell(cell: Cell): PackedCell {
  const flags = (cell.hidden ? 1 : 0) + (cell.changed ? 2 : 0) + (cell.unchecked ? 4 : 0) +
    (cell.full ? 8 : 0) + (cell.carried_out ? 16 : 0);
  const numbers = [
    statusCode(cell.status),
    cell.began,
    cell.ms,
    cell.line ?? 0,
    (cell.last_line ?? 0) - (cell.line ?? 0),
    flags,
    cell.text,
    cell.diff,
    cell.diff_size,
    ...(cell.items ?? []),
  ];
  while (numbers.at(-1) === 0 && numbers.length > 1 && !cell.items) numbers.pop();
  // Appended after all optional numbers, which are fewer in most cells.
  if (cell.full) numbers.push(cell.full);
  return numbers;
}

export function unpackCell(stored: PackedCell): Cell {
  const hasFull = ((stored[5] ?? 0) & 8) > 0;
  const packed = hasFull ? stored.slice(0, -1) : stored;
  const [code, began = 0, ms = 0, line = 0, more = 0, flags = 0, text = 0, diff = 0, size = 0] =
    packed;
  return {
    status: statusOfCode(code) ?? "ok",
    began,
    ms,
    line: line || null,
    last_line: line === 0 ? null : line + more,
    hidden: (flags & 1) > 0,
    changed: (flags & 2) > 0,
    unchecked: (flags & 4) > 0,
    carried_out: (flags & 16) > 0,
    items: packed.length > 9 ? packed.slice(9, 13) as Cell["items"] : null,
    text,
    diff,
    diff_size: size,
    full: hasFull ? stored.at(-1)! : 0,
  };
}

/** Compresses the states of one row, a byte each. */
export const packedStates = (states: Uint8Array): Uint8Array =>
  new Uint8Array(deflateRawSync(states));

/** Returns the states of one row; empty if the bytes do not hold them. */
export function unpackedStates(bytes: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(bytes, { maxOutputLength: STATES * BAND });
  } catch {
    return new Uint8Array();
  }
}
