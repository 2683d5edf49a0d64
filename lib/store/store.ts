import type { FileVersion } from "./file/file_version.ts";
import { exactBytes, keyBytes, LIMITS, requireLimit, valueBytes } from "./limits.ts";
import { createMemory, type Memory } from "./memory.ts";
import { patiently } from "./file/patience.ts";
import { gatherReads } from "./rows/gather_reads.ts";
import { lengthen, lengthenAll, shortForm } from "./rows/short_rows.ts";

/** A commit that is being put together. It measures what it is given at once. */
export interface Atomic {
  /** Throws StoreLimitError for one check too many. */
  check(...entries: Deno.AtomicCheck[]): Atomic;
  /** Throws StoreLimitError for a key or value that is too large, or a commit that becomes so. */
  set(key: Deno.KvKey, value: unknown, options?: { expireIn?: number }): Atomic;
  /** Throws as `set` does. */
  delete(key: Deno.KvKey): Atomic;
  /** Adds to a 64-bit number. Throws as `set` does. */
  sum(key: Deno.KvKey, n: bigint): Atomic;
  commit(): Promise<Deno.KvCommitResult | Deno.KvCommitError>;
  /** Part of the limits that it has used, from 0 to 1. Long lists take several commits. */
  readonly used: number;
}

type Calls = Pick<
  Deno.Kv,
  "get" | "getMany" | "list" | "set" | "delete" | "watch" | "close" | "commitVersionstamp"
>;

/** The database. Nothing else reaches Deno KV. */
export interface Store extends Calls, Disposable {
  atomic(): Atomic;
  /**
   * Returns a number that differs after each commit, whoever made it. Returns null where only a
   * read can tell whether there was one, as with a KV Connect service.
   */
  version(): number | null;
  /** State of this process beside the rows. It ends with the store. */
  readonly memory: Memory;
}

/** Called with each single read and each write, before it begins. Returns what to call after it. */
export type WatchCalls = (operation: "read" | "write") => (error?: unknown) => void;

/**
 * Creates the store of an open database. Calls pass these layers, in this order:
 *
 * 1. Metrics see what the caller waits for, with all that follows.
 * 2. Rows are brought into their short form, and back. So limits apply to what is stored.
 * 3. Limits are checked when a row is added to a commit, so that the stack names who made it.
 * 4. Reads that begin together share a call.
 * 5. Commits are repeated while another process writes. A full disk is noted.
 */
export function createStore(
  kv: Deno.Kv,
  watchCalls?: WatchCalls,
  fileVersion: FileVersion | null = null,
): Store {
  const memory = createMemory();
  const gathered = gatherReads(kv);

  async function seen<T>(operation: "read" | "write", call: () => Promise<T>): Promise<T> {
    const ended = watchCalls?.(operation);
    try {
      const result = await call();
      ended?.();
      return result;
    } catch (error) {
      ended?.(error);
      throw error;
    }
  }

  const write = <T>(call: () => Promise<T>): Promise<T> =>
    watchCalls ? seen("write", () => patiently(memory, call)) : patiently(memory, call);
  const read = <T>(call: () => Promise<T>): Promise<T> => watchCalls ? seen("read", call) : call();

  function close(): void {
    fileVersion?.close();
    kv.close();
  }

  return {
    memory,
    version: () => fileVersion && fileVersion.read(),
    get:
      (async (key: Deno.KvKey) => lengthen(await read(() => gathered.get(key)))) as Deno.Kv["get"],
    getMany:
      (async (keys: readonly Deno.KvKey[]) =>
        (await read(() => gathered.getMany(keys))).map(lengthen)) as Deno.Kv["getMany"],
    list:
      ((selector, options) => lengthenAll(selector, kv.list(selector, options))) as Deno.Kv["list"],
    set(key, value, options) {
      const row = shortForm(key, value);
      requireLimit(key, "keyBytes", keyBytes(key));
      requireLimit(key, "valueBytes", valueBytes(row));
      return write(() => kv.set(key, row, options));
    },
    delete: (key) => write(() => kv.delete(key)),
    atomic: () => createAtomic(kv.atomic(), write),
    watch: kv.watch.bind(kv),
    commitVersionstamp: () => kv.commitVersionstamp(),
    close,
    [Symbol.dispose]: close,
  };
}

const SIZES = ["checks", "mutations", "commitBytes", "commitKeyBytes"] as const;
type CommitSize = Record<typeof SIZES[number], number>;

function createAtomic(
  op: Deno.AtomicOperation,
  write: <T>(call: () => Promise<T>) => Promise<T>,
): Atomic {
  let size: CommitSize = { checks: 0, mutations: 0, commitBytes: 0, commitKeyBytes: 0 };
  /** Values whose bytes are estimated, and so perhaps too high. */
  let estimated: unknown[] = [];

  /** Throws StoreLimitError if this would be too much, and adds nothing then. */
  function add(key: Deno.KvKey, part: Partial<CommitSize>, value?: unknown): void {
    const bytes = keyBytes(key);
    requireLimit(key, "keyBytes", bytes);
    const next = {
      checks: size.checks + (part.checks ?? 0),
      mutations: size.mutations + (part.mutations ?? 0),
      commitBytes: size.commitBytes + bytes + (part.commitBytes ?? 0),
      commitKeyBytes: size.commitKeyBytes + bytes,
    };
    if (value !== undefined && !(value instanceof Uint8Array)) estimated.push(value);
    if (next.commitBytes > LIMITS.commitBytes) {
      // Measuring exactly is slow.
      for (const one of estimated) next.commitBytes += exactBytes(one) - valueBytes(one);
      estimated = [];
    }
    for (const limit of SIZES) requireLimit(key, limit, next[limit]);
    size = next;
  }

  const atomic: Atomic = {
    check(...entries) {
      for (const { key } of entries) add(key, { checks: 1 });
      op.check(...entries);
      return atomic;
    },
    set(key, value, options) {
      const row = shortForm(key, value);
      const bytes = valueBytes(row);
      requireLimit(key, "valueBytes", bytes);
      add(key, { mutations: 1, commitBytes: bytes }, row);
      op.set(key, row, options);
      return atomic;
    },
    delete(key) {
      add(key, { mutations: 1 });
      op.delete(key);
      return atomic;
    },
    sum(key, n) {
      add(key, { mutations: 1, commitBytes: 8 });
      op.sum(key, n);
      return atomic;
    },
    commit: () => write(() => op.commit()),
    get used() {
      return Math.max(...SIZES.map((limit) => size[limit] / LIMITS[limit]));
    },
  };
  return atomic;
}
