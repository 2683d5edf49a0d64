import { serialize } from "node:v8";
import process from "node:process";

/** Calls of a store, and what they carried. */
export interface StoreCost {
  /** Calls that read rows: a get, or up to 500 rows of a list. */
  reads: number;
  commits: number;
  /** Rows that commits set or deleted. */
  changes: number;
  /** Bytes of the values that were set. */
  bytes: number;
  /** Milliseconds of processor time of this process, in all threads. */
  cpu: number;
}

/** Rows of one call of a list. */
const LIST_ROWS = 500;

/**
 * Counts the calls of the latest store that is opened from now on, below what `openStore` adds.
 * Returns a function that says what there was so far.
 */
export function countOpened(): () => StoreCost {
  let spent = () => storeCost(() => 0);
  const open = Deno.openKv;
  const value: typeof open = async (...args) => {
    const kv = await open(...args);
    spent = countStore(kv);
    return kv;
  };
  Object.defineProperty(Deno, "openKv", { value, configurable: true });
  return () => spent();
}

function countStore(kv: Deno.Kv): () => StoreCost {
  const cost = { reads: 0, commits: 0, changes: 0, bytes: 0 };
  const change = (value?: unknown) => {
    cost.changes++;
    if (value !== undefined) cost.bytes += serialize(value).length;
  };
  const { get, getMany, list, atomic, set } = {
    get: kv.get.bind(kv),
    getMany: kv.getMany.bind(kv),
    list: kv.list.bind(kv),
    atomic: kv.atomic.bind(kv),
    set: kv.set.bind(kv),
  };
  kv.get = ((...args: Parameters<typeof get>) => (cost.reads++, get(...args))) as typeof kv.get;
  kv.getMany = ((...args: Parameters<typeof getMany>) => {
    cost.reads++;
    return getMany(...args);
  }) as typeof kv.getMany;
  kv.list = ((...args: Parameters<typeof list>) => {
    const rows = list(...args);
    const next = rows.next.bind(rows);
    let count = 0;
    rows.next = () => {
      if (count++ % LIST_ROWS === 0) cost.reads++;
      return next();
    };
    return rows;
  }) as typeof kv.list;
  kv.set = (key, value, options) => {
    cost.commits++;
    change(value);
    return set(key, value, options);
  };
  kv.atomic = () => {
    const op = atomic();
    const plain = { set: op.set.bind(op), delete: op.delete.bind(op), commit: op.commit.bind(op) };
    op.set = (key, value, options) => (change(value), plain.set(key, value, options));
    op.delete = (key) => (change(), plain.delete(key));
    op.commit = () => (cost.commits++, plain.commit());
    return op;
  };
  const used = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const before = used();
  return () => ({ ...cost, cpu: used() - before });
}

/** Returns a cost whose members are computed one by one. */
export const storeCost = (compute: (name: keyof StoreCost) => number): StoreCost => ({
  reads: compute("reads"),
  commits: compute("commits"),
  changes: compute("changes"),
  bytes: compute("bytes"),
  cpu: compute("cpu"),
});

/** Returns the part of a cost that each of `count` things has, above what there was `before`. */
export const costOfEach = (count: number, before: StoreCost, after: StoreCost): StoreCost =>
  storeCost((name) => (after[name] - before[name]) / count);

/** Measures `work` in a store, for each of `count` things. */
export const measuring =
  (spent: () => StoreCost) =>
  async (count: number, work: () => Promise<unknown>): Promise<StoreCost> => {
    const before = spent();
    await work();
    return costOfEach(count, before, spent());
  };
