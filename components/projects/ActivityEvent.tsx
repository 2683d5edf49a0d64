import { AUDIENCES, type Value } from "../../lib/events/differences.ts";
import { isFixedRole } from "../../lib/model/roles.ts";
import { paths } from "../../lib/base/paths.ts";
import { eventDescription } from "../../lib/events/schema.ts";
import { personWith } from "../../lib/base/person.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { visible } from "../../lib/i18n/visible.ts";
import type { Activity } from "../../lib/tasks/history/activity.ts";
import { Breakable, Dash } from "../ui/lists/cells.tsx";
import { Fact, Facts } from "../ui/Facts.tsx";
import { Breadcrumb, PageHeader } from "../ui/Page.tsx";
import { Time } from "../ui/Time.tsx";
import { activityPath } from "./ActivityTable.tsx";

interface ActivityEventProps {
  ui: Ui;
  /** Null for an event of the server. */
  projectId: number | null;
  mayManage: boolean;
  event: Activity;
}

/** One event, with the values that it changed. */
export function ActivityEvent({ ui, projectId, mayManage, event }: ActivityEventProps) {
  const list = ui.href(paths.activity(projectId));
  const { object_type, object_id, user_id, username, address, user_agent } = event;
  const path = activityPath(projectId, event, mayManage);
  const name = event.object_name || `#${object_id}`;
  return (
    <>
      <PageHeader
        title={<Breakable text={ui.tell(eventDescription(event))} />}
        above={<Breadcrumb ui={ui} crumbs={[{ label: ui.t("dashboard.activity"), href: list }]} />}
      />
      <Facts>
        <Fact label={ui.t("dashboard.event.time")}>
          <Time ui={ui} at={event.created} />
        </Fact>
        <Fact label={ui.t("dashboard.event.user")}>
          {username ?? event.starter?.name}
        </Fact>
        <Fact label={ui.t(`activity.kind.${object_type}`)}>
          {path ? <a href={ui.href(path)}>{name}</a> : name}
        </Fact>
        <Fact label={ui.t("activity.address")}>{address && <code>{address}</code>}</Fact>
        <Fact label={ui.t("activity.user_agent")}>
          {user_agent && <Breakable text={visible(user_agent)} />}
        </Fact>
      </Facts>
      <Changes ui={ui} event={event} />
      <p class="mt-6">
        <a href={`${list}?kind=${object_type}&object=${object_id}`}>
          {ui.t("activity.of_object")}
        </a>
        {user_id !== null && (
          <>
            {" · "}
            <a href={`${list}?user=${user_id}`}>{ui.t("activity.by_person")}</a>
          </>
        )}
      </p>
    </>
  );
}

/** Fields whose values are people. */
const PEOPLE = /(?:^|\.)user_ids$/;

/** The old and the new value of each field. */
function Changes({ ui, event }: Pick<ActivityEventProps, "ui" | "event">) {
  const { changes, changes_left = 0, fields } = event;
  if (!changes || fields === 0) {
    const why = fields === 0 ? "activity.no_changes" : "activity.hidden";
    return <p class="text-muted mt-4">{ui.t(why)}</p>;
  }
  return (
    <section class="card mt-6" aria-labelledby="changes">
      <h2 id="changes" class="mt-0">{ui.t("activity.changes")}</h2>
      <dl class="event-changes">
        {Object.entries(changes).map(([field, change], n) => (
          <div key={n}>
            <dt>
              <code>{visible(field)}</code>
            </dt>
            {change === "changed" ? <dd>{ui.t("activity.secret")}</dd> : (
              <>
                <dd>
                  <span class="label">{ui.t("activity.before")}</span>
                  <Shown ui={ui} field={field} value={change[0]} />
                </dd>
                <dd>
                  <span class="label">{ui.t("activity.after")}</span>
                  <Shown ui={ui} field={field} value={change[1]} />
                </dd>
              </>
            )}
          </div>
        ))}
      </dl>
      {changes_left > 0 && <p>{ui.t("activity.more_fields", { count: changes_left })}</p>}
    </section>
  );
}

function Shown({ ui, field, value }: { ui: Ui; field: string; value: Value }) {
  const text = textOf(ui, field, value);
  if (text === "") return <Dash />;
  if (AUDIENCES.has(field)) return <div class="value">{visible(text)}</div>;
  // Values of the API, which no language translates.
  return typeof value === "string" || Array.isArray(value)
    ? <code class="value">{visible(text)}</code>
    : <div class="value">{visible(text)}</div>;
}

function textOf(ui: Ui, field: string, value: Value): string {
  if (AUDIENCES.has(field) && (value === null || Array.isArray(value))) {
    return audienceText(ui, value);
  }
  if (value === null) return "";
  if (typeof value === "boolean") return ui.t(value ? "conflict.on" : "conflict.off");
  if (Array.isArray(value)) return ui.list(value.map((one) => textOf(ui, field, one)));
  if (typeof value !== "object") return String(value);
  const name = PEOPLE.test(field) ? ui.person(personWith(value)) : value.name;
  return name || `#${value.id}`;
}

/** The roles and people of an audience. Null stands for everyone. */
function audienceText(ui: Ui, named: Value[] | null): string {
  if (!named) return ui.t("access.everyone");
  if (named.length === 0) return ui.t("access.nobody");
  return ui.list(
    named.map((one) =>
      typeof one === "object" && one !== null && "id" in one
        ? ui.person(personWith(one))
        : isFixedRole(one)
        ? ui.t(`roles.${one}`)
        : String(one)
    ),
  );
}
