import type { AskedPage, ListPage } from "../../../lib/base/lists/pages.ts";
import type { Ui } from "../../../lib/i18n/ui.ts";
import { Pagination } from "./Pagination.tsx";

interface ListPagesProps {
  ui: Ui;
  /** The visible page. */
  shown: ListPage<unknown>;
  /** Number of rows on all pages. */
  count: number;
  /** Whether all rows were asked for. */
  all: boolean;
  /** Returns the complete address of a page. */
  at: (page: AskedPage) => string;
}

/** Links to other pages of a long list, and to one with all rows. */
export function ListPages({ ui, shown, count, all, at }: ListPagesProps) {
  const { page, pages, skipped, rows } = shown;
  if (pages === 1 && !all) return null;
  // A page is read from its top.
  const href = (page: number | null, isAll = all) => `${at({ page, all: isAll })}#main`;
  return (
    <Pagination
      ui={ui}
      newest={page > 1 ? href(page - 1) : undefined}
      older={page < pages ? href(page + 1) : undefined}
      labels={[ui.t("lists.previous"), ui.t("lists.next")]}
      shown={{ skipped, rows: rows.length, of: { count } }}
      length={{
        href: href(null, !all),
        label: all
          ? ui.t("lists.show_fewer")
          : ui.t("lists.show_all", { number: ui.number(count) }),
      }}
      stays="push"
    />
  );
}
