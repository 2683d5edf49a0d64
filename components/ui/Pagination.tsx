import type { Place } from "../../lib/kv/counted.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { ButtonLink } from "./Button.tsx";

/** Which rows of a list are shown. */
interface Shown extends Place {
  rows: number;
}

interface PaginationProps {
  ui: Ui;
  /** Of those that are told anew while they are looked at. */
  id?: string;
  /** The way back; without it there is none. */
  newest?: string;
  /** The way on. */
  older?: string;
  /** What the two are called where rows are not in the order of time. */
  labels?: [back: string, on: string];
  /** A page's script merges the other pages into this one. */
  stays?: boolean;
  shown?: Shown;
}

/** Which rows of a list are shown, of how many, and ways to the others. */
export function Pagination({ ui, id, newest, older, labels, stays, shown }: PaginationProps) {
  if (!newest && !older && !shown?.rows) return null;
  const [back, on] = labels ?? [ui.t("lists.newest"), ui.t("lists.older")];
  const text = shown && shown.rows > 0 && <p>{shownText(ui, shown)}</p>;
  if (!newest && !older) return <div id={id} class="pagination">{text}</div>;
  return (
    <nav id={id} class="pagination" aria-label={ui.t("lists.pages")}>
      {newest && <ButtonLink href={newest} icon="chevron_left" stays={stays}>{back}</ButtonLink>}
      {text}
      {older && <ButtonLink href={older} class="ml-auto" stays={stays}>{on}</ButtonLink>}
    </nav>
  );
}

interface NewestFirstProps {
  ui: Ui;
  /** Of the list, complete, and what else its address says. */
  path: string;
  query?: URLSearchParams;
  isFirst: boolean;
  rows: { id: number | string }[];
  hasNext: boolean;
  place: Place;
}

/** The same of a list that begins with the newest, where an address names the row before a page. */
export function NewestFirst(props: NewestFirstProps) {
  const { ui, path, query = [], isFirst, rows, hasNext, place } = props;
  const at = (more: [string, string][]) => {
    const asked = new URLSearchParams([...query, ...more]);
    return asked.size > 0 ? `${path}?${asked}` : path;
  };
  return (
    <Pagination
      ui={ui}
      id={isFirst ? "pages" : undefined}
      newest={isFirst ? undefined : at([])}
      older={hasNext ? at([["before", String(rows.at(-1)!.id)]]) : undefined}
      shown={{ ...place, rows: rows.length }}
    />
  );
}

/** "21–40 of 443", or "20 of 1,000+". */
function shownText(ui: Ui, { skipped, rows, of: { count, isMore } }: Shown): string {
  const total = isMore ? ui.t("lists.at_least", { number: count }) : ui.number(count);
  if (skipped === null) return ui.t("lists.shown_of", { rows, total });
  return ui.t("lists.range_of", { from: skipped + 1, to: skipped + rows, total });
}
