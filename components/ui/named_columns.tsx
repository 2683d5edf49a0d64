import type { Ui } from "../../lib/i18n/ui.ts";
import type { ListColumn } from "./arrange_rows.ts";
import { ChangeLinks } from "./ChangeLinks.tsx";

interface Named {
  id: number;
  name: string;
}

interface Ways<Row> {
  /** Complete address of the page or dialog that changes a row. */
  href: (row: Row) => string;
  /** Whether it opens over the list. */
  over?: boolean;
}

/** The names that lead the rows of a list, with links for people who can change the rows. */
export const nameColumn = <Row extends Named>(
  label: string,
  ways: Ways<Row> | null,
): ListColumn<Row> => ({
  id: "name",
  label,
  kind: "main",
  value: ({ name }) => name,
  cell: (row) =>
    ways
      ? (
        <a
          class="clamp font-semibold"
          title={row.name}
          href={ways.href(row)}
          data-over={ways.over ? "" : undefined}
        >
          {row.name}
        </a>
      )
      : row.name,
});

/** Buttons that delete and edit a row. */
export const changeColumn = <Row extends Named>(
  ui: Ui,
  { href, over }: Ways<Row>,
): ListColumn<Row> => ({
  label: ui.t("lists.actions"),
  kind: "actions",
  cell: (row) => (
    <ChangeLinks
      ui={ui}
      name={row.name}
      remove={`${href(row)}/delete`}
      edit={href(row)}
      over={over}
    />
  ),
});
