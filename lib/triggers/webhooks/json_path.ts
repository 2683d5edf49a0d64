/** A number that JavaScript may not represent exactly, with its digits as they were sent. */
interface RawNumber {
  rawJSON: string;
}

/** Parts of JSON that TypeScript's library does not know yet. */
const json = JSON as typeof JSON & {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
};

/** Parses JSON, and keeps all digits of long numbers. Returns undefined for invalid JSON. */
export function parseExact(text: string): unknown {
  const keepDigits = (_: string, value: unknown, context?: { source?: string }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && context?.source
      ? json.rawJSON(context.source)
      : value;
  try {
    return JSON.parse(text, keepDigits);
  } catch {
    return undefined; // invalid, or nested deeper than any program writes
  }
}

/**
 * Returns the value at `path` as text. A path consists of names separated by dots, and numbers,
 * with or without brackets, for the items of arrays: "commits.[0].author.name". Undefined if there
 * is none.
 */
export function valueAtPath(value: unknown, path: string): string | undefined {
  let found = value;
  for (const step of path.replaceAll(/\.?\[(\d+)\]/g, ".$1").replace(/^\./, "").split(".")) {
    if (typeof found !== "object" || found === null || json.isRawJSON(found)) return undefined;
    // Only members that were sent: never an array's length, nor anything inherited.
    if (Array.isArray(found) ? !/^\d+$/.test(step) : !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string, unknown>)[step];
  }
  return found === undefined ? undefined : textOf(found);
}

const plain = new Intl.NumberFormat("en", { useGrouping: false, maximumFractionDigits: 100 });

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (!json.isRawJSON(value)) return JSON.stringify(value);
  const { rawJSON } = value;
  // 1.0 becomes 1, and 1e-7 becomes 0.0000001, but 12345678901234567890 must keep all its digits.
  if (/^-?\d+$/.test(rawJSON)) return rawJSON;
  const number = Number(rawJSON);
  return Number.isFinite(number) ? plain.format(number) : rawJSON;
}
