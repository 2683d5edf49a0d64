import type { ComponentChildren } from "preact";
import { type Noun, SECTION_OF } from "../../lib/base/nouns.ts";
import { paths } from "../../lib/base/paths.ts";
import { may, type Shell } from "../../lib/web/shell.ts";
import { sortByName } from "../../lib/i18n/by_name.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { ButtonLink, IconLink } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { PageHeader, Title } from "../ui/Page.tsx";
import { type Column, Table } from "../ui/Table.tsx";

interface Named {
  id: number;
  name: string;
}

interface ResourceListProps<Row extends Named> {
  ui: Ui;
  shell: Shell;
  noun: Noun;
  rows: readonly Row[];
  /** Columns between the name and the buttons. */
  columns: Column<Row>[];
  /** Content above the table. */
  children?: ComponentChildren;
}

/**
 * All resources of a kind, by name. People who can manage them get buttons to create, edit and
 * delete.
 */
export function ResourceList<Row extends Named>(
  { ui, shell, noun, rows, columns, children }: ResourceListProps<Row>,
) {
  const { id: projectId, name: projectName } = shell.project;
  const section = SECTION_OF[noun];
  const title = ui.t(`sections.${section}`);
  const mayChange = may(shell, "manage_resources");
  const add = mayChange && (
    <ButtonLink
      kind="primary"
      icon="plus"
      href={ui.href(paths.item(projectId, section, "new"))}
      over
    >
      {ui.t(`resources.${noun}.new`)}
    </ButtonLink>
  );
  const href = (row: Row) => ui.href(paths.item(projectId, section, row.id));
  const name: Column<Row> = {
    label: ui.t("resources.name"),
    kind: "main",
    cell: (row) =>
      mayChange
        ? (
          <a class="clamp font-semibold" title={row.name} href={href(row)} data-over="">
            {row.name}
          </a>
        )
        : row.name,
  };
  const actions: Column<Row> = {
    label: ui.t("lists.actions"),
    kind: "actions",
    cell: (row) => (
      <>
        <IconLink
          icon="delete"
          label={ui.t("actions.delete_named", { name: row.name })}
          href={`${href(row)}/delete`}
          over
        />{" "}
        <IconLink
          icon="edit"
          label={ui.t("actions.edit_named", { name: row.name })}
          href={href(row)}
          over
        />
      </>
    ),
  };
  return (
    <>
      <Title ui={ui} parts={[title, projectName]} />
      <PageHeader title={title} actions={add} />
      {children}
      <Table
        caption={title}
        rows={sortByName(ui.language, rows)}
        rowId={({ id }) => `${noun}-${id}`}
        columns={mayChange ? [name, ...columns, actions] : [name, ...columns]}
        empty={
          <EmptyState icon={section} title={ui.t(`resources.${noun}.empty`)}>
            <p class="m-0 mb-4">{ui.t(`resources.${noun}.about`)}</p>
            {add}
          </EmptyState>
        }
      />
    </>
  );
}
