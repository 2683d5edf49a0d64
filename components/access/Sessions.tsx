import type { Ui } from "../../lib/i18n/ui.ts";
import type { SessionView } from "../../lib/people/sessions/schema.ts";
import { Button } from "../ui/Button.tsx";
import { endColumn, nameColumn, whenColumn } from "../ui/lists/columns.tsx";
import { Table } from "../ui/lists/Table.tsx";
import { AccessPart } from "./AccessPart.tsx";
import { BrowserName } from "./BrowserName.tsx";

interface SessionsProps {
  ui: Ui;
  sessions: SessionView[];
  /**
   * Address that a session's id is sent to in order to end it. Without an id, all other sessions
   * end.
   */
  action: string;
}

/** The sessions of an account, with buttons that end them. */
export function Sessions({ ui, sessions, action }: SessionsProps) {
  const title = ui.t("sessions.title");
  const hasOthers = sessions.some(({ current }) => !current);
  const hasCurrent = sessions.some(({ current }) => current);
  const endAll = hasOthers && (
    <form method="post" action={action}>
      <Button kind="danger">{ui.t(hasCurrent ? "sessions.end_others" : "sessions.end_all")}</Button>
    </form>
  );
  return (
    <AccessPart id="sessions" title={title} actions={endAll}>
      <Table<SessionView>
        caption={title}
        rows={sessions}
        rowId={({ id }) => `session-${id}`}
        empty={<p class="text-muted m-0">{ui.t("sessions.none")}</p>}
        columns={[
          nameColumn(
            ui,
            "sessions.browser",
            ({ user_agent, current }) => (
              <div class="flex items-center gap-2">
                <BrowserName ui={ui} agent={user_agent} />
                {current && <span class="chip chip-info">{ui.t("sessions.this")}</span>}
              </div>
            ),
          ),
          { label: ui.t("sessions.address"), kind: "text", cell: ({ address }) => address },
          whenColumn(ui, "sessions.since", "created"),
          whenColumn(ui, "sessions.last_active", "last_active"),
          endColumn(
            ui,
            { action: action, name: "session", label: ui.t("sessions.end") },
            ({ current }) => !current,
          ),
        ]}
      />
    </AccessPart>
  );
}
