import type { ComponentChildren } from "preact";
import { RESOURCE_PERMISSIONS } from "../../lib/access/permissions.ts";
import { type Noun, SECTION_OF } from "../../lib/base/nouns.ts";
import { paths } from "../../lib/base/paths.ts";
import type { TableState } from "../../lib/base/lists/table_state.ts";
import { may, type Shell } from "../../lib/web/shell.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { ResourceUse } from "../../lib/uses/schema.ts";
import type { ListColumn } from "../ui/lists/arrange_rows.ts";
import { ButtonLink } from "../ui/Button.tsx";
import { EmptyState } from "../ui/lists/EmptyState.tsx";
import { FilteredTable } from "../ui/lists/FilteredTable.tsx";
import { changeColumn, nameColumn } from "../ui/lists/columns.tsx";
import { PageHeader, Title } from "../ui/Page.tsx";
import { useColumns } from "./use_columns.tsx";

interface Named {
  id: number;
  name: string;
}

interface ResourceListProps<Row extends Named> {
  ui: Ui;
  shell: Shell;
  noun: Noun;
  rows: readonly Row[];
  state: TableState;
  /** The used ones of the resources. Omitted for a kind that nothing can use. */
  uses?: ReadonlyMap<number, ResourceUse>;
  /** Columns between the name and the uses. */
  columns: ListColumn<Row>[];
  /** Links above the title: see Breadcrumb. */
  above?: ComponentChildren;
  /** Content above the table. */
  children?: ComponentChildren;
}

/**
 * All resources of a kind, with what uses them. People who can manage them get buttons to create,
 * edit and delete.
 */
export function ResourceList<Row extends Named>(
  { ui, shell, noun, rows, state, uses, columns, above, children }: ResourceListProps<Row>,
) {
  const { id: projectId, name: projectName } = shell.project;
  const section = SECTION_OF[noun];
  const title = ui.t(`sections.${section}`);
  const mayChange = may(shell, RESOURCE_PERMISSIONS[noun]);
  const ways = { href: ({ id }: Row) => ui.href(paths.item(projectId, section, id)), over: true };
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
  return (
    <>
      <Title ui={ui} parts={[title, projectName]} />
      <PageHeader title={title} above={above} actions={add} />
      {children}
      <FilteredTable
        ui={ui}
        id={noun}
        path={ui.href(paths.section(projectId, section))}
        state={state}
        caption={title}
        rows={rows}
        rowId={({ id }) => `${noun}-${id}`}
        columns={[
          nameColumn<Row>(ui, "resources.name", ({ name }) => name, mayChange ? ways : {}),
          ...columns,
          ...uses ? useColumns<Row>(ui, { shell, noun, uses, state }) : [],
          ...mayChange ? [changeColumn<Row>(ui, ways)] : [],
        ]}
        noMatch={`resources.${noun}.no_match`}
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
