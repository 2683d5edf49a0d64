import type { AliasView } from "../../lib/triggers/aliases/schema.ts";
import { paths } from "../../lib/base/paths.ts";
import { may, type Shell } from "../../lib/web/shell.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { IntegrationSort, IntegrationView } from "../../lib/triggers/integrations/schema.ts";
import { ButtonLink, IconLink } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { PageHeader, Title } from "../ui/Page.tsx";
import { type Column, Table } from "../ui/Table.tsx";
import { Aliases } from "./Aliases.tsx";

/** An integration with the name of its template. */
type Row = IntegrationView & { template: string };

interface IntegrationsPageProps {
  ui: Ui;
  shell: Shell;
  integrations: Row[];
  aliases: AliasView[];
  sort: IntegrationSort;
}

/** The project's integrations, and the addresses that reach all searchable ones. */
export function IntegrationsPage(
  { ui, shell, integrations, aliases, sort }: IntegrationsPageProps,
) {
  const { id: projectId, name } = shell.project;
  const title = ui.t("sections.integrations");
  const isManager = may(shell, "manage_resources");
  const add = isManager && (
    <ButtonLink kind="primary" icon="plus" href={ui.href(paths.integration(projectId, "new"))} over>
      {ui.t("integrations.new")}
    </ButtonLink>
  );
  const columns = columnsOf(ui, projectId, sort);
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
      <Table
        caption={title}
        rows={integrations}
        rowId={({ id }) => `integration-${id}`}
        columns={isManager ? [...columns, actions(ui)] : columns}
        empty={
          <EmptyState icon="integrations" title={ui.t("integrations.empty")}>
            <p class="m-0 mb-4">{ui.t("integrations.about")}</p>
          </EmptyState>
        }
      />
    </>
  );
}

function columnsOf(ui: Ui, projectId: number, sort: IntegrationSort): Column<Row>[] {
  return [
    {
      label: ui.t("integrations.name"),
      kind: "main",
      sort: sortBy(ui, projectId, sort, "name"),
      cell: ({ project_id, id, name }) => (
        <a
          class="clamp font-semibold"
          title={name}
          href={ui.href(paths.integration(project_id, id))}
        >
          {name}
        </a>
      ),
    },
    {
      label: ui.t("integrations.template"),
      kind: "text",
      sort: sortBy(ui, projectId, sort, "template"),
      cell: ({ project_id, template_id, template }) => (
        <a class="clamp" title={template} href={ui.href(paths.template(project_id, template_id))}>
          {template}
        </a>
      ),
    },
  ];
}

const actions = (ui: Ui): Column<Row> => ({
  label: ui.t("lists.actions"),
  kind: "actions",
  cell: ({ project_id, id, name }) => {
    const href = ui.href(paths.integration(project_id, id));
    return (
      <>
        <IconLink
          icon="delete"
          label={ui.t("actions.delete_named", { name })}
          href={`${href}/delete`}
          over
        />{" "}
        <IconLink icon="edit" label={ui.t("actions.edit_named", { name })} href={href} />
      </>
    );
  },
});

/** Link that sorts the list by a column, or reverses the order if it is already sorted by it. */
function sortBy(
  ui: Ui,
  projectId: number,
  { sort, order }: IntegrationSort,
  column: IntegrationSort["sort"],
): Column<Row>["sort"] {
  const isSorted = sort === column;
  const next = isSorted && order === "asc" ? "desc" : "asc";
  const list = ui.href(paths.section(projectId, "integrations"));
  return {
    href: `${list}?sort=${column}&order=${next}`,
    order: isSorted ? (order === "asc" ? "ascending" : "descending") : undefined,
  };
}
