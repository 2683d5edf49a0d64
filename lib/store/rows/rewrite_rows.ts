import type { Atomic, Store } from "../store.ts";
import { FULL } from "./write_all.ts";

/** Progress of a change of many rows, and the position where it resumes after an interruption. */
export interface Course {
  /** Last row that an earlier start has changed; null for none. */
  readonly after: Deno.KvKey | null;
  /** Records in `op` that all rows up to `key` are changed after this commit. */
  reach(op: Atomic, key: Deno.KvKey): void;
  /** Counts rows. Throws if the change must stop, so no work may be half done at the call. */
  count(rows: number): void;
}

interface Rows {
  prefix: Deno.KvKey;
  /** Maximum number of rows in a commit, which may be full earlier. */
  perCommit: number;
}

/**
 * Adds the operations of `change` for each row to commits of at most `perCommit` rows. `change`
 * must be idempotent.
 */
export async function rewriteRows<Row>(
  kv: Store,
  { prefix, perCommit }: Rows,
  course: Course,
  change: (op: Atomic, entry: Deno.KvEntry<Row>) => void,
): Promise<void> {
  const selector = course.after ? { prefix, start: course.after } : { prefix };
  let op = kv.atomic();
  let rows = 0;
  for await (const entry of kv.list<Row>(selector, { batchSize: 500 })) {
    change(op, entry);
    if (++rows < perCommit && op.used < FULL) continue;
    course.reach(op, entry.key);
    await op.commit();
    course.count(rows);
    [op, rows] = [kv.atomic(), 0];
  }
  await op.commit();
  course.count(rows);
}
