import { TEMPLATE_COLUMNS } from "./schema.ts";

/** The columns that a reader may hide. */
export const OPTIONAL_COLUMNS = [
  "type",
  "version",
  "status",
  "last_task",
  "playbook",
  "inventory",
  "environment",
  "repository",
] as const;
export type OptionalColumn = (typeof OPTIONAL_COLUMNS)[number];

export type SortColumn = (typeof TEMPLATE_COLUMNS)[number];

/** What the address of a list of templates says besides whose it is. */
export interface ListState {
  sort: SortColumn;
  order: "asc" | "desc";
  /** The template whose last tasks are shown. */
  open: number | null;
}

/** Reads the query of the list's address. What it does not know counts as not said. */
export function readListState(query: URLSearchParams): ListState {
  const open = query.get("open") ?? "";
  return {
    sort: TEMPLATE_COLUMNS.find((column) => column === query.get("sort")) ?? "name",
    order: query.get("order") === "desc" ? "desc" : "asc",
    open: /^\d{1,15}$/.test(open) ? Number(open) : null,
  };
}

/** The address of the list at `path` with that state: only what is unusual about it is said. */
export function listAddress(path: string, { sort, order, open }: ListState): string {
  const query = new URLSearchParams();
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

/** What few ask for: each name's picture tells the type, and most projects have one environment. */
const UNUSUAL: readonly OptionalColumn[] = ["type", "environment"];

/** The columns of a choice; without one those that fit beside the menu on a common screen. */
export function chosenColumns(choice = ""): OptionalColumn[] {
  const chosen = choice.split(".");
  return OPTIONAL_COLUMNS.filter((column) =>
    choice === "" ? !UNUSUAL.includes(column) : chosen.includes(column)
  );
}
