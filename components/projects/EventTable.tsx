import type { EventView } from "../../lib/events/schema.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { EmptyState } from "../ui/EmptyState.tsx";
import { Name } from "../ui/cells.tsx";
import { Table } from "../ui/Table.tsx";
import { Time } from "../ui/Time.tsx";

/** What happened in a project, newest first. */
export function EventTable({ ui, events, now }: { ui: Ui; events: EventView[]; now: Date }) {
  return (
    <Table
      caption={ui.t("dashboard.activity")}
      rows={events}
      empty={<EmptyState icon="activity" title={ui.t("dashboard.no_events")} />}
      columns={[
        {
          label: ui.t("dashboard.event.description"),
          kind: "main",
          class: "w-3/5",
          cell: ({ description }) => description,
        },
        { label: ui.t("dashboard.event.user"), cell: ({ username }) => <Name text={username} /> },
        {
          label: ui.t("dashboard.event.time"),
          cell: ({ created }) => <Time ui={ui} at={created} now={now} />,
        },
      ]}
    />
  );
}
