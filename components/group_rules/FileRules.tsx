import type { Ui } from "../../lib/i18n/ui.ts";
import type { FileRuleView } from "../../lib/people/group_rules/schema.ts";
import { nameColumn } from "../ui/lists/columns.tsx";
import { Table } from "../ui/lists/Table.tsx";
import { givesLabel } from "./RuleFields.tsx";

interface FileRulesProps {
  ui: Ui;
  rules: FileRuleView[];
  projects: { id: number; name: string }[];
}

/** The rules that can be changed only in the server's file. */
export const FileRules = ({ ui, rules, projects }: FileRulesProps) => (
  <section class="card grid gap-3" aria-labelledby="file-rules">
    <h2 id="file-rules" class="m-0">{ui.t("group_rules.by_file")}</h2>
    <p class="m-0 text-muted">{ui.t("group_rules.by_file_hint")}</p>
    <Table<FileRuleView>
      caption={ui.t("group_rules.by_file")}
      rows={rules}
      columns={[
        nameColumn(ui, "group_rules.value", ({ value }) =>
          value),
        {
          label: ui.t("group_rules.claim"),
          kind: "text",
          cell: ({ claim }) =>
            claim,
        },
        {
          label: ui.t("group_rules.provider"),
          kind: "text",
          cell: ({ provider }) => provider || ui.t("group_rules.any_provider"),
        },
        {
          label: ui.t("group_rules.gives"),
          kind: "text",
          cell: ({ gives }) => givesLabel(ui, gives),
        },
        {
          label: ui.t("group_rules.project"),
          kind: "text",
          cell: ({ project_id, project, problem }) =>
            problem
              ? ui.t(`group_rules.file_${problem}`, { name: String(project) })
              : projects.find(({ id }) => id === project_id)?.name ?? "",
        },
      ]}
    />
  </section>
);
