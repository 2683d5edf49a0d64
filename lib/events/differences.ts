import { RULED_ACTIONS } from "../model/access_rule.ts";

/** An object that a field refers to, with the name that it had at the time of the event. */
interface Named {
  id: number;
  name: string;
}

type Scalar = string | number | boolean;
/** Value of a field as an event keeps it; null for an empty one. */
export type Value = Scalar | Named | (Scalar | Named)[] | null;

/** Old and new value of a field. The values of a secret are never kept. */
type Change = [Value, Value] | "changed";

/** Changes by the names of fields. Those of members are joined with dots: `steps.Deploy.name`. */
export type Changes = Record<string, Change>;

interface FoundChanges {
  changes: Changes;
  /** Number of changed fields that there was no room for. */
  left: number;
}

const FIELDS_MAX = 50;
/** Maximum number of characters of a value. */
const TEXT_MAX = 500;
/** The same for values after the first `BUDGET` characters. An event must fit into a KV value. */
const SHORT_MAX = 40;
const BUDGET = 16_000;
/** Number of characters, with those of names, after which further fields are only counted. */
const KEPT_MAX = 24_000;
/** Number of characters that are kept before the first difference of long texts. */
const CONTEXT = 60;
const DEPTH_MAX = 6;

/** Members of stored rows that no one sets, or that an event has already. */
const NOT_SET = new Set([
  "id",
  "project_id",
  "created",
  "changed_by",
  "empty_runner_tag",
  "version",
  "next_step_id",
  "deleting",
  "second_factor",
]);

/** Names in the API of members that are stored under other names. */
const API_NAMES: Record<string, string> = {
  runner_labels: "runner_tag",
  labels: "tags",
  sealed: "secret",
  url_secret: "git_url.login",
};

/** Names of members whose values are never kept. What is sealed is never kept, either. */
const SECRETS = /^(password|passphrase|private_key|secret|token|\w+_hash)$/;

/**
 * Members that are kept as one list of roles and ids of people. Null stands for everyone and an
 * empty list for no one.
 */
export const AUDIENCES: ReadonlySet<string> = new Set(RULED_ACTIONS);

type Leaf = Scalar | Uint8Array | readonly unknown[];

/**
 * Returns the differences between two rows, or parts of rows. `before` is null for a new object and
 * `after` for a deleted one. A value that is missing equals an empty one, a cleared flag and 0.
 */
export function differencesOf(before: object | null, after: object | null): FoundChanges {
  const [old, now] = [leavesOf(before), leavesOf(after)];
  const changed: [string, Change][] = [];
  let left = 0;
  let kept = 0;
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const change = changeOf(name, old.get(name), now.get(name), kept > BUDGET);
    if (!change) continue;
    if (changed.length === FIELDS_MAX || kept > KEPT_MAX) {
      left++;
      continue;
    }
    changed.push([name, change]);
    kept += name.length + lengthOf(change);
  }
  return { changes: Object.fromEntries(changed), left };
}

const lengthOf = (change: Change): number => JSON.stringify(change).length;

function changeOf(
  name: string,
  old: Leaf | undefined,
  now: Leaf | undefined,
  isShort: boolean,
): Change | null {
  if (isSame(old, now)) return null;
  if (SECRETS.test(lastPart(name)) || isSealed(old) || isSealed(now)) return "changed";
  const max = isShort ? SHORT_MAX : TEXT_MAX;
  const from = typeof old === "string" && typeof now === "string" ? firstDifference(old, now) : 0;
  return [shown(old, from, max), shown(now, from, max)];
}

/** Returns the last part of a field's name: the name of its own member. */
export const lastPart = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

const isSealed = (leaf: unknown) => leaf instanceof Uint8Array;

const isEmpty = (leaf: Leaf | undefined) => leaf === undefined || leaf === false || leaf === 0;

function isSame(old: Leaf | undefined, now: Leaf | undefined): boolean {
  if (isEmpty(old) && isEmpty(now)) return true;
  if (old instanceof Uint8Array && now instanceof Uint8Array) {
    return old.length === now.length && old.every((byte, n) => byte === now[n]);
  }
  return typeof old === "object" && typeof now === "object"
    ? JSON.stringify(old) === JSON.stringify(now)
    : old === now;
}

function firstDifference(old: string, now: string): number {
  let at = 0;
  while (at < old.length && old[at] === now[at]) at++;
  return at;
}

/** Returns what is kept of a value. A long text is cut around its first difference. */
function shown(leaf: Leaf | undefined, from: number, max: number): Value {
  if (leaf === undefined) return null;
  if (typeof leaf === "string") return cut(leaf, from, max);
  if (typeof leaf !== "object") return leaf;
  const items = (leaf as unknown[]).map((item) => scalarOf(item, max));
  let room = max;
  const fitting = items.filter((item) => (room -= String(item).length + 1) >= 0);
  return fitting.length < items.length ? [...fitting, "…"] : fitting;
}

const scalarOf = (item: unknown, max: number): Scalar =>
  typeof item === "number" || typeof item === "boolean"
    ? item
    : cut(typeof item === "string" ? item : JSON.stringify(item) ?? "", 0, max);

function cut(text: string, from: number, max: number): string {
  if (text.length <= max) return text.toWellFormed();
  const start = from + CONTEXT <= max ? 0 : Math.min(from - CONTEXT, text.length);
  const end = start + max;
  const part = text.slice(start, end).toWellFormed();
  return `${start > 0 ? "…" : ""}${part}${end < text.length ? "…" : ""}`;
}

/** Returns the values in an object that are not objects themselves, by their names. */
function leavesOf(row: object | null): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  for (const [name, value] of Object.entries(row ?? {})) {
    if (AUDIENCES.has(name) && value) leaves.set(name, [...value.roles, ...value.user_ids]);
    else if (!NOT_SET.has(name)) addLeaves(leaves, nameOf(name), value, 1);
  }
  return leaves;
}

const nameOf = (member: string) =>
  Object.hasOwn(API_NAMES, member) ? API_NAMES[member] : member.slice(0, 100);

function addLeaves(leaves: Map<string, Leaf>, name: string, value: unknown, depth: number): void {
  if (value === null || value === undefined || value === "") return;
  if (typeof value !== "object") {
    leaves.set(name, value as Scalar);
  } else if (value instanceof Uint8Array) {
    leaves.set(name, value);
  } else if (depth > DEPTH_MAX) {
    leaves.set(name, JSON.stringify(value));
  } else if (!Array.isArray(value)) {
    for (const [member, one] of Object.entries(value)) {
      addLeaves(leaves, `${name}.${nameOf(member)}`, one, depth + 1);
    }
  } else if (value.length > 0) {
    addItems(leaves, name, value, depth);
  }
}

/** Adds a list, and each of its objects by its name or its position. */
function addItems(leaves: Map<string, Leaf>, name: string, items: unknown[], depth: number): void {
  if (!items.every((item) => typeof item === "object" && item !== null)) {
    leaves.set(name, items);
    return;
  }
  const names = items.map((item) => (item as { name?: unknown }).name);
  const isNamed = names.every((one) => typeof one === "string" && one !== "") &&
    new Set(names).size === names.length;
  // Shows what was added and removed, and the order.
  if (isNamed) leaves.set(name, names);
  for (const [n, item] of items.entries()) {
    for (const [member, one] of Object.entries(item as object)) {
      if (member === "id" || isNamed && member === "name") continue;
      const part = isNamed ? String(names[n]).slice(0, 100) : n + 1;
      addLeaves(leaves, `${name}.${part}.${nameOf(member)}`, one, depth + 1);
    }
  }
}
