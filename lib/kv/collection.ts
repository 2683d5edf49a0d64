import type { ResourceKind } from "./keys.ts";
import type { LongFields, ResourceRow } from "./long_texts.ts";
import { rowReader } from "./row_reader.ts";
import { type RowOptions, rowWriter } from "./row_writer.ts";
import { uncheckedRows } from "./unchecked_rows.ts";

type CollectionOptions<Row> =
  & Partial<LongFields<Row>>
  & Partial<Pick<RowOptions<Row>, "references">>;

export type Collection<Row extends ResourceRow> = ReturnType<typeof collection<Row>>;

/**
 * Reads and writes the rows of one kind of project resource, each found by project and id together.
 */
export function collection<Row extends ResourceRow>(
  kind: ResourceKind,
  { references = () => [], texts = [], documents = [] }: CollectionOptions<Row> = {},
) {
  const fields = { texts, documents };
  const reader = rowReader<Row>(kind, fields);
  return {
    kind,
    find: reader.find,
    get: reader.get,
    list: reader.list,
    ...rowWriter(kind, { references, fields }, reader),
    ...uncheckedRows(kind, { references, fields }),
  };
}
