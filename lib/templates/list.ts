import { FILTER_LENGTH_MAX } from "../base/table_state.ts";
import { type AskedPage, readAskedPage, writeAskedPage } from "../base/pages.ts";
import { TEMPLATE_COLUMNS } from "./schema.ts";

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

/** Columns that the page can sort by: those of the API, and those of the last tasks. */
const SORT_COLUMNS = [...TEMPLATE_COLUMNS, "status", "last_task", "version"] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];

/** State of a list of templates in its address. Its page may be that of the open template. */
export interface ListState extends AskedPage {
  /** Words that the shown templates contain; empty for all templates. */
  q: string;
  sort: SortColumn;
  order: "asc" | "desc";
  /** The template whose last tasks are shown. */
  open: number | null;
}

/** Reads the query of the list's address. Unknown values are ignored. */
export function readListState(query: URLSearchParams): ListState {
  const open = query.get("open") ?? "";
  return {
    q: (query.get("q") ?? "").trim().slice(0, FILTER_LENGTH_MAX),
    sort: SORT_COLUMNS.find((column) => column === query.get("sort")) ?? "name",
    order: query.get("order") === "desc" ? "desc" : "asc",
    open: /^\d{1,15}$/.test(open) ? Number(open) : null,
    ...readAskedPage(query),
  };
}

/** The address of the list at `path` with that state. Default values are omitted. */
export function listAddress(path: string, { q, sort, order, open, ...page }: ListState): string {
  const query = new URLSearchParams();
  if (q !== "") query.set("q", q);
  if (sort !== "name") query.set("sort", sort);
  if (order !== "asc") query.set("order", order);
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
 * Hidden by default: an icon beside the name shows the type, and most projects have only one
 * environment and repository.
 */
const UNUSUAL: readonly OptionalColumn[] = ["type", "environment", "repository"];

/** The columns of a choice. The default columns fit beside the menu on a common screen. */
export function chosenColumns(choice = ""): OptionalColumn[] {
  // A column of earlier versions, now part of the last task's.
  const chosen = choice.split(".").map((column) => column === "status" ? "last_task" : column);
  return OPTIONAL_COLUMNS.filter((column) =>
    choice === "" ? !UNUSUAL.includes(column) : chosen.includes(column)
  );
}
