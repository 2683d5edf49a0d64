/** Rows per page of a list, which a slow computer shows at once. */
const PAGE_ROWS = 50;

/** Rows per page for readers who ask for all, for example to search them with the browser. */
const ALL_ROWS = 1_000;

/** One page of a list. */
export interface ListPage<Row> {
  rows: Row[];
  /** Number of the page, from 1. */
  page: number;
  pages: number;
  /** Number of rows before the page. */
  skipped: number;
}

/** The wanted page of a list, in its address. */
export interface AskedPage {
  /** Null for the page with a certain row. */
  page: number | null;
  /** Whether pages are so long that most lists have only one. */
  all: boolean;
}

/**
 * Returns the asked page, or the last one if there are fewer. A rest of less than half a page is
 * part of the last page. `index` is the position of the row for which the page may be asked.
 */
export function pageOfRows<Row>(rows: readonly Row[], asked: AskedPage, index = 0): ListPage<Row> {
  const length = asked.all ? ALL_ROWS : PAGE_ROWS;
  const pages = Math.max(1, Math.round(rows.length / length));
  const page = Math.min(asked.page ?? Math.floor(index / length) + 1, pages);
  const skipped = (page - 1) * length;
  const end = page < pages ? skipped + length : undefined;
  return { rows: rows.slice(skipped, end), page, pages, skipped };
}

const ALL = "all";

/** Reads the page from the query of a list's address. Invalid values are ignored. */
export function readAskedPage(query: URLSearchParams): AskedPage {
  const page = query.get("page") ?? "";
  return {
    page: /^[1-9]\d{0,6}$/.test(page) ? Number(page) : null,
    all: query.get("rows") === ALL,
  };
}

/** Adds the page to the query of a list's address. */
export function writeAskedPage(query: URLSearchParams, { page, all }: AskedPage): void {
  if (page !== null) query.set("page", String(page));
  if (all) query.set("rows", ALL);
}
