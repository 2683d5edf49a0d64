import { DriftTotals } from "./DriftTotals.tsx";
import { EmptyState } from "@/components/ui/lists/EmptyState.tsx";
import { PageHeader, Title } from "@/components/ui/Page.tsx";
import { Pagination } from "@/components/ui/lists/Pagination.tsx";
import { Table } from "@/components/ui/lists/Table.tsx";
import { Dash } from "@/components/ui/lists/cells.tsx";
import { nameColumn } from "@/components/ui/lists/columns.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ProjectDrift } from "@/lib/maintenance/projects/drift.ts";

interface AllDriftPageProps {
  ui: Ui;
  projects: ProjectDrift[];
  /** Number of projects up to the end of the page, if there are more. */
  next: number | null;
  isFirst: boolean;
}

/** The drift of the hosts of all projects that a person can see. */
export function AllDriftPage({ ui, projects, next, isFirst }: AllDriftPageProps) {
  const page = ui.href(paths.allDrift());
  return (
    <>
      <Title ui={ui} parts={[ui.t("sections.drift")]} />
      <PageHeader title={ui.t("drift.all_projects")} />
      <Table<ProjectDrift>
        caption={ui.t("drift.all_projects")}
        rows={projects}
        rowId={({ id }) => `project-${id}`}
        empty={<EmptyState icon="drift" title={ui.t("drift.empty")} />}
        columns={[
          nameColumn(ui, "queue.project", ({ name }) => name, {
            href: ({ id }) => ui.href(paths.section(id, "drift")),
          }),
          {
            label: ui.t("drift.state"),
            kind: "text",
            cell: ({ id, hosts }) =>
              Object.values(hosts).some((count) => count > 0)
                ? (
                  <DriftTotals
                    ui={ui}
                    counts={hosts}
                    hrefOf={(state) => `${ui.href(paths.section(id, "drift"))}?state=${state}`}
                  />
                )
                : <Dash />,
          },
        ]}
      />
      <Pagination
        ui={ui}
        newest={isFirst ? undefined : page}
        older={next === null ? undefined : `${page}?skip=${next}`}
        labels={[ui.t("hosts.first"), ui.t("lists.next")]}
      />
    </>
  );
}
