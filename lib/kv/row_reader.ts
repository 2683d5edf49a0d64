import { AppError, notFound } from "../base/errors.ts";
import { type ResourceKind, rowKeys } from "./keys.ts";
import { type LongFields, type ResourceRow, type Stored, withTexts } from "./long_texts.ts";

/** More rows than any project has; a bound, so that no list is endless. */
const LIST_MAX = 10_000;

export type RowReader<Row extends ResourceRow> = ReturnType<typeof rowReader<Row>>;

/** Reads the rows of one kind, each found by project and id together. */
export function rowReader<Row extends ResourceRow>(kind: ResourceKind, fields: LongFields<Row>) {
  /** The row, or null; with the KV entry to check against. */
  async function find(
    kv: Deno.Kv,
    projectId: number,
    id: number,
  ): Promise<{ entry: Deno.KvEntry<Row>; row: Row } | null> {
    for (let attempt = 0; attempt < 8; attempt++) {
      const entry = await kv.get<Row & Stored>(rowKeys.resource(kind, projectId, id));
      if (entry.versionstamp === null) return null;
      const row = await withTexts<Row>(kv, entry.value, fields);
      if (row) return { entry, row };
    }
    throw new AppError(409, "errors.stale");
  }

  /** As `find`; throws not found. */
  async function getEntry(kv: Deno.Kv, projectId: number, id: number) {
    const found = await find(kv, projectId, id);
    if (!found) throw notFound();
    return found;
  }

  /** The row; throws not found. */
  const get = async (kv: Deno.Kv, projectId: number, id: number): Promise<Row> =>
    (await getEntry(kv, projectId, id)).row;

  /** All rows of the project by id. */
  async function list(kv: Deno.Kv, projectId: number): Promise<Row[]> {
    const rows: Row[] = [];
    const entries = kv.list<Row & Stored>({ prefix: rowKeys.resources(kind, projectId) }, {
      limit: LIST_MAX,
      batchSize: 500,
    });
    for await (const { value } of entries) {
      const row = value.text_revision
        ? await withTexts<Row>(kv, value, fields) ?? (await find(kv, projectId, value.id))?.row
        : value; // most are: to wait for each would take as long as to read them
      if (row) rows.push(row);
    }
    return rows;
  }

  return { find, getEntry, get, list };
}

/** Throws not found unless there is such a row. */
export async function requireRow(kv: Deno.Kv, kind: ResourceKind, projectId: number, id: number) {
  const { versionstamp } = await kv.get(rowKeys.resource(kind, projectId, id));
  if (versionstamp === null) throw notFound();
}
