/** Mutations a commit, well below the limit: so that other commits get their turn. */
const COMMIT_ROWS_MAX = 500;

/** Deletes all rows below `prefix`, however many there are; with `end`, those before that key. */
export async function deletePrefix(
  kv: Deno.Kv,
  prefix: Deno.KvKey,
  end?: Deno.KvKey,
): Promise<void> {
  const selector = end ? { prefix, end } : { prefix };
  let op = kv.atomic();
  let rows = 0;
  for await (const { key } of kv.list(selector, { batchSize: COMMIT_ROWS_MAX })) {
    op.delete(key);
    if (++rows % COMMIT_ROWS_MAX > 0) continue;
    await op.commit();
    op = kv.atomic();
  }
  await op.commit();
}
