import type { Ui } from "../../lib/i18n/ui.ts";
import type { TrustedBrowserView } from "../../lib/people/factors/schema.ts";
import { Button } from "../ui/Button.tsx";
import { Table } from "../ui/Table.tsx";
import { BrowserName } from "./BrowserName.tsx";
import { endColumn, timeColumn } from "./columns.tsx";

interface TrustedBrowsersProps {
  ui: Ui;
  browsers: TrustedBrowserView[];
  /**
   * Address that a browser's id is sent to in order to forget it. Without an id, all are forgotten.
   */
  action: string;
}

/** The browsers that are not asked for a code, with buttons that end this trust. */
export function TrustedBrowsers({ ui, browsers, action }: TrustedBrowsersProps) {
  if (browsers.length === 0) return null;
  return (
    <>
      <div class="flex flex-wrap items-center justify-between gap-2">
        <h3 class="m-0">{ui.t("factors.browsers")}</h3>
        <form method="post" action={action}>
          <Button>{ui.t("factors.forget_all")}</Button>
        </form>
      </div>
      <Table
        caption={ui.t("factors.browsers")}
        rows={browsers}
        rowId={({ id }) => `browser-${id}`}
        columns={[
          {
            label: ui.t("sessions.browser"),
            kind: "main",
            cell: ({ user_agent }) => <BrowserName ui={ui} agent={user_agent} />,
          },
          { label: ui.t("sessions.address"), kind: "text", cell: ({ address }) => address },
          timeColumn(ui, "factors.remembered", "created"),
          timeColumn(ui, "sessions.last_active", "last_used"),
          endColumn(ui, { action: action, name: "browser", label: ui.t("factors.forget") }),
        ]}
      />
    </>
  );
}
