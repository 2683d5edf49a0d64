import { computed, signal } from "@preact/signals";

/** Server-rendered JSX among an island's props, until the document's nodes take its place. */
export class SlotRef {
  constructor(readonly id: number) {}
}

// deno-lint-ignore no-explicit-any
type Value = any;

/** Reads what `stringify` wrote. */
export function parse(text: string): unknown {
  const table: Value[] = JSON.parse(text);
  const known = new Map<number, unknown>();

  const get = (index: number): unknown => {
    if (known.has(index)) return known.get(index);
    const entry = table[index];
    if (typeof entry !== "object" || entry === null) return entry;
    // What may hold itself is known before it is filled.
    const empty = Array.isArray(entry) ? new Array(entry.length) : EMPTY[entry.kind]?.();
    if (empty !== undefined) known.set(index, empty);
    const value = Array.isArray(entry)
      ? fillArray(empty as unknown[], entry)
      : decode(entry.kind, entry.value, empty);
    known.set(index, value);
    return value;
  };

  const fillArray = (array: unknown[], indexes: number[]) => {
    indexes.forEach((item, i) => item >= 0 && (array[i] = get(item)));
    return array;
  };

  const decode = (kind: string, value: Value, empty: Value): unknown => {
    switch (kind) {
      case "undefined":
        return undefined;
      case "number":
        return Number(value);
      case "bigint":
        return BigInt(value);
      case "date":
        return new Date(value ?? NaN);
      case "url":
        return new URL(value);
      case "regexp":
        return new RegExp(value[0], value[1]);
      case "bytes":
        return Uint8Array.from(atob(value), (char) => char.charCodeAt(0));
      case "slot":
        return new SlotRef(value);
      case "signal":
        empty.value = get(value);
        return empty;
      case "computed":
        return computed(() => get(value));
      case "set":
        for (const item of value) empty.add(get(item));
        return empty;
      case "map":
        for (const [key, item] of value) empty.set(get(key), get(item));
        return empty;
      case "object":
        for (const [key, item] of value) empty[key] = get(item);
        return empty;
      default:
        return (globalThis as Value).Temporal[kind.slice("Temporal.".length)].from(value);
    }
  };

  return get(0);
}

const EMPTY: Record<string, (() => unknown) | undefined> = {
  object: () => ({}),
  set: () => new Set(),
  map: () => new Map(),
  signal: () => signal(),
};
