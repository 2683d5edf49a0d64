import type { Ui } from "../../lib/i18n/ui.ts";
import { Button } from "../ui/Button.tsx";
import type { Column } from "../ui/Table.tsx";
import { Time } from "../ui/Time.tsx";

/** A column for a member that is a time; `key` is the locale key of its label. */
export const timeColumn = <Member extends string>(
  ui: Ui,
  key: string,
  member: Member,
): Column<Record<Member, string | null>> => ({
  label: ui.t(key),
  named: true,
  cell: (row) => <Time ui={ui} at={row[member]} />,
});

/** A column with a button that removes the row. Its form sends the row's id as `name`. */
export const endColumn = <Row extends { id: string | number }>(
  ui: Ui,
  { action, name, label }: { action: string; name: string; label: string },
  mayEnd: (row: Row) => boolean = () => true,
): Column<Row> => ({
  label: ui.t("lists.actions"),
  kind: "actions",
  cell: (row) =>
    mayEnd(row) && (
      <form method="post" action={action}>
        <Button name={name} value={row.id}>{label}</Button>
      </form>
    ),
});
