import { type ResourceKind, rowKeys } from "./keys.ts";
import {
  dropTexts,
  type LongFields,
  type ResourceRow,
  type Stored,
  storeTexts,
} from "./rows/long_texts.ts";
import { rowReader } from "./rows/row_reader.ts";
import { type RowOptions, rowWriter, setRule } from "./rows/row_writer.ts";
import { moveTargets, removeReference } from "./references.ts";
import type { Atomic, Store } from "./store.ts";

type CollectionOptions<Row> =
  & Partial<LongFields<Row>>
  & Partial<Pick<RowOptions<Row>, "references" | "rule">>;

export type Collection<Row extends ResourceRow> = ReturnType<typeof collection<Row>>;

/**
 * Reads and writes the rows of one kind of project resource, each found by project and id together.
 */
export function collection<Row extends ResourceRow>(
  kind: ResourceKind,
  { references = () => [], texts = [], documents = [], rule }: CollectionOptions<Row> = {},
) {
  const fields = { texts, documents };
  const reader = rowReader<Row>(kind, fields);
  return {
    kind,
    find: reader.find,
    get: reader.get,
    list: reader.list,
    pick: reader.pick,
    some: reader.some,
    ...rowWriter(kind, { references, fields, rule }, reader),
    ...uncheckedRows(kind, { references, fields, rule }),
  };
}

/**
 * Creates a writer for rows of one kind whose caller guarantees the conditions that are otherwise
 * checked.
 */
function uncheckedRows<Row extends ResourceRow>(
  kind: ResourceKind,
  { references, fields, rule }: RowOptions<Row>,
) {
  /**
   * Adds a row to `op` without any check. For a project that is not visible yet, whose creator
   * knows that all referenced objects exist.
   */
  function plant(op: Atomic, row: Row): void {
    for (const to of references(row)) {
      op.set(rowKeys.reference(row.project_id, to, [kind, row.id]), true);
    }
    op.set(rowKeys.resource(kind, row.project_id, row.id), storeTexts(op, row, fields));
    if (rule) setRule(op, kind, row, null, rule(row));
  }

  /**
   * Adds the deletion of a row to `op` without any check. For a row that belongs to another one
   * whose guard the caller holds. `row` cannot change while that guard stands, and nothing refers
   * to it.
   */
  async function uproot(kv: Store, op: Atomic, row: Row): Promise<void> {
    const entry = await kv.get<Row & Stored>(rowKeys.resource(kind, row.project_id, row.id));
    if (entry.value) await dropTexts(kv, op, entry.value);
    for (const to of references(row)) {
      removeReference(op, { projectId: row.project_id, from: [kind, row.id], to });
    }
    op.delete(entry.key).set(rowKeys.resourcesStamp(kind), row.id);
    moveTargets(op, row.project_id, [kind, row.id]);
  }

  return { plant, uproot };
}
