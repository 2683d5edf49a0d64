import { type ResourceKind, rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";

/** Query such as `?sort=inventory&order=desc`. */
export interface SortParams {
  get(name: string): string | null;
}

/**
 * Sorts rows by the names of the objects they refer to, if `sort` is one of `columns`. A column
 * gives the field with the id, and the kind. Other rows are returned in their order.
 */
export async function sortByReferred<Row>(
  kv: Store,
  projectId: number,
  rows: Row[],
  params: SortParams | undefined,
  columns: Record<string, [field: keyof Row, kind: ResourceKind]>,
): Promise<Row[]> {
  const sort = params?.get("sort") ?? "";
  if (!Object.hasOwn(columns, sort)) return rows;
  const [field, kind] = columns[sort];
  const names = new Map<unknown, string>();
  const entries = kv.list<{ id: number; name: string }>({
    prefix: rowKeys.resources(kind, projectId),
  });
  for await (const { value } of entries) names.set(value.id, value.name.toLowerCase());
  const sign = params?.get("order") === "desc" ? -1 : 1;
  const nameOf = (row: Row) => names.get(row[field]) ?? "";
  return rows.toSorted((a, b) =>
    sign * (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0)
  );
}
