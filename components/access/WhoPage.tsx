import { personWith } from "@/lib/base/person.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { EffectiveAccess, Right } from "@/lib/rights/schema.ts";
import { roleLabel } from "@/lib/model/role_label.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { nameColumn } from "../ui/lists/columns.tsx";
import { Table } from "../ui/lists/Table.tsx";
import { Breadcrumb, Title } from "../ui/Page.tsx";

interface WhoPageProps {
  ui: Ui;
  projectName: string;
  /** The template or the workflow, and its page. */
  name: string;
  href: string;
  people: EffectiveAccess[];
  /** Address of the next page; null for the last one. */
  next: string | null;
}

const RIGHTS = ["see", "run", "edit"] as const;
/** Labels of the origins of rights. */
const ORIGINS: Record<Right["origin"], string> = {
  admin: "roles.admin",
  role: "team.role",
  rule: "access.origin.rule",
  view: "access.origin.view",
};
const LABELS = { see: "access.sees", run: "access.runs", edit: "access.edits" };

/** Each member of a project with what they may do with one object, and why. */
export function WhoPage({ ui, projectName, name, href, people, next }: WhoPageProps) {
  const title = ui.t("access.who");
  return (
    <>
      <Title ui={ui} parts={[title, name, projectName]} />
      <Dialog
        ui={ui}
        id="who"
        title={title}
        width="wide"
        above={<Breadcrumb ui={ui} crumbs={[{ label: name, href }]} />}
        close={href}
      >
        <Table<EffectiveAccess>
          caption={title}
          rows={people}
          rowId={({ user_id }) => `person-${user_id}`}
          columns={[
            nameColumn(
              ui,
              "team.name",
              ({ user_id, name }) => ui.person(personWith({ id: user_id, name })),
            ),
            {
              label: ui.t("team.role"),
              kind: "text",
              cell: ({ role }) => roleLabel(ui, role),
            },
            ...RIGHTS.map((right) => ({
              label: ui.t(LABELS[right]),
              kind: "text" as const,
              cell: ({ rights }: EffectiveAccess) => rights && rightText(ui, rights[right]),
            })),
          ]}
        />
        {next && (
          <p>
            <a href={next}>{ui.t("lists.next")}</a>
          </p>
        )}
      </Dialog>
    </>
  );
}

const rightText = (ui: Ui, { allowed, origin }: Right): string =>
  ui.labelled(ui.t(allowed ? "conflict.on" : "conflict.off"), ui.t(ORIGINS[origin]));
