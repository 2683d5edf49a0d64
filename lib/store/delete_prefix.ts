/** Mutations per commit, well below the limit, so that other commits get a turn. */
const COMMIT_ROWS_MAX = 500;

/**
 * Deletes all rows below `prefix`, however many there are; with `end`, only those before that key.
 */
export const deletePrefix = (
  kv: Deno.Kv,
  prefix: Deno.KvKey,
  end?: Deno.KvKey,
): Promise<void> => deleteFound(kv, [end ? { prefix, end } : { prefix }]);

/** Deletes all rows that the selectors find and then `last`, in as few commits as possible. */
export async function deleteFound(
  kv: Deno.Kv,
  selectors: Deno.KvListSelector[],
  last: Deno.KvKey[] = [],
): Promise<void> {
  let op = kv.atomic();
  let rows = 0;
  const remove = async (key: Deno.KvKey) => {
    op.delete(key);
    if (++rows % COMMIT_ROWS_MAX > 0) return;
    await op.commit();
    op = kv.atomic();
  };
  for (const selector of selectors) {
    for await (const { key } of kv.list(selector, { batchSize: COMMIT_ROWS_MAX })) {
      await remove(key);
    }
  }
  for (const key of last) await remove(key);
  if (rows % COMMIT_ROWS_MAX > 0) await op.commit();
}
