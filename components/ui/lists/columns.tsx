import type { ComponentChildren } from "preact";
import type { Ui } from "../../../lib/i18n/ui.ts";
import type { ListColumn } from "./arrange_rows.ts";
import { Button } from "../Button.tsx";
import { Code, Name, NameLink, type NameLinkProps } from "./cells.tsx";
import { ChangeLinks } from "./ChangeLinks.tsx";
import { Time } from "../Time.tsx";

type Cell<Row> = (row: Row) => ComponentChildren;

interface NameOptions<Row> extends Partial<ListColumn<Row>>, Pick<NameLinkProps, "over" | "stay"> {
  /** Returns the complete address that the name leads to, and null if there is none. */
  href?: (row: Row) => string | null;
  /** Whether programs use the names. */
  code?: boolean;
}

/** The column that leads a row. Texts are names; anything else is shown as it is. */
export const nameColumn = <Row,>(
  ui: Ui,
  key: string,
  name: Cell<Row>,
  { href, over, stay, code, ...more }: NameOptions<Row> = {},
): ListColumn<Row> => ({
  id: "name",
  label: ui.t(key),
  kind: "main",
  value: (row) => {
    const text = name(row);
    return typeof text === "string" ? text : null;
  },
  cell: (row) => {
    const text = name(row);
    if (typeof text !== "string") return text;
    const at = href?.(row);
    if (at) return <NameLink text={text} href={at} over={over} stay={stay} />;
    return code ? <Code text={text} /> : <Name text={text} />;
  },
  ...more,
});

/** The state of a row, as a chip. On phones it has a line of its own. */
export const stateColumn = <Row,>(
  ui: Ui,
  key: string,
  cell: Cell<Row>,
  more: Partial<ListColumn<Row>> = {},
): ListColumn<Row> => ({ label: ui.t(key), kind: "status", cell, ...more });

type Timed<Member extends string> = Record<Member, string | null>;

interface WhenOptions<Row> extends Partial<ListColumn<Row>> {
  now?: Date;
  /** Whether a script keeps the times up to date. */
  ticks?: boolean;
}

/** A member that is a time. Cards show its label unless it is not `named`. */
export const whenColumn = <Member extends string>(
  ui: Ui,
  key: string,
  member: Member,
  { now, ticks, ...more }: WhenOptions<Timed<Member>> = {},
): ListColumn<Timed<Member>> => ({
  label: ui.t(key),
  named: true,
  cell: (row) => <Time ui={ui} at={row[member]} now={now} ticks={ticks} />,
  ...more,
});

/** The buttons at the end of a row. */
export const actionsColumn = <Row,>(ui: Ui, cell: Cell<Row>): ListColumn<Row> => ({
  label: ui.t("lists.actions"),
  kind: "actions",
  cell,
});

interface Ways<Row> {
  /** Complete address of the page or dialog that changes a row. */
  href: (row: Row) => string;
  /** Whether it opens over the list. */
  over?: boolean;
}

/** Buttons that delete and edit a row. */
export const changeColumn = <Row extends { name: string }>(
  ui: Ui,
  { href, over }: Ways<Row>,
): ListColumn<Row> =>
  actionsColumn(ui, (row) => (
    <ChangeLinks
      ui={ui}
      name={row.name}
      remove={`${href(row)}/delete`}
      edit={href(row)}
      over={over}
    />
  ));

/** A button that removes the row. Its form sends the row's id as `name`. */
export const endColumn = <Row extends { id: string | number }>(
  ui: Ui,
  { action, name, label }: { action: string; name: string; label: string },
  mayEnd: (row: Row) => boolean = () => true,
): ListColumn<Row> =>
  actionsColumn(ui, (row) =>
    mayEnd(row) && (
      <form method="post" action={action}>
        <Button name={name} value={row.id}>{label}</Button>
      </form>
    ));
