import { triggerName } from "@/components/tasks/trigger_name.ts";
import type { ComponentChildren } from "preact";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { RecordedPerson } from "../../lib/base/person.ts";
import { visible } from "../../lib/i18n/visible.ts";
import type { Activity } from "../../lib/tasks/history/activity.ts";
import { Name } from "../ui/lists/cells.tsx";
import { nameColumn, whenColumn } from "../ui/lists/columns.tsx";
import { briefLook, Reason } from "../ui/Reason.tsx";
import { Sentence } from "../ui/Sentence.tsx";
import { StatusChip } from "../ui/StatusChip.tsx";
import { type Column, Table, TableRow } from "../ui/lists/Table.tsx";
import { Duration } from "../ui/Time.tsx";
import { paths } from "../../lib/base/paths.ts";
import { beginsTask, eventDescription } from "../../lib/events/schema.ts";

interface Reader {
  ui: Ui;
  /** Null for the activity of the server. */
  projectId: number | null;
  mayManage: boolean;
  now: Date;
  /** People with their present names, by user id. */
  people: ReadonlyMap<number, RecordedPerson>;
}

interface ActivityTableProps extends Reader {
  activity: Activity[];
  /** On the first page, the list that new lines are added to. */
  live?: { id: string; limit: number };
  /** Shown instead of the table if it is empty. */
  empty: ComponentChildren;
}

/** Activity of a project, latest first. The start and end of a task share one line. */
export function ActivityTable({ activity, live, empty, ...reader }: ActivityTableProps) {
  return (
    <div class="activity">
      <Table
        caption={reader.ui.t("dashboard.activity")}
        rows={activity}
        rowId={rowId}
        live={live}
        empty={empty}
        columns={columnsOf(reader)}
      />
    </div>
  );
}

/** One line, to be merged into a page that shows others. `into` names its list if it is new. */
export function ActivityRow(
  { activity, into, ...reader }: Reader & { activity: Activity; into?: string },
) {
  const announcement = into && reader.ui.tell(eventDescription(activity));
  const columns = columnsOf(reader);
  return <TableRow row={activity} rowId={rowId} columns={columns} news={{ into, announcement }} />;
}

const rowId = ({ id }: Activity) => `event-${id}`;

function columnsOf(reader: Reader): Column<Activity>[] {
  const { ui, now } = reader;
  return [
    nameColumn(ui, "dashboard.event.description", (one) => <What {...reader} activity={one} />),
    {
      label: ui.t("dashboard.event.outcome"),
      kind: "text",
      cell: ({ run, ending, ...activity }) =>
        run
          ? <Outcome ui={ui} now={now} run={run} />
          : ending && <Ending {...reader} action={activity.action} ending={ending} />,
    },
    {
      label: ui.t("dashboard.event.user"),
      kind: "text",
      cell: (one) => <Name text={personText(reader, one)} />,
    },
    whenColumn(ui, "dashboard.event.time", "created", { now, named: false }),
    {
      label: ui.t("activity.changes"),
      cell: ({ id, fields }) => (
        <a href={ui.href(paths.activity(reader.projectId, id))}>
          {fields > 0 ? ui.t("activity.fields", { count: fields }) : ui.t("tasks.details")}
        </a>
      ),
    },
  ];
}

const Outcome = (
  { ui, now, run: { status, start, end, reason } }:
    & Pick<Reader, "ui" | "now">
    & { run: NonNullable<Activity["run"]> },
) => (
  <>
    <span class="outcome">
      <StatusChip ui={ui} status={status} />
      {start && <Duration ui={ui} start={start} end={end} now={now} />}
    </span>
    {reason && <Reason {...{ ui, reason }} brief class={briefLook(status === "error")} />}
  </>
);

/** Why a run of a workflow ended, with a link to the task that explains it. */
function Ending(
  { ui, projectId, action, ending: { reason, task } }: Pick<Reader, "ui" | "projectId"> & {
    action: string;
    ending: NonNullable<Activity["ending"]>;
  },
) {
  const output = task && projectId !== null
    ? ui.href(paths.over(paths.section(projectId, "activity"), task.id))
    : undefined;
  return (
    <>
      {task && output && (
        <a href={output} data-over aria-current="false">{`${ui.t("tasks.task")} #${task.id}`}</a>
      )}
      <Reason {...{ ui, reason, output }} over brief class={briefLook(action.endsWith("failed"))} />
    </>
  );
}

/** The sentence, in which the object is a link if it still exists. */
function What({ activity, ...reader }: Reader & { activity: Activity }) {
  const { ui, projectId, mayManage } = reader;
  const { params: { id, name } } = activity;
  const path = activityPath(projectId, activity, mayManage);
  const link = (text: string) =>
    path
      ? <a href={ui.href(path)} data-over={activity.object_type === "task" || undefined}>{text}</a>
      : text;
  const isStart = beginsTask(activity);
  const sentence = isStart
    ? { key: "activity.started", params: { who: starterText(reader, activity) } }
    : eventDescription(activity);
  const parts = isStart
    ? { task: link(`#${id} ${visible(String(name))}`) }
    : typeof name === "string" && !activity.starter
    ? { name: link(visible(name)) }
    : {};
  return (
    <span class="clamp">
      <Sentence ui={ui} of={sentence.key} params={sentence.params} parts={parts} />
    </span>
  );
}

const personText = ({ ui, people }: Reader, { user_id, username }: Activity): string => {
  const person = people.get(user_id ?? 0);
  return person ? ui.person(person) : username ?? "";
};

function starterText(reader: Reader, activity: Activity): string {
  const { starter } = activity;
  if (!starter) return personText(reader, activity);
  const name = triggerName(reader.ui, starter.kind, starter.name);
  return reader.ui.t(`tasks.starter_of.${starter.kind}`, { name });
}

/**
 * Returns the page of an activity's object. Returns null if there is none, if the object was
 * deleted, or if the reader cannot manage the project and the page is a form.
 */
export function activityPath(
  projectId: number | null,
  { object_type, object }: Pick<Activity, "object_type" | "object">,
  mayManage: boolean,
): string | null {
  if (!object) return null;
  const { id, template_id = 0 } = object;
  if (projectId === null) return serverPath(object_type, id);
  switch (object_type) {
    case "task":
      return paths.over(paths.section(projectId, "activity"), id);
    case "template":
      return paths.template(projectId, id);
    case "schedule":
      return paths.template(projectId, template_id);
    case "view":
      return paths.templates(projectId, id);
    case "integration":
      return paths.integration(projectId, id);
    case "workflow":
      return paths.workflow(projectId, id);
    case "member":
      return paths.section(projectId, "team");
  }
  // The remaining pages are forms.
  if (!mayManage) return null;
  switch (object_type) {
    case "key":
      return paths.item(projectId, "keys", id);
    case "repository":
      return paths.item(projectId, "repositories", id);
    case "inventory":
      return paths.item(projectId, "inventory", id);
    case "environment":
      return paths.item(projectId, "environment", id);
    case "git_credential":
      return paths.item(projectId, "git_credentials", id);
    case "toolchain":
      return paths.item(projectId, "toolchains", id);
    default:
      return null;
  }
}

function serverPath(kind: Activity["object_type"], id: number): string | null {
  if (kind === "user") return paths.user(id);
  return kind === "runner" ? paths.runner(null, id) : null;
}
