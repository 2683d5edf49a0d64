import { FILTER_LENGTH_MAX } from "../base/lists/table_state.ts";
import { type AskedPage, readAskedPage, writeAskedPage } from "../base/lists/pages.ts";
import { LIST_COLUMNS } from "./schema.ts";

/** The columns that a reader may hide. */
export const OPTIONAL_COLUMNS = [
  "type",
  "last_task",
  "version",
  "playbook",
  "inventory",
  "environment",
  "repository",
] as const;
export type OptionalColumn = (typeof OPTIONAL_COLUMNS)[number];

export type SortColumn = (typeof LIST_COLUMNS)[number];

/** Order of a list. */
interface ListOrder {
  sort: SortColumn;
  order: "asc" | "desc";
}

/** The usual order of a view's list, or with undefined of a list without a view. */
export const usualOrder = (
  view?: { sort_column: SortColumn | "" | null; sort_reverse: boolean },
): ListOrder => ({
  sort: view?.sort_column || "name",
  order: view?.sort_reverse ? "desc" : "asc",
});

/** State of a list of templates in its address. Its page may be that of the open template. */
export interface ListState extends AskedPage, ListOrder {
  /** Words that the shown templates contain; empty for all templates. */
  q: string;
  /** The order if the address names none. */
  usual: ListOrder;
  /** The template whose last tasks are shown. */
  open: number | null;
}

/** Reads the query of the list's address. Unknown values are ignored. */
export function readListState(query: URLSearchParams, usual: ListOrder): ListState {
  const open = query.get("open") ?? "";
  const sort = LIST_COLUMNS.find((column) => column === query.get("sort")) ?? usual.sort;
  return {
    q: (query.get("q") ?? "").trim().slice(0, FILTER_LENGTH_MAX),
    sort,
    order: ORDERS.find((order) => order === query.get("order")) ?? orderBy(sort, usual),
    usual,
    open: /^\d{1,15}$/.test(open) ? Number(open) : null,
    ...readAskedPage(query),
  };
}

const ORDERS = ["asc", "desc"] as const;

/** The order by a column if the address names none. */
export const orderBy = (sort: SortColumn, usual: ListOrder): ListOrder["order"] =>
  sort === usual.sort ? usual.order : "asc";

/** Returns the state of a list in a tab with another usual order. A chosen order stays. */
export function inTab({ usual: before, ...state }: ListState, usual: ListOrder): ListState {
  const isUsual = state.sort === before.sort && state.order === before.order;
  return { ...state, ...isUsual && usual, usual, open: null, page: null };
}

/** The address of the list at `path` with that state. Default values are omitted. */
export function listAddress(
  path: string,
  { q, sort, order, usual, open, ...page }: ListState,
): string {
  const query = new URLSearchParams();
  if (q !== "") query.set("q", q);
  if (sort !== usual.sort) query.set("sort", sort);
  if (order !== orderBy(sort, usual)) query.set("order", order);
  if (open !== null) query.set("open", String(open));
  writeAskedPage(query, page);
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Name of the cookie, and of the form's field, with a reader's choice of optional columns. */
export const COLUMNS_CHOICE = "template_columns";

/** The value for a choice of columns. It is never empty, because empty means no choice. */
export const columnsChoice = (columns: readonly string[]): string =>
  ["name", ...OPTIONAL_COLUMNS.filter((column) => columns.includes(column))].join(".");

/**
 * Hidden by default: an icon beside the name shows the type, most projects have only one
 * environment and repository, and the few versions are below the times of their tasks.
 */
const UNUSUAL: readonly OptionalColumn[] = ["type", "version", "environment", "repository"];

/** The columns of a choice. The default columns fit beside the menu on a common screen. */
export function chosenColumns(choice = ""): OptionalColumn[] {
  const chosen = choice.split(".");
  return OPTIONAL_COLUMNS.filter((column) =>
    choice === "" ? !UNUSUAL.includes(column) : chosen.includes(column)
  );
}
