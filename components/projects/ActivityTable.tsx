import type { ComponentChildren } from "preact";
import { eventDescription } from "../../lib/events/description.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { Activity } from "../../lib/tasks/activity.ts";
import { Name } from "../ui/cells.tsx";
import { StatusChip } from "../ui/StatusChip.tsx";
import { Table } from "../ui/Table.tsx";
import { Duration, Time } from "../ui/Time.tsx";
import { activityPath } from "./activity_path.ts";

interface ActivityTableProps {
  ui: Ui;
  projectId: number;
  mayManage: boolean;
  activity: Activity[];
  now: Date;
  /** Stands in for the table when nothing is listed. */
  empty: ComponentChildren;
}

/** What happened in a project, newest first; of a task in one line how it began and ended. */
export function ActivityTable({ activity, now, empty, ...reader }: ActivityTableProps) {
  const { ui } = reader;
  return (
    <div class="activity">
      <Table
        caption={ui.t("dashboard.activity")}
        rows={activity}
        rowId={({ id }) => `event-${id}`}
        empty={empty}
        columns={[
          {
            label: ui.t("dashboard.event.description"),
            kind: "main",
            cell: (one) => <What {...reader} activity={one} />,
          },
          {
            label: ui.t("dashboard.event.outcome"),
            cell: ({ run }) =>
              run && (
                <span class="outcome">
                  <StatusChip ui={ui} status={run.status} />
                  {run.start && <Duration ui={ui} start={run.start} end={run.end} now={now} />}
                </span>
              ),
          },
          { label: ui.t("dashboard.event.user"), cell: ({ username }) => <Name text={username} /> },
          {
            label: ui.t("dashboard.event.time"),
            cell: ({ created }) => <Time ui={ui} at={created} now={now} />,
          },
        ]}
      />
    </div>
  );
}

/** The sentence, as a link to what it is about while that is there. */
function What(
  { ui, projectId, mayManage, activity }: Omit<ActivityTableProps, "activity" | "now" | "empty"> & {
    activity: Activity;
  },
) {
  const text = ui.tell(eventDescription(activity));
  const path = activityPath(projectId, activity, mayManage);
  if (!path) return <Name text={text} />;
  return <a class="clamp" title={text} href={ui.href(path)} data-over={isTask(activity)}>{text}</a>;
}

const isTask = ({ object_type }: Activity) => object_type === "task" || undefined;
