import type { RestoreReport } from "../../lib/maintenance/backup/schema.ts";
import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { Alert } from "../ui/Alert.tsx";
import { ButtonLink } from "../ui/Button.tsx";
import { nameColumn } from "../ui/lists/columns.tsx";
import { Table } from "../ui/lists/Table.tsx";

interface RestoredProps {
  ui: Ui;
  project: { id: number; name: string };
  report: RestoreReport;
}

/** Result of restoring a backup, with the steps that are left to do. */
export function Restored({ ui, project, report }: RestoredProps) {
  const { left_out, inactive_schedules, secrets } = report;
  const leftOut = ui.t("projects.restore.left_out", { count: left_out.length });
  const logins = secrets.filter(({ kind }) => kind === "repository");
  const inactive = ui.t("projects.restore.inactive", { count: inactive_schedules.length });
  return (
    <div class="grid grid-cols-1 gap-4">
      <Alert kind="success">
        {ui.t("projects.restore.done", { name: project.name })}{" "}
        {secrets.length > 0 && ui.t("projects.restore.secrets")}
      </Alert>
      {left_out.length > 0 && (
        <section>
          <h2>{leftOut}</h2>
          <Table<RestoreReport["left_out"][number]>
            caption={leftOut}
            rows={left_out}
            columns={[
              nameColumn(ui, "projects.restore.entry", ({ name }) => name),
              { label: ui.t("projects.restore.list"), cell: ({ kind }) => <code>{kind}</code> },
              {
                label: ui.t("projects.restore.reason"),
                kind: "text",
                cell: (row) => ui.tell(row.reason),
              },
            ]}
          />
        </section>
      )}
      {inactive_schedules.length > 0 && (
        <section>
          <h2>{inactive}</h2>
          <p>{ui.t("projects.restore.inactive_about")}</p>
          <Table<RestoreReport["inactive_schedules"][number]>
            caption={inactive}
            rows={inactive_schedules}
            columns={[
              nameColumn(ui, "projects.restore.template", ({ template }) => template),
              {
                label: ui.t("projects.restore.cron"),
                cell: (row) => <code>{row.cron_format}</code>,
              },
            ]}
          />
        </section>
      )}
      {logins.length > 0 && (
        <section>
          <h2>{ui.t("projects.restore.logins")}</h2>
          <p>{ui.t("projects.restore.logins_about")}</p>
          <ul>{logins.map(({ name }, n) => <li key={n}>{name}</li>)}</ul>
        </section>
      )}
      <p>
        <ButtonLink kind="primary" href={ui.href(paths.section(project.id, "templates"))}>
          {ui.t("projects.restore.open")}
        </ButtonLink>
      </p>
    </div>
  );
}
