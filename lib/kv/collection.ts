import { AppError, notFound } from "../base/errors.ts";
import { joinChunks, setChunks } from "./chunks.ts";
import { holdProject } from "./hold_project.ts";
import { keys, type Ref, type ResourceKind } from "./keys.ts";
import {
  addReference,
  holdTargets,
  moveTargets,
  removeReference,
  requireUnreferenced,
} from "./references.ts";

export interface ResourceRow {
  id: number;
  project_id: number;
}

interface CollectionOptions<Row> {
  /** What a row uses: each must exist in the same project, and cannot be deleted meanwhile. */
  references?: (row: Row) => Ref[];
  /** Text fields that may outgrow a value of 64 KiB: long ones are stored in chunk rows. */
  texts?: readonly (keyof Row & string)[];
  /** The same for fields of lists and objects: what JSON can hold. */
  documents?: readonly (keyof Row & string)[];
}

/**
 * Adds to the deletion's operation what ends the use by some of `usedBy`, and answers those that
 * still use it.
 */
type Release = (usedBy: Ref[]) => Promise<Ref[]>;

/** What stands in a row for a text that was moved to chunk rows. */
interface Stored {
  text_revision?: string;
  text_fields?: string[];
}

/** KV takes 64 KiB a value; a row's own fields need some of it, and one rare letter doubles a text. */
const INLINE_BYTES_MAX = 12 * 1024;
/** More rows than any project has; a bound, so that no list is endless. */
const LIST_MAX = 10_000;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export type Collection<Row extends ResourceRow> = ReturnType<typeof collection<Row>>;

/** The rows of one kind of a project's resources: found by project and id together. */
export function collection<Row extends ResourceRow>(
  kind: ResourceKind,
  { references = () => [], texts = [], documents = [] }: CollectionOptions<Row> = {},
) {
  const longFields = [...texts, ...documents];
  const keyOf = (row: ResourceRow) => keys.resource(kind, row.project_id, row.id);
  const stamp = keys.resourcesStamp(kind);

  /** The row, or null; with the KV entry to check against. */
  async function find(
    kv: Deno.Kv,
    projectId: number,
    id: number,
  ): Promise<{ entry: Deno.KvEntry<Row>; row: Row } | null> {
    for (let attempt = 0; attempt < 8; attempt++) {
      const entry = await kv.get<Row & Stored>(keys.resource(kind, projectId, id));
      if (entry.versionstamp === null) return null;
      const row = await withTexts<Row>(kv, entry.value, documents);
      if (row) return { entry, row };
    }
    throw new AppError(409, "errors.stale");
  }

  /** The row; throws not found. */
  async function get(kv: Deno.Kv, projectId: number, id: number): Promise<Row> {
    const found = await find(kv, projectId, id);
    if (!found) throw notFound();
    return found.row;
  }

  /** All rows of the project by id. */
  async function list(kv: Deno.Kv, projectId: number): Promise<Row[]> {
    const rows: Row[] = [];
    const entries = kv.list<Row & Stored>({ prefix: keys.resources(kind, projectId) }, {
      limit: LIST_MAX,
      batchSize: 500,
    });
    for await (const { value } of entries) {
      const row = value.text_revision
        ? await withTexts<Row>(kv, value, documents) ?? (await find(kv, projectId, value.id))?.row
        : value; // most are: to wait for each would take as long as to read them
      if (row) rows.push(row);
    }
    return rows;
  }

  async function use(kv: Deno.Kv, op: Deno.AtomicOperation, row: Row, before: Ref[]) {
    const projectId = row.project_id;
    const kept = new Set(before.map(String));
    const wanted = references(row);
    const added = wanted.filter((to) => !kept.has(String(to)));
    if (added.length > 0) await holdTargets(kv, op, projectId);
    for (const to of added) await addReference(kv, op, { projectId, from: [kind, row.id], to });
    const still = new Set(wanted.map(String));
    for (const to of before) {
      if (!still.has(String(to))) removeReference(op, { projectId, from: [kind, row.id], to });
    }
  }

  /** Adds a new row to `op`. The project, and all that the row refers to, must exist by commit. */
  async function insert(kv: Deno.Kv, op: Deno.AtomicOperation, row: Row): Promise<void> {
    await holdProject(kv, op, row.project_id);
    op.check({ key: keyOf(row), versionstamp: null });
    await use(kv, op, row, []);
    op.set(keyOf(row), store(op, row)).set(stamp, row.id);
  }

  /**
   * Adds a row to `op` without any check: for a project that nobody sees yet, whose maker knows
   * that all that the row refers to is there.
   */
  function plant(op: Deno.AtomicOperation, row: Row): void {
    for (const to of references(row)) {
      op.set(keys.reference(row.project_id, to, [kind, row.id]), true);
    }
    op.set(keyOf(row), store(op, row));
  }

  /** Adds to `op` the change of a row to what `change` makes of it; throws not found. */
  async function update(
    kv: Deno.Kv,
    op: Deno.AtomicOperation,
    projectId: number,
    id: number,
    change: (row: Row) => Row | Promise<Row>,
  ): Promise<Row> {
    const found = await find(kv, projectId, id);
    if (!found) throw notFound();
    const row = await change(found.row);
    op.check(found.entry);
    await use(kv, op, row, references(found.row));
    await dropTexts(kv, op, found.entry.value);
    op.set(found.entry.key, store(op, row)).set(stamp, id);
    moveTargets(op, projectId, [kind, id]);
    return row;
  }

  /** Adds to `op` the deletion of a row that nothing refers to; throws not found, or in use. */
  async function remove(
    kv: Deno.Kv,
    op: Deno.AtomicOperation,
    projectId: number,
    id: number,
    release?: Release,
  ): Promise<Row> {
    const found = await find(kv, projectId, id);
    if (!found) throw notFound();
    await requireUnreferenced(kv, op, projectId, [kind, id], release);
    for (const to of references(found.row)) {
      removeReference(op, { projectId, from: [kind, id], to });
    }
    await dropTexts(kv, op, found.entry.value);
    op.check(found.entry).delete(found.entry.key).set(stamp, id);
    moveTargets(op, projectId, [kind, id]);
    return found.row;
  }

  /**
   * Adds the deletion of a row to `op` without any check: for one that belongs to another row, whose
   * guard the caller holds. `row` is as it is while that guard does not move; nothing refers to it.
   */
  async function uproot(kv: Deno.Kv, op: Deno.AtomicOperation, row: Row): Promise<void> {
    const entry = await kv.get<Row & Stored>(keyOf(row));
    if (entry.value) await dropTexts(kv, op, entry.value);
    for (const to of references(row)) {
      removeReference(op, { projectId: row.project_id, from: [kind, row.id], to });
    }
    op.delete(entry.key).set(stamp, row.id);
    moveTargets(op, row.project_id, [kind, row.id]);
  }

  /** The row as it is stored: long texts replaced by chunk rows, which are added to `op`. */
  function store(op: Deno.AtomicOperation, row: Row): Row & Stored {
    const long = longFields.map((field) => ({ field, bytes: encoder.encode(textOf(row[field])) }))
      .filter(({ bytes }) => bytes.length > INLINE_BYTES_MAX / longFields.length);
    if (long.length === 0) return row;
    const stored: Row & Stored = { ...row };
    stored.text_revision = crypto.randomUUID();
    stored.text_fields = long.map(({ field }) => field);
    for (const { field, bytes } of long) {
      (stored as Record<string, unknown>)[field] = "";
      const revision = stored.text_revision;
      setChunks(op, (n) => keys.textChunk(row.project_id, revision, field, n), bytes);
    }
    return stored;
  }

  return { kind, find, get, list, insert, plant, update, remove, uproot };
}

const textOf = (value: unknown) => typeof value === "string" ? value : JSON.stringify(value ?? "");

/** The row with its chunked texts put in; null when it was rewritten while it was read. */
async function withTexts<Row extends ResourceRow>(
  kv: Deno.Kv,
  stored: Row & Stored,
  documents: readonly string[],
): Promise<Row | null> {
  if (!stored.text_revision) return stored;
  const { text_revision, text_fields, ...row } = stored;
  const chunks = new Map<string, Uint8Array[]>();
  for await (
    const { key, value } of kv.list<Uint8Array>({
      prefix: keys.textChunks(stored.project_id, text_revision),
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

async function dropTexts(kv: Deno.Kv, op: Deno.AtomicOperation, row: ResourceRow & Stored) {
  if (!row.text_revision) return;
  const prefix = keys.textChunks(row.project_id, row.text_revision);
  for await (const { key } of kv.list({ prefix })) op.delete(key);
}

/** Throws not found unless there is such a row. */
export async function requireRow(kv: Deno.Kv, kind: ResourceKind, projectId: number, id: number) {
  const { versionstamp } = await kv.get(keys.resource(kind, projectId, id));
  if (versionstamp === null) throw notFound();
}
