import { deflateRawSync, inflateRawSync } from "node:zlib";
import { type Cell, statusCode, statusOfCode } from "./rows.ts";

/** A cell as numbers, without the zeros at its end. */
export type PackedCell = number[];

export function packCell(cell: Cell): PackedCell {
  const flags = (cell.hidden ? 1 : 0) + (cell.changed ? 2 : 0) + (cell.unchecked ? 4 : 0);
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
  return numbers;
}

export function unpackCell(packed: PackedCell): Cell {
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
    items: packed.length > 9 ? packed.slice(9, 13) as Cell["items"] : null,
    text,
    diff,
    diff_size: size,
  };
}

/** Bytes of anything that JSON can hold, much shorter than that. */
export const packed = (value: unknown): Uint8Array =>
  deflateRawSync(encoder.encode(JSON.stringify(value)));
export const unpacked = <T>(bytes: Uint8Array): T =>
  JSON.parse(decoder.decode(inflateRawSync(bytes))) as T;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
