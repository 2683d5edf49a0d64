import { type AskedPage, readAskedPage, writeAskedPage } from "./pages.ts";

/** State of a table in the address of its page. */
export interface TableState extends AskedPage {
  /** Words that the shown rows contain; empty for all rows. */
  q: string;
  /** Name of the column that the rows are sorted by; empty for the usual one. */
  sort: string;
  /** Empty for the usual order of the column. */
  order: "asc" | "desc" | "";
}

/** Maximum length of a filter in characters, more than anyone types. */
export const FILTER_LENGTH_MAX = 100;

const ORDERS = ["asc", "desc"] as const;

/** Reads the query of a list's address. Invalid values are ignored. */
export function readTableState(query: URLSearchParams): TableState {
  return {
    q: (query.get("q") ?? "").trim().slice(0, FILTER_LENGTH_MAX),
    sort: (query.get("sort") ?? "").slice(0, FILTER_LENGTH_MAX),
    order: ORDERS.find((order) => order === query.get("order")) ?? "",
    ...readAskedPage(query),
  };
}

/** The address of the list at `path`, which may have a query of its own. Omits default values. */
export function tableAddress(path: string, { q, sort, order, ...page }: TableState): string {
  const query = new URLSearchParams();
  if (q !== "") query.set("q", q);
  if (sort !== "") query.set("sort", sort);
  if (order !== "") query.set("order", order);
  writeAskedPage(query, page);
  if (query.size === 0) return path;
  return `${path}${path.includes("?") ? "&" : "?"}${query}`;
}

/** Returns whether texts contain each word of `q`, in any case. */
export function matcherOf(q: string): (texts: string[]) => boolean {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return (texts) => {
    if (words.length === 0) return true;
    const text = texts.join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  };
}
