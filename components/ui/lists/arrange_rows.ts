import { type ListPage, pageOfRows } from "../../../lib/base/lists/pages.ts";
import { matcherOf, type TableState } from "../../../lib/base/lists/table_state.ts";
import { byName } from "../../../lib/i18n/by_name.ts";
import type { Language } from "../../../lib/i18n/catalogs.ts";
import type { Column } from "./Table.tsx";

/** A column that rows can be filtered or sorted by. */
export interface ListColumn<Row> extends Column<Row> {
  /** Name of the column in the address; missing if rows cannot be sorted by it. */
  id?: string;
  /** The value that rows are sorted by; null comes last. Texts are searched by the filter, too. */
  value?: (row: Row) => Value;
  /** The order in which rows are sorted first; ascending if it is missing. */
  usual?: "asc" | "desc";
}

interface ArrangedRows<Row> {
  shown: ListPage<Row>;
  /** Number of matching rows. */
  matching: number;
  sortedBy: ListColumn<Row>;
  order: "asc" | "desc";
}

/** Filters and sorts rows by the values of their columns, and returns one page of them. */
export function arrangeRows<Row>(
  all: readonly Row[],
  columns: readonly ListColumn<Row>[],
  { q, sort, order: wanted, ...page }: TableState,
  language: Language,
): ArrangedRows<Row> {
  const [first, ...others] = columns.filter(({ id, value }) => id && value);
  const sortedBy = others.find(({ id }) => id === sort) ?? first;
  const order = wanted || sortedBy.usual || "asc";
  const matches = matcherOf(q);
  const matching = q === "" ? [...all] : all.filter((row) => matches(textsOf(row, columns)));
  const [valueOf, nameOf] = [remembered(sortedBy.value!), remembered(first.value!)];
  const compare = valueOrder(language);
  matching.sort((a, b) =>
    compare(valueOf(a), valueOf(b), order) || compare(nameOf(a), nameOf(b), "asc")
  );
  return { shown: pageOfRows(matching, page), matching: matching.length, sortedBy, order };
}

/** Computes each value once and only if it is compared, because some are texts that take time. */
function remembered<Row>(value: (row: Row) => Value): (row: Row) => Value {
  const values = new Map<Row, Value>();
  return (row) => {
    if (!values.has(row)) values.set(row, value(row));
    return values.get(row) ?? null;
  };
}

const textsOf = <Row>(row: Row, columns: readonly ListColumn<Row>[]): string[] =>
  columns.map(({ value }) => value?.(row)).filter((value) => typeof value === "string");

type Value = string | number | null;

/** Returns a comparison of values in which null comes last in either order. */
function valueOrder(language: Language) {
  const names = byName(language);
  return (a: Value, b: Value, order: "asc" | "desc"): number => {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    const difference = typeof a === "string" && typeof b === "string"
      ? names(a, b)
      : Number(a) - Number(b);
    return order === "desc" ? -difference : difference;
  };
}
