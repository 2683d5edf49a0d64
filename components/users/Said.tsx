import type { Ui } from "../../lib/i18n/ui.ts";
import type { SaidView } from "../../lib/people/group_rules/service.ts";
import { AccessPart } from "../access/AccessPart.tsx";
import { givesLabel } from "../group_rules/RuleFields.tsx";
import { Dash } from "../ui/lists/cells.tsx";
import { nameColumn } from "../ui/lists/columns.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Table } from "../ui/lists/Table.tsx";
import { Time } from "../ui/Time.tsx";

interface SaidProps {
  ui: Ui;
  said: SaidView;
  /** The provider's name. */
  name: string;
}

/** Claims of a person's last sign-in with a provider, and the outcome of each group rule. */
export function Said({ ui, said: { provider, last_used, claims, rules }, name }: SaidProps) {
  const title = ui.t("said.title", { name });
  return (
    <AccessPart id={`said-${provider}`} title={title} actions={<Time ui={ui} at={last_used} />}>
      <Table<SaidView["claims"][number]>
        caption={title}
        rows={claims}
        empty={<p class="m-0 text-muted">{ui.t("said.nothing")}</p>}
        columns={[
          nameColumn(ui, "group_rules.claim", ({ name }) =>
            name),
          {
            label: ui.t("said.value"),
            kind: "text",
            cell: ({ text }) =>
              text,
          },
        ]}
      />
      {rules.length > 0 && (
        <Table<SaidView["rules"][number]>
          caption={ui.t("group_rules.title")}
          rows={rules}
          columns={[
            nameColumn(ui, "group_rules.gives", ({ rule, project }) => {
              const gives = givesLabel(ui, rule.gives);
              return project ? ui.labelled(project, gives) : gives;
            }),
            {
              label: ui.t("said.matches"),
              named: true,
              cell: ({ isMatch }) =>
                isMatch ? <Icon name="check" label={ui.t("users.yes")} /> : <Dash />,
            },
            {
              label: ui.t("said.why"),
              kind: "text",
              cell: ({ why }) => ui.tell(why),
            },
          ]}
        />
      )}
    </AccessPart>
  );
}
