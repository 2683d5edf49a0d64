import { hasMembers, isExactNumber, scalarText } from "../../../base/text/exact_json.ts";
import type { FullResult, ShortenedPart } from "../../run/full_result.ts";

/** Masks a text. A text in a list is the beginning of a longer one. */
type Plain = (text: string | [string]) => string;

/** Key of a part that the callback has cut, with its full length. */
const CUT = "_callboard_cut";
/** Deeper than anything that the callback sends. */
const DEPTH_MAX = 40;

/**
 * Returns a value of the callback with each text, name and number masked on its own. If the JSON
 * were masked as one text, a secret might hide in its escapes. Returns null if the value is longer
 * than `lengthMax` as JSON.
 */
export function plainTree(
  sent: Record<string, unknown>,
  plain: Plain,
  lengthMax: number,
): FullResult | null {
  const shortened: ShortenedPart[] = [];
  const path: ShortenedPart["path"] = [];
  let parts = 0;

  function partOf(value: unknown, depth: number): unknown {
    parts++;
    if (parts > lengthMax) throw new TooManyParts();
    if (typeof value === "string") return plain(value);
    if (typeof value === "number" || isExactNumber(value)) return plainNumber(value, plain);
    if (!hasMembers(value)) return value;
    if (depth > DEPTH_MAX) return "…";
    const cut = cutPart(value);
    if (!cut) return membersOf(value, depth + 1);
    shortened.push({ path: [...path], length: cut.length });
    const { beginning } = cut;
    return typeof beginning === "string" ? plain([beginning]) : partOf(beginning, depth + 1);
  }

  function membersOf(value: object, depth: number): unknown {
    if (Array.isArray(value)) return value.map((its, n) => at(n, its, depth));
    const members = Object.entries(value).map(([name, its]) => {
      const shown = plain(name);
      return [shown, at(shown, its, depth)];
    });
    return Object.fromEntries(members);
  }

  function at(key: string | number, value: unknown, depth: number): unknown {
    path.push(key);
    const part = partOf(value, depth);
    path.pop();
    return part;
  }

  try {
    const value = membersOf(sent, 0) as FullResult["value"];
    const isShort = JSON.stringify({ value, shortened }).length <= lengthMax;
    return isShort ? { value, shortened } : null;
  } catch (error) {
    if (error instanceof TooManyParts) return null;
    throw error;
  }
}

/**
 * A run's own processes may send anything, so reading stops once the value is too large to store.
 */
class TooManyParts extends Error {}

/** A secret may be a number. */
function plainNumber(value: unknown, plain: Plain): unknown {
  const text = scalarText(value);
  const masked = plain(text);
  return masked === text ? value : masked;
}

function cutPart(value: object): { beginning: unknown; length: number } | null {
  const part = Object.entries(value).find(([name]) => name === CUT)?.[1];
  if (!Array.isArray(part)) return null;
  const [beginning, length] = part as unknown[];
  const isCut = ["string", "object"].includes(typeof beginning) && Number.isSafeInteger(length);
  return isCut ? { beginning, length: length as number } : null;
}
