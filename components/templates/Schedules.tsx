import { checksHref, ScheduleCell } from "@/components/schedules/ScheduleCell.tsx";
import { ButtonLink } from "@/components/ui/Button.tsx";
import { Dash } from "@/components/ui/lists/cells.tsx";
import { nameColumn } from "@/components/ui/lists/columns.tsx";
import { Table } from "@/components/ui/lists/Table.tsx";
import { PlannedTime } from "@/components/ui/Time.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import type { ScheduleView } from "@/lib/triggers/schedules/schema.ts";
import type { TemplateNames } from "@/lib/templates/arrange.ts";

/** Number of next runs shown for each schedule. */
const NEXT_RUNS = 3;

interface SchedulesProps {
  ui: Ui;
  template: TemplateView;
  schedules: ScheduleView[];
  names: Pick<TemplateNames, "repository">;
  mayChange: boolean;
}

/** Schedules of a template. People who can change them get buttons for that. */
export function Schedules({ ui, template, schedules, names, mayChange }: SchedulesProps) {
  const { project_id, id } = template;
  const href = (schedule: number | "new") => ui.href(paths.schedule(project_id, schedule, id));
  const add = mayChange && (
    <ButtonLink icon="plus" href={href("new")} over>{ui.t("schedules.add")}</ButtonLink>
  );
  if (schedules.length === 0) return <p class="mb-4">{add}</p>;
  return (
    <section class="mb-4" aria-labelledby="schedules">
      <div class="part-head">
        <h2 id="schedules">
          <a href={ui.href(paths.schedules(project_id, id))}>{ui.t("schedules.title")}</a>
        </h2>
        {add}
      </div>
      <Table<ScheduleView>
        caption={ui.t("schedules.title")}
        rows={schedules}
        rowId={(schedule) => `schedule-${schedule.id}`}
        columns={[
          nameColumn(ui, "schedules.schedule", (schedule) => (
            <ScheduleCell
              ui={ui}
              schedule={schedule}
              href={mayChange ? checksHref(ui, schedule) ?? href(schedule.id) : null}
            />
          )),
          {
            label: ui.t("schedules.new_commits_of"),
            kind: "text",
            cell: ({ repository_id }) => names.repository.get(repository_id ?? 0) ?? <Dash />,
          },
          {
            label: ui.t("schedules.next_runs"),
            kind: "text",
            cell: (schedule) => <NextRuns ui={ui} schedule={schedule} />,
          },
        ]}
      />
    </section>
  );
}

function NextRuns({ ui, schedule }: { ui: Ui; schedule: ScheduleView }) {
  const { active, next_runs, last_error } = schedule;
  const runs = next_runs.slice(0, NEXT_RUNS);
  if (last_error) {
    const reason = ui.tell(last_error);
    const title = [reason, ...runs.map((at) => ui.minute(at))].join("\n");
    return <span class="clamp text-danger" title={title}>{reason}</span>;
  }
  if (!active) return <span class="clamp text-muted">{ui.t("schedules.inactive")}</span>;
  return (
    <span class="clamp" title={runs.map((at) => ui.minute(at)).join("\n")}>
      {runs.map((at, n) => (
        <>
          {n > 0 && " · "}
          <span class="whole">
            <PlannedTime ui={ui} at={at} />
          </span>
        </>
      ))}
    </span>
  );
}
