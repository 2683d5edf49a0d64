import type { ComponentChildren } from "preact";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { PasskeyView } from "../../lib/people/passkeys/schema.ts";
import { endColumn, nameColumn, whenColumn } from "../ui/lists/columns.tsx";
import { Table } from "../ui/lists/Table.tsx";
import { AccessPart } from "./AccessPart.tsx";

interface PasskeysProps {
  ui: Ui;
  passkeys: PasskeyView[];
  /** Address that a passkey's id is sent to in order to remove it. */
  remove: string;
  /** Content before the list: the form that adds a passkey. */
  children?: ComponentChildren;
}

/** The passkeys of an account, with buttons that remove them. */
export function Passkeys({ ui, passkeys, remove, children }: PasskeysProps) {
  const title = ui.t("passkeys.title");
  return (
    <AccessPart id="passkeys" title={title} actions={null}>
      {children}
      <Table<PasskeyView>
        caption={title}
        rows={passkeys}
        rowId={({ id }) => `passkey-${id}`}
        empty={<p class="text-muted m-0">{ui.t("passkeys.none")}</p>}
        columns={[
          nameColumn(ui, "passkeys.name", ({ name }) => name),
          {
            label: ui.t("passkeys.where"),
            kind: "text",
            cell: ({ synced }) => ui.t(synced ? "passkeys.synced" : "passkeys.one_device"),
          },
          whenColumn(ui, "tokens.created", "created"),
          whenColumn(ui, "tokens.last_used", "last_used"),
          endColumn(ui, { action: remove, name: "passkey", label: ui.t("passkeys.remove") }),
        ]}
      />
    </AccessPart>
  );
}
