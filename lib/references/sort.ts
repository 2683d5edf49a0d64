import { type ResourceKind, rowKeys } from "../kv/keys.ts";

/** `?sort=inventory&order=desc`, as the API's clients send it. */
export interface SortParams {
  get(name: string): string | null;
}

/**
 * The rows by the names of what they refer to, when `sort` is one of `columns`: which field of a
 * row holds the id, and of what kind. Otherwise as they are.
 */
export async function sortByReferred<Row>(
  kv: Deno.Kv,
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
