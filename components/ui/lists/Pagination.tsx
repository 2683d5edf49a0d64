import type { ListPosition } from "../../../lib/store/counted.ts";
import type { Ui } from "../../../lib/i18n/ui.ts";
import { ButtonLink } from "../Button.tsx";

/** The visible rows of a list. */
interface Shown extends ListPosition {
  rows: number;
}

interface PaginationProps {
  ui: Ui;
  /** Id for the event stream, which updates the numbers. */
  id?: string;
  /** Address of the previous page, if there is one. */
  newest?: string;
  /** Address of the next page, if there is one. */
  older?: string;
  /** Labels of the two links if rows are not in chronological order. */
  labels?: [back: string, on: string];
  /** The page's script merges the other pages into this one, as `ButtonLink` says. */
  stays?: boolean | "push";
  shown?: Shown;
  /** Further link, to another length of the page. */
  length?: { href: string; label: string };
}

/** The range of visible rows, their total, and links to other pages. */
export function Pagination(props: PaginationProps) {
  const { ui, id, newest, older, labels, stays, shown, length } = props;
  if (!newest && !older && !shown?.rows) return null;
  const [back, on] = labels ?? [ui.t("lists.newest"), ui.t("lists.older")];
  const text = shown && shown.rows > 0 && <p>{shownText(ui, shown)}</p>;
  if (!newest && !older && !length) return <div id={id} class="pagination">{text}</div>;
  return (
    <nav id={id} class="pagination" aria-label={ui.t("lists.pages")}>
      {newest && <ButtonLink href={newest} icon="chevron_left" stays={stays}>{back}</ButtonLink>}
      {text}
      {length && <a href={length.href} aria-current="false" data-stay={stays}>{length.label}</a>}
      {older && <ButtonLink href={older} class="ml-auto" stays={stays}>{on}</ButtonLink>}
    </nav>
  );
}

interface NewestFirstProps {
  ui: Ui;
  /** Complete path of the list, and its further parameters. */
  path: string;
  query?: URLSearchParams;
  isFirst: boolean;
  rows: { id: number | string }[];
  hasNext: boolean;
  /** The value of `before` for the next page; by default the id of the last row. */
  next?: number | null;
  position: ListPosition;
}

/** Pagination of a list in reverse order, whose address names the row before the page. */
export function NewestFirst(props: NewestFirstProps) {
  const { ui, path, query = [], isFirst, rows, hasNext, next, position } = props;
  const at = (more: [string, string][]) => {
    const asked = new URLSearchParams([...query, ...more]);
    return asked.size > 0 ? `${path}?${asked}` : path;
  };
  return (
    <Pagination
      ui={ui}
      id={isFirst ? "pages" : undefined}
      newest={isFirst ? undefined : at([])}
      older={hasNext ? at([["before", String(next ?? rows.at(-1)?.id)]]) : undefined}
      shown={{ ...position, rows: rows.length }}
    />
  );
}

/** Returns "21–40 of 443", or "20 of 1,000+". */
function shownText(ui: Ui, { skipped, rows, of: { count, isMore } }: Shown): string {
  const total = isMore ? ui.t("lists.at_least", { number: count }) : ui.number(count);
  if (skipped === null) return ui.t("lists.shown_of", { rows, total });
  return ui.t("lists.range_of", { from: skipped + 1, to: skipped + rows, total });
}
