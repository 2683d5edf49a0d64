import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { IntegrationView } from "../../lib/triggers/integrations/schema.ts";
import type {
  ExtractValueView,
  MatcherView,
} from "../../lib/triggers/integrations/rule_schemas.ts";
import { ButtonLink } from "../ui/Button.tsx";
import { Code } from "../ui/lists/cells.tsx";
import { changeColumn, nameColumn } from "../ui/lists/columns.tsx";
import { type Column, Table } from "../ui/lists/Table.tsx";
import { Part } from "./Part.tsx";

interface RulesProps {
  ui: Ui;
  integration: IntegrationView;
  isManager: boolean;
}

/** Values that are extracted from a call. */
export function ExtractValues({ values, ...props }: RulesProps & { values: ExtractValueView[] }) {
  const { ui } = props;
  return (
    <RuleTable
      {...props}
      list="values"
      rows={values}
      columns={[
        {
          label: ui.t("values.value_source"),
          cell: ({ value_source }) => ui.t(`integration_rules.sources.${value_source}`),
        },
        { label: ui.t("values.body_data_type"), cell: bodyType(ui) },
        { label: ui.t("values.key"), kind: "text", cell: ({ key }) => <Code text={key} /> },
        {
          label: ui.t("values.variable"),
          kind: "text",
          cell: ({ variable }) => <Code text={variable} />,
        },
      ]}
    />
  );
}

/** Conditions that a call must match. */
export function Matchers({ matchers, ...props }: RulesProps & { matchers: MatcherView[] }) {
  const { ui } = props;
  return (
    <RuleTable
      {...props}
      list="matchers"
      rows={matchers}
      columns={[
        {
          label: ui.t("matchers.match_type"),
          cell: ({ match_type }) => ui.t(`integration_rules.sources.${match_type}`),
        },
        {
          label: ui.t("matchers.method_column"),
          cell: ({ method }) => ui.t(`matchers.methods.${method}`),
        },
        { label: ui.t("matchers.body_data_type_column"), cell: bodyType(ui) },
        { label: ui.t("matchers.key"), kind: "text", cell: ({ key }) => <Code text={key} /> },
        { label: ui.t("matchers.value"), kind: "text", cell: ({ value }) => <Code text={value} /> },
      ]}
    />
  );
}

const bodyType = (ui: Ui) => ({ body_data_type }: { body_data_type: string }) =>
  ui.t(`integration_rules.body_types.${body_data_type || "none"}`);

type RuleTableProps<Row> = RulesProps & {
  list: "values" | "matchers";
  rows: Row[];
  /** Columns between the name and the buttons. */
  columns: Column<Row>[];
};

function RuleTable<Row extends { id: number; name: string }>(
  { ui, integration, isManager, list, rows, columns }: RuleTableProps<Row>,
) {
  const { project_id, id: integrationId } = integration;
  const href = ({ id }: { id: number | "new" }) =>
    ui.href(paths.integrationRule(project_id, integrationId, list, id));
  const ways = { href, over: true };
  const title = ui.t(`integration_rules.${list}.title`);
  const add = isManager && (
    <ButtonLink icon="plus" href={href({ id: "new" })} over>
      {ui.t(`integration_rules.${list}.new`)}
    </ButtonLink>
  );
  return (
    <Part id={list} title={title} about={ui.t(`integration_rules.${list}.about`)} actions={add}>
      {rows.length > 0 && (
        <Table
          caption={title}
          rows={rows}
          rowId={({ id }) => `${list}-${id}`}
          columns={[
            nameColumn<Row>(ui, "resources.name", ({ name }) =>
              name, isManager ? ways : {}),
            ...columns,
            ...isManager ? [changeColumn<Row>(ui, ways)] : [],
          ]}
        />
      )}
    </Part>
  );
}
