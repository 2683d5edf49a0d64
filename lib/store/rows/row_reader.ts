import { notFound } from "../../base/errors.ts";
import { getAll } from "./get_all.ts";
import { type ResourceKind, rowKeys } from "../keys.ts";
import { type LongFields, type ResourceRow, type Stored, withTexts } from "./long_texts.ts";
import { OVERTAKEN, retryOvertaken } from "../transact.ts";
import type { Store } from "../store.ts";

/** Limit for lists, higher than the number of rows in any project. */
const LIST_MAX = 10_000;
/** Reads of a row whose long texts are replaced at the same time. */
const ATTEMPTS_MAX = 8;

export type RowReader<Row extends ResourceRow> = ReturnType<typeof rowReader<Row>>;

/** Creates a reader for rows of one kind, each found by project and id together. */
export function rowReader<Row extends ResourceRow>(kind: ResourceKind, fields: LongFields<Row>) {
  /** Returns the row with the KV entry to check against, or null. */
  const find = (
    kv: Store,
    projectId: number,
    id: number,
  ): Promise<{ entry: Deno.KvEntry<Row>; row: Row } | null> =>
    retryOvertaken(async () => {
      const entry = await kv.get<Row & Stored>(rowKeys.resource(kind, projectId, id));
      if (entry.versionstamp === null) return null;
      const row = await withTexts<Row>(kv, entry.value, fields);
      return row ? { entry, row } : OVERTAKEN;
    }, ATTEMPTS_MAX);

  /** Same as `find`. Throws not found. */
  async function getEntry(kv: Store, projectId: number, id: number) {
    const found = await find(kv, projectId, id);
    if (!found) throw notFound();
    return found;
  }

  /** Returns the row. Throws not found. */
  const get = async (kv: Store, projectId: number, id: number): Promise<Row> =>
    (await getEntry(kv, projectId, id)).row;

  /**
   * Returns what `take` returns for each row of the project, in order of id. Thousands of rows are
   * large, so only those of a batch are held.
   */
  async function pick<Part>(
    kv: Store,
    projectId: number,
    take: (row: Row) => Part,
    limit = LIST_MAX,
  ): Promise<Part[]> {
    const parts: Part[] = [];
    const entries = kv.list<Row & Stored>({ prefix: rowKeys.resources(kind, projectId) }, {
      limit,
      batchSize: 500,
    });
    for await (const { value } of entries) {
      // Not awaited, because for most rows that would take as long as reading them.
      const row = value.text_revision ? await whole(kv, projectId, value) : value;
      if (row) parts.push(take(row));
    }
    return parts;
  }

  /** Returns all rows of the project in order of id, or the first `limit` of them. */
  const list = (kv: Store, projectId: number, limit?: number): Promise<Row[]> =>
    pick<Row>(kv, projectId, (row) => row, limit);

  /** Returns the rows with these ids that exist, in the order of `ids`. */
  async function some(kv: Store, projectId: number, ids: readonly number[]): Promise<Row[]> {
    const keys = ids.map((id) => rowKeys.resource(kind, projectId, id));
    const entries = await getAll<Row & Stored>(kv, keys);
    const rows = await Promise.all(
      entries.map(({ value }) => value?.text_revision ? whole(kv, projectId, value) : value),
    );
    return rows.filter((row): row is NonNullable<typeof row> => row !== null);
  }

  const whole = async (kv: Store, projectId: number, value: Row & Stored): Promise<Row | null> =>
    await withTexts<Row>(kv, value, fields) ??
      (await find(kv, projectId, value.id))?.row ?? null;

  return { find, getEntry, get, list, pick, some };
}

/** Throws not found unless the row exists. */
export async function requireRow(kv: Store, kind: ResourceKind, projectId: number, id: number) {
  const { versionstamp } = await kv.get(rowKeys.resource(kind, projectId, id));
  if (versionstamp === null) throw notFound();
}
