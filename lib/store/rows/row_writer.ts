import { guardProject } from "../guard_project.ts";
import { type Ref, type ResourceKind, rowKeys } from "../keys.ts";
import { dropTexts, type LongFields, type ResourceRow, storeTexts } from "./long_texts.ts";
import {
  addReference,
  guardTargets,
  moveTargets,
  removeReference,
  requireUnreferenced,
} from "../references.ts";
import type { RowReader } from "./row_reader.ts";
import type { Atomic, Store } from "../store.ts";

export interface RowOptions<Row> {
  /**
   * References of a row. Each target must exist in the same project and cannot be deleted
   * meanwhile.
   */
  references: (row: Row) => Ref[];
  /** Fields that may be long. */
  fields: LongFields<Row>;
  /** The rule of a row about who may see, run and edit it; null for everyone. */
  rule?: (row: Row) => object | null;
}

/**
 * Adds the removal of some uses to the deletion's operation. Returns the objects of `usedBy` that
 * still use the target.
 */
type Release = (usedBy: Ref[]) => Promise<Ref[]>;

/**
 * Creates a writer for rows of one kind. Each commit also checks the references from and to the
 * row.
 */
export function rowWriter<Row extends ResourceRow>(
  kind: ResourceKind,
  { references, fields, rule }: RowOptions<Row>,
  { getEntry }: RowReader<Row>,
) {
  const stamp = rowKeys.resourcesStamp(kind);
  const fromOf = ({ project_id, id }: ResourceRow) =>
    ({ projectId: project_id, from: [kind, id] }) as const;

  /**
   * Adds a new row to `op`. The project and all objects that the row refers to must exist at the
   * commit.
   */
  async function insert(kv: Store, op: Atomic, row: Row): Promise<void> {
    await guardProject(kv, op, row.project_id);
    const key = rowKeys.resource(kind, row.project_id, row.id);
    op.check({ key, versionstamp: null });
    await changeUses(kv, op, fromOf(row), [], references(row));
    op.set(key, storeTexts(op, row, fields)).set(stamp, row.id);
    if (rule) setRule(op, kind, row, null, rule(row));
  }

  /** Adds an update of a row to `op`, using the result of `change`. Throws not found. */
  async function update(
    kv: Store,
    op: Atomic,
    projectId: number,
    id: number,
    change: (row: Row) => Row | Promise<Row>,
  ): Promise<Row> {
    const found = await getEntry(kv, projectId, id);
    const row = await change(found.row);
    op.check(found.entry);
    await changeUses(kv, op, fromOf(row), references(found.row), references(row));
    await dropTexts(kv, op, found.entry.value);
    op.set(found.entry.key, storeTexts(op, row, fields)).set(stamp, id);
    moveTargets(op, projectId, [kind, id]);
    if (rule) setRule(op, kind, row, rule(found.row), rule(row));
    return row;
  }

  /** Adds the deletion of an unreferenced row to `op`. Throws not found or in use. */
  async function remove(
    kv: Store,
    op: Atomic,
    projectId: number,
    id: number,
    release?: Release,
  ): Promise<Row> {
    const found = await getEntry(kv, projectId, id);
    await requireUnreferenced(kv, op, projectId, [kind, id], release);
    for (const to of references(found.row)) {
      removeReference(op, { projectId, from: [kind, id], to });
    }
    await dropTexts(kv, op, found.entry.value);
    op.check(found.entry).delete(found.entry.key).set(stamp, id);
    moveTargets(op, projectId, [kind, id]);
    if (rule) setRule(op, kind, found.row, rule(found.row), null);
    return found.row;
  }

  return { insert, update, remove };
}

/** Adds the change of a row's rule to `op`, and wakes what shows the project. */
export function setRule(
  op: Atomic,
  kind: ResourceKind,
  { project_id, id }: ResourceRow,
  before: object | null,
  after: object | null,
): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  const key = rowKeys.accessRule(project_id, kind, id);
  if (after) op.set(key, after);
  else op.delete(key);
  op.set(rowKeys.accessRulesStamp(project_id), id).set(rowKeys.accessWake(), crypto.randomUUID());
}

/** Replaces the references of the row `from` with `wanted` in `op`. */
async function changeUses(
  kv: Store,
  op: Atomic,
  { projectId, from }: { projectId: number; from: Ref },
  before: Ref[],
  wanted: Ref[],
): Promise<void> {
  const kept = new Set(before.map(String));
  const added = wanted.filter((to) => !kept.has(String(to)));
  if (added.length > 0) await guardTargets(kv, op, projectId);
  for (const to of added) await addReference(kv, op, { projectId, from, to });
  const still = new Set(wanted.map(String));
  for (const to of before) {
    if (!still.has(String(to))) removeReference(op, { projectId, from, to });
  }
}
