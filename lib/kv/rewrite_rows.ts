/** How far a change of many rows has come, and where it goes on after it was cut off. */
export interface Course {
  /** The last row that an earlier start has changed; null for none. */
  readonly after: Deno.KvKey | null;
  /** Adds to a commit that with it all rows up to `key` are changed. */
  reach(op: Deno.AtomicOperation, key: Deno.KvKey): void;
  /** Counts rows; throws where the change is to stop. Nothing must be half done then. */
  count(rows: number): void;
}

/** The course of something short, which nobody watches. */
export const unwatched: Course = { after: null, reach() {}, count() {} };

interface Rows {
  prefix: Deno.KvKey;
  perCommit: number;
}

/** Adds what `change` says for each row, `perCommit` rows in a commit. Done twice, it must change nothing. */
export async function rewriteRows<Row>(
  kv: Deno.Kv,
  { prefix, perCommit }: Rows,
  course: Course,
  change: (op: Deno.AtomicOperation, entry: Deno.KvEntry<Row>) => void,
): Promise<void> {
  const selector = course.after ? { prefix, start: course.after } : { prefix };
  let op = kv.atomic();
  let rows = 0;
  for await (const entry of kv.list<Row>(selector, { batchSize: 500 })) {
    change(op, entry);
    if (++rows < perCommit) continue;
    course.reach(op, entry.key);
    await op.commit();
    course.count(rows);
    [op, rows] = [kv.atomic(), 0];
  }
  await op.commit();
  course.count(rows);
}
