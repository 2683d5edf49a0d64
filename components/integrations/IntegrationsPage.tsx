import type { AliasView } from "../../lib/triggers/aliases/schema.ts";
import { paths } from "../../lib/base/paths.ts";
import type { TableState } from "../../lib/base/lists/table_state.ts";
import { may, type Shell } from "../../lib/web/shell.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { IntegrationView } from "../../lib/triggers/integrations/schema.ts";
import { ButtonLink } from "../ui/Button.tsx";
import { NameLink } from "../ui/lists/cells.tsx";
import { EmptyState } from "../ui/lists/EmptyState.tsx";
import { changeColumn, nameColumn } from "../ui/lists/columns.tsx";
import { PageHeader, Title } from "../ui/Page.tsx";
import type { ListColumn } from "../ui/lists/arrange_rows.ts";
import { FilteredTable } from "../ui/lists/FilteredTable.tsx";
import { Aliases } from "./Aliases.tsx";

/** An integration with the name of its template or workflow. */
type Row = IntegrationView & { target: string };

interface IntegrationsPageProps {
  ui: Ui;
  shell: Shell;
  integrations: Row[];
  aliases: AliasView[];
  state: TableState;
}

/** The project's integrations, and the addresses that reach all searchable ones. */
export function IntegrationsPage(
  { ui, shell, integrations, aliases, state }: IntegrationsPageProps,
) {
  const { id: projectId, name } = shell.project;
  const title = ui.t("sections.integrations");
  const isManager = may(shell, "manage_triggers");
  const add = isManager && (
    <ButtonLink kind="primary" icon="plus" href={ui.href(paths.integration(projectId, "new"))} over>
      {ui.t("integrations.new")}
    </ButtonLink>
  );
  const ways = { href: ({ id }: Row) => ui.href(paths.integration(projectId, id)) };
  const columns = columnsOf(ui, ways);
  return (
    <>
      <Title ui={ui} parts={[title, name]} />
      <PageHeader title={title} actions={add} />
      {isManager && (
        <Aliases
          ui={ui}
          projectId={projectId}
          integrationId={null}
          aliases={aliases}
        />
      )}
      <FilteredTable
        ui={ui}
        id="integrations"
        path={ui.href(paths.section(projectId, "integrations"))}
        state={state}
        noMatch="integrations.no_match"
        caption={title}
        rows={integrations}
        rowId={({ id }) => `integration-${id}`}
        columns={isManager ? [...columns, changeColumn(ui, ways)] : columns}
        empty={
          <EmptyState icon="integrations" title={ui.t("integrations.empty")}>
            <p class="m-0 mb-4">{ui.t("integrations.about")}</p>
          </EmptyState>
        }
      />
    </>
  );
}

function columnsOf(ui: Ui, ways: { href: (row: Row) => string }): ListColumn<Row>[] {
  return [
    nameColumn(ui, "integrations.name", ({ name }) => name, ways),
    {
      id: "template",
      label: ui.t("schedules.starts"),
      kind: "text",
      value: ({ target }) => target,
      cell: ({ project_id, target, ...ids }) => (
        <NameLink text={target} href={ui.href(paths.startTarget(project_id, ids))} />
      ),
    },
  ];
}
