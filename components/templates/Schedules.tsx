import { Dash } from "@/components/ui/cells.tsx";
import { Table } from "@/components/ui/Table.tsx";
import { PlannedTime } from "@/components/ui/Time.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ScheduleView } from "@/lib/triggers/schedules/schema.ts";
import type { TemplateNames } from "@/lib/templates/arrange.ts";

/** Coming times that are told of each schedule. */
const NEXT_RUNS = 3;

interface SchedulesProps {
  ui: Ui;
  schedules: ScheduleView[];
  names: Pick<TemplateNames, "repository">;
}

/** When a template is run by itself. */
export function Schedules({ ui, schedules, names }: SchedulesProps) {
  return (
    <>
      <h2>{ui.t("schedules.title")}</h2>
      <Table
        caption={ui.t("schedules.title")}
        rows={schedules}
        columns={[
          {
            label: ui.t("schedules.schedule"),
            kind: "main",
            cell: (schedule) => <When ui={ui} schedule={schedule} />,
          },
          {
            label: ui.t("schedules.new_commits_of"),
            cell: ({ repository_id }) => names.repository.get(repository_id ?? 0) ?? <Dash />,
          },
          {
            label: ui.t("schedules.next_runs"),
            kind: "text",
            cell: ({ active, next_runs, last_error }) => (
              <div>
                {!active && <div class="text-muted">{ui.t("schedules.inactive")}</div>}
                {next_runs.slice(0, NEXT_RUNS).map((at) => (
                  <div>
                    <PlannedTime ui={ui} at={at} />
                  </div>
                ))}
                {last_error && <div class="text-danger">{last_error}</div>}
              </div>
            ),
          },
        ]}
      />
    </>
  );
}

/** A schedule's times as they were written, with its name and time zone where it has them. */
export function When({ ui, schedule }: { ui: Ui; schedule: ScheduleView }) {
  const { name, type, cron_format, run_at, timezone } = schedule;
  return (
    <>
      {type === "run_at" ? <PlannedTime ui={ui} at={run_at} /> : <code>{cron_format}</code>}
      {[name, timezone].filter(Boolean).map((text) => (
        <div class="clamp text-muted text-sm">{text}</div>
      ))}
    </>
  );
}
