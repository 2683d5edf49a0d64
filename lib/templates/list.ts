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

/** What the page sorts by: whatever the API does, and how the last tasks stand. */
const SORT_COLUMNS = [...TEMPLATE_COLUMNS, "status", "last_task", "version"] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];

/** What the address of a list of templates says besides whose it is. */
export interface ListState {
  /** Words that the templates shown have; empty for all. */
  q: string;
  sort: SortColumn;
  order: "asc" | "desc";
  /** The template whose last tasks are shown. */
  open: number | null;
}

/** Letters of a filter: more than a person types. */
export const FILTER_LENGTH_MAX = 100;

/** Reads the query of the list's address. What it does not know counts as not said. */
export function readListState(query: URLSearchParams): ListState {
  const open = query.get("open") ?? "";
  return {
    q: (query.get("q") ?? "").trim().slice(0, FILTER_LENGTH_MAX),
    sort: SORT_COLUMNS.find((column) => column === query.get("sort")) ?? "name",
    order: query.get("order") === "desc" ? "desc" : "asc",
    open: /^\d{1,15}$/.test(open) ? Number(open) : null,
  };
}

/** The address of the list at `path` with that state: only what is unusual about it is said. */
export function listAddress(path: string, { q, sort, order, open }: ListState): string {
  const query = new URLSearchParams();
  if (q !== "") query.set("q", q);
  if (sort !== "name") query.set("sort", sort);
  if (order !== "asc") query.set("order", order);
  if (open !== null) query.set("open", String(open));
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The cookie, and the field of the form, that say which optional columns a reader wants. */
export const COLUMNS_CHOICE = "template_columns";

/** The value that stands for this choice: never empty, since that is no choice. */
export const columnsChoice = (columns: readonly string[]): string =>
  ["name", ...OPTIONAL_COLUMNS.filter((column) => columns.includes(column))].join(".");

/** What few ask for: a name's picture tells the type, and most projects have one of the others. */
const UNUSUAL: readonly OptionalColumn[] = ["type", "environment", "repository"];

/** The columns of a choice; without one those that fit beside the menu on a common screen. */
export function chosenColumns(choice = ""): OptionalColumn[] {
  // What was a column of its own is part of that of the last task now.
  const chosen = choice.split(".").map((column) => column === "status" ? "last_task" : column);
  return OPTIONAL_COLUMNS.filter((column) =>
    choice === "" ? !UNUSUAL.includes(column) : chosen.includes(column)
  );
}
