import { cutText } from "../../base/text/cut_text.ts";
import { valueBytes } from "../limits.ts";

/** Texts of at most this many bytes are never cut, so that ids and times stay. */
const TEXT_BYTES_MIN = 64;

/**
 * Returns a value that takes at most `bytesMax` in the store. If it is too large, its longest texts
 * are cut. The number of its members must be limited elsewhere.
 */
export function fitRow<T>(value: T, bytesMax: number): T {
  let row = value;
  for (
    let max = Math.floor(bytesMax / 4);
    valueBytes(row) > bytesMax && max >= TEXT_BYTES_MIN;
    max = Math.floor(max / 2)
  ) row = cutTexts(value, max) as T;
  return row;
}

function cutTexts(value: unknown, bytesMax: number): unknown {
  if (typeof value === "string") return cutText(value, bytesMax);
  if (Array.isArray(value)) return value.map((one) => cutTexts(one, bytesMax));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, cutTexts(member, bytesMax)]),
  );
}
