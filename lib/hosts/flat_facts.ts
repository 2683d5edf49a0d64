import { byteLength } from "../base/fields.ts";
import { hasMembers, scalarText } from "../base/text/exact_json.ts";

/** A fact by its full name, such as `ansible_default_ipv4.address`. */
export interface Fact {
  name: string;
  text: string;
}

/** A fact that has changed since the task before. */
export interface FactChange {
  name: string;
  change: "added" | "removed" | "changed";
  before: string | null;
  after: string | null;
}

type Values = Record<string, unknown>;

/** Members that identify items of a list, wherever they are in it. */
const NAMES = ["mount", "name", "device", "id"];

/** Returns all facts in their order. A list of texts is one fact. */
export function flatFacts(facts: Values): Fact[] {
  const found: Fact[] = [];
  const walk = (value: unknown, name: string) => {
    const isList = Array.isArray(value);
    if (!hasMembers(value) || isList && value.every(isPlain)) {
      const items = isList ? value : [value];
      found.push({ name, text: items.map((item) => scalarText(item ?? "")).join(", ") });
    } else if (isList) {
      value.forEach((item, n) => walk(item, `${name}[${nameOf(item) ?? n}]`));
    } else {
      for (const [part, its] of Object.entries(value)) {
        walk(its, name === "" ? part : `${name}.${part}`);
      }
    }
  };
  walk(facts, "");
  return found;
}

const isPlain = (value: unknown): boolean => !hasMembers(value);

function nameOf(item: unknown): string | null {
  if (!hasMembers(item)) return null;
  const name = NAMES.map((key) => (item as Values)[key]).find((its) => typeof its === "string");
  return name ? name as string : null;
}

/** Facts whose values change all the time, which says nothing about a change of the host. */
const RESTLESS = [
  /^(ansible_)?(date_time|uptime_seconds|memfree_mb|swapfree_mb|memory_mb|loadavg)\b/,
  /\.(block|inode)_(available|used)$/,
  /\.size_available$/,
];
const isRestless = (name: string): boolean => RESTLESS.some((pattern) => pattern.test(name));

/** Maximum number of bytes of all changes together, which are one row even if they are random. */
const CHANGES_BYTES_MAX = 48 * 1024;
/** Maximum number of characters of one side of a change. */
const SIDE_MAX = 500;

/**
 * Returns the facts that were added, removed or changed, as far as both tasks gathered them. A
 * different `gather_subset`, or a facts module that only one task used, is not a change of the
 * host.
 */
export function factChanges(before: Values, after: Values): FactChange[] {
  const sameSubset = JSON.stringify(before.gather_subset) === JSON.stringify(after.gather_subset);
  const isOfBoth = (name: string) => {
    const [top] = /^[^.[]*/.exec(name)!;
    return Object.hasOwn(before, top) && Object.hasOwn(after, top) ||
      sameSubset && top.startsWith("ansible_");
  };
  const [old, now] = [before, after].map((facts) =>
    new Map(flatFacts(facts).map(({ name, text }) => [name, text]))
  );
  const changes: FactChange[] = [];
  let bytes = 0;
  for (const name of new Set([...now.keys(), ...old.keys()])) {
    const [from = null, to = null] = [old.get(name), now.get(name)];
    if (isAlike(from, to) || isRestless(name) || !isOfBoth(name)) continue;
    const change = from === null ? "added" : to === null ? "removed" : "changed";
    const told: FactChange = { name, change, before: cut(from), after: cut(to) };
    bytes += byteLength(JSON.stringify(told));
    if (bytes > CHANGES_BYTES_MAX) break;
    changes.push(told);
  }
  return changes;
}

/** Compares lists without their order, because some have another order each time. */
const isAlike = (a: string | null, b: string | null): boolean =>
  a === b || a !== null && b !== null && sorted(a) === sorted(b);
const sorted = (list: string) => list.split(", ").toSorted().join(", ");

const cut = (text: string | null): string | null =>
  text !== null && text.length > SIDE_MAX ? `${text.slice(0, SIDE_MAX)}…` : text;
