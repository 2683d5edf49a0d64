import { ChoiceBox } from "./ChoiceBar.tsx";
import { nameColumn } from "@/components/ui/lists/columns.tsx";
import { type Column, Table } from "@/components/ui/lists/Table.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { TemplateDrift } from "@/lib/drift/schema.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";

interface DifferingTableProps {
  ui: Ui;
  projectId: number;
  templates: TemplateDrift[];
  /** Whether the hosts can be chosen. */
  mayFix: boolean;
}

/** An Ansible task that hosts of a template need. */
type Differing =
  & Pick<TemplateDrift, "template_id" | "template_name">
  & TemplateDrift["differing"][number];

/** Rows of the table. The pages of the templates have the others. */
const SHOWN_MAX = 20;

/** The Ansible tasks that would change hosts, each with their number, most first. */
export function DifferingTable({ ui, projectId, templates, mayFix }: DifferingTableProps) {
  const rows = templates.flatMap(({ template_id, template_name, differing }) =>
    differing.map((one): Differing => ({ template_id, template_name, ...one }))
  ).toSorted((a, b) => b.hosts - a.hosts).slice(0, SHOWN_MAX);
  if (rows.length === 0) return null;
  return (
    <section id="differing" class="mb-4" aria-labelledby="differing-title">
      <h2 id="differing-title">{ui.t("drift.changes_title")}</h2>
      <Table
        caption={ui.t("drift.changes_title")}
        rows={rows}
        rowId={({ template_id, play_task }) =>
          `differs-${template_id}-${encodeURIComponent(play_task)}`}
        columns={columnsOf(ui, projectId, mayFix)}
      />
    </section>
  );
}

const columnsOf = (ui: Ui, projectId: number, mayFix: boolean): Column<Differing>[] => [
  ...mayFix
    ? [{
      label: ui.t("drift.choose"),
      heading: " ",
      cell: ({ template_id, play_task }: Differing) => (
        <ChoiceBox ui={ui} kind="group" template={template_id} name={play_task} />
      ),
    }]
    : [],
  nameColumn<Differing>(ui, "results.play_task", ({ play_task }) => visible(play_task), {
    href: ({ template_id }) =>
      `${ui.href(paths.templateDrift(projectId, template_id))}#drift-changes`,
  }),
  {
    label: ui.t("drift.differ"),
    named: true,
    cell: ({ hosts }) => ui.t("start_task.hosts", { count: hosts }),
  },
  nameColumn<Differing>(ui, "schedules.template", ({ template_name }) => template_name, {
    kind: "text",
    href: ({ template_id }) => ui.href(paths.templateDrift(projectId, template_id)),
  }),
];
