import type { EventView } from "../../lib/events/schema.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { nameColumn, whenColumn } from "../ui/lists/columns.tsx";
import { Table } from "../ui/lists/Table.tsx";
import { AccessPart } from "./AccessPart.tsx";

/** The log of an account: sign-ins, repeated failures, and changes to the ways to sign in. */
export function AccountLog({ ui, events }: { ui: Ui; events: EventView[] }) {
  const title = ui.t("account_log.title");
  return (
    <AccessPart id="account-log" title={title} actions={null}>
      <Table<EventView>
        caption={title}
        rows={events}
        rowId={({ id }) => `event-${id}`}
        empty={<p class="text-muted m-0">{ui.t("account_log.none")}</p>}
        columns={[
          nameColumn(ui, "account_log.what", ({ description }) => ui.tell(description)),
          { label: ui.t("account_log.who"), kind: "text", cell: ({ username }) => username ?? "" },
          whenColumn(ui, "account_log.when", "created"),
        ]}
      />
    </AccessPart>
  );
}
