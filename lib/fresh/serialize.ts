/**
 * Island props as text. A table of values, which refer to each other by their index: so shared
 * and circular references stay what they are. Primitives stand for themselves, an array is an
 * array of indexes, and all else is an object with its kind.
 */
type Entry = string | number | boolean | null | number[] | { kind: string; value?: unknown };

/** The index of a missing item in an array. */
const HOLE = -1;

interface SignalLike {
  peek(): unknown;
}

/** Writes `data` as text; `toSlotId` knows which objects are server-rendered JSX. */
export function stringify(data: unknown, toSlotId: (value: object) => number | null): string {
  const table: Entry[] = [];
  const indexes = new Map<unknown, number>();

  const add = (value: unknown): number => {
    const known = Object.is(value, -0) ? undefined : indexes.get(value);
    if (known !== undefined) return known;
    const index = table.push(null) - 1;
    if (!Object.is(value, -0)) indexes.set(value, index);
    table[index] = encode(value);
    return index;
  };

  const encode = (value: unknown): Entry => {
    switch (typeof value) {
      case "string":
      case "boolean":
        return value;
      case "number":
        return Number.isFinite(value) && !Object.is(value, -0)
          ? value
          : { kind: "number", value: Object.is(value, -0) ? "-0" : String(value) };
      case "undefined":
        return { kind: "undefined" };
      case "bigint":
        return { kind: "bigint", value: String(value) };
      case "object":
        return value === null ? null : encodeObject(value);
      default:
        throw new Error(`An island's props cannot hold a ${typeof value}.`);
    }
  };

  const encodeObject = (value: object): Entry => {
    const slot = toSlotId(value);
    if (slot !== null) return { kind: "slot", value: slot };
    if (isSignal(value)) {
      return { kind: isComputed(value) ? "computed" : "signal", value: add(value.peek()) };
    }
    if (Array.isArray(value)) {
      return Array.from(value, (item, i) => i in value ? add(item) : HOLE);
    }
    if (value instanceof Date) return { kind: "date", value: value.getTime() };
    if (value instanceof URL) return { kind: "url", value: value.href };
    if (value instanceof RegExp) return { kind: "regexp", value: [value.source, value.flags] };
    if (value instanceof Uint8Array) return { kind: "bytes", value: value.toBase64() };
    if (value instanceof Set) return { kind: "set", value: Array.from(value, add) };
    if (value instanceof Map) {
      return { kind: "map", value: Array.from(value, ([key, item]) => [add(key), add(item)]) };
    }
    const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
    if (tag.startsWith("Temporal.")) return { kind: tag, value: String(value) };
    const entries = Object.entries(value).map(([key, item]) => [key, add(item)]);
    return { kind: "object", value: entries };
  };

  add(data);
  return JSON.stringify(table);
}

/** Signals also pass for elements, since they may stand in JSX. */
export function isSignal(value: object): value is SignalLike {
  return "peek" in value && typeof value.peek === "function" && "value" in value;
}

/** A computed signal keeps its function, under a name that depends on whether it is minified. */
function isComputed(value: object): boolean {
  const { x, _fn } = value as { x?: unknown; _fn?: unknown };
  return typeof x === "function" || typeof _fn === "function";
}
