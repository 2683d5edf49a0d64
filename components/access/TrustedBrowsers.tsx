import type { Ui } from "../../lib/i18n/ui.ts";
import type { TrustedBrowserView } from "../../lib/people/factors/schema.ts";
import { Button } from "../ui/Button.tsx";
import { Table } from "../ui/Table.tsx";
import { Time } from "../ui/Time.tsx";
import { BrowserName } from "./BrowserName.tsx";

interface TrustedBrowsersProps {
  ui: Ui;
  browsers: TrustedBrowserView[];
  /** Where a browser's id is sent to forget it, and no id to forget all. */
  action: string;
}

/** The browsers that an account asks for no code, and buttons that end that. */
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
          {
            label: ui.t("factors.remembered"),
            named: true,
            cell: ({ created }) => <Time ui={ui} at={created} />,
          },
          {
            label: ui.t("sessions.last_active"),
            named: true,
            cell: ({ last_used }) => <Time ui={ui} at={last_used} />,
          },
          {
            label: ui.t("lists.actions"),
            kind: "actions",
            cell: ({ id }) => (
              <form method="post" action={action}>
                <Button name="browser" value={id}>{ui.t("factors.forget")}</Button>
              </form>
            ),
          },
        ]}
      />
    </>
  );
}
