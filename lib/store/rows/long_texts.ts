import { joinChunks, setChunks } from "./chunks.ts";
import { rowKeys } from "../keys.ts";
import type { Atomic, Store } from "../store.ts";

export interface ResourceRow {
  id: number;
  project_id: number;
}

/**
 * Fields of a row that may exceed the 64 KiB limit of a value. Long ones are stored in chunk rows.
 */
export interface LongFields<Row> {
  texts: readonly (keyof Row & string)[];
  /** Same for lists and objects, which are stored as JSON. */
  documents: readonly (keyof Row & string)[];
}

/** Members of a row whose long texts were moved to chunk rows. */
export interface Stored {
  text_revision?: string;
  text_fields?: string[];
}

/**
 * KV stores up to 64 KiB per value. The row's other fields need some of it, and one character
 * beyond Latin-1 doubles the size of a text.
 */
const INLINE_BYTES_MAX = 12 * 1024;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Returns the row in its stored form. Long texts are replaced by chunk rows, which are added to
 * `op`.
 */
export function storeTexts<Row extends ResourceRow>(
  op: Atomic,
  row: Row,
  { texts, documents }: LongFields<Row>,
): Row & Stored {
  const longFields = [...texts, ...documents];
  const long = longFields.map((field) => ({ field, bytes: encoder.encode(textOf(row[field])) }))
    .filter(({ bytes }) => bytes.length > INLINE_BYTES_MAX / longFields.length);
  if (long.length === 0) return row;
  const stored: Row & Stored = { ...row };
  stored.text_revision = crypto.randomUUID();
  stored.text_fields = long.map(({ field }) => field);
  for (const { field, bytes } of long) {
    (stored as Record<string, unknown>)[field] = "";
    const revision = stored.text_revision;
    setChunks(op, (n) => rowKeys.textChunk(row.project_id, revision, field, n), bytes);
  }
  return stored;
}

const textOf = (value: unknown) => typeof value === "string" ? value : JSON.stringify(value ?? "");

/** Returns the row with its chunked texts restored; null if it was rewritten during the read. */
export async function withTexts<Row extends ResourceRow>(
  kv: Store,
  stored: Row & Stored,
  { documents }: { documents: readonly string[] },
): Promise<Row | null> {
  if (!stored.text_revision) return stored;
  const { text_revision, text_fields, ...row } = stored;
  const chunks = new Map<string, Uint8Array[]>();
  for await (
    const { key, value } of kv.list<Uint8Array>({
      prefix: rowKeys.textChunks(stored.project_id, text_revision),
    })
  ) {
    const field = key[3] as string;
    const others = chunks.get(field);
    if (others) others.push(value);
    else chunks.set(field, [value]);
  }
  for (const field of text_fields ?? []) {
    const parts = chunks.get(field);
    if (!parts) return null;
    const text = decoder.decode(joinChunks(parts));
    (row as Record<string, unknown>)[field] = documents.includes(field) ? JSON.parse(text) : text;
  }
  return row as unknown as Row;
}

/** Adds the deletion of a stored row's chunk rows to `op`. */
export async function dropTexts(kv: Store, op: Atomic, row: ResourceRow & Stored) {
  if (!row.text_revision) return;
  const prefix = rowKeys.textChunks(row.project_id, row.text_revision);
  for await (const { key } of kv.list({ prefix })) op.delete(key);
}
