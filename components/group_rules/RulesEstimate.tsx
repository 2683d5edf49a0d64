import { roleLabel } from "@/lib/model/role_label.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { RulesEstimate as Estimate } from "../../lib/people/group_rules/schema.ts";
import { Dash } from "../ui/lists/cells.tsx";
import { nameColumn } from "../ui/lists/columns.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Table } from "../ui/lists/Table.tsx";

/** Roles that people would get by rules that are not saved yet. */
export function RulesEstimate({ ui, estimate: { lines, more } }: { ui: Ui; estimate: Estimate }) {
  const flag = (isSo: boolean) => isSo ? <Icon name="check" label={ui.t("users.yes")} /> : <Dash />;
  return (
    <section id="preview" class="card grid gap-3" aria-labelledby="preview-title">
      <h2 id="preview-title" class="m-0">{ui.t("group_rules.preview_title")}</h2>
      <p class="m-0 text-muted">{ui.t("group_rules.preview_hint")}</p>
      <Table<Estimate["lines"][number]>
        caption={ui.t("group_rules.preview_title")}
        rows={lines}
        empty={<p class="m-0 text-muted">{ui.t("group_rules.preview_none")}</p>}
        columns={[
          nameColumn(ui, "group_rules.person", ({ username }) => username),
          {
            label: ui.t("group_rules.provider"),
            kind: "text",
            cell: ({ provider }) => provider,
          },
          {
            label: ui.t("group_rules.may_sign_in"),
            named: true,
            cell: ({ allowed }) => flag(allowed),
          },
          { label: ui.t("group_rules.admin"), named: true, cell: ({ admin }) => flag(admin) },
          {
            label: ui.t("group_rules.roles"),
            kind: "text",
            cell: ({ roles }) =>
              ui.list(
                roles.map(({ project, role }) => ui.labelled(project, roleLabel(ui, role))),
              ),
          },
        ]}
      />
      {more && <p class="m-0">{ui.t("group_rules.preview_more")}</p>}
    </section>
  );
}
