import type { ComponentChildren } from "preact";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { TokenView } from "../../lib/people/tokens/schema.ts";
import { Button } from "../ui/Button.tsx";
import { Dash } from "../ui/cells.tsx";
import { Table } from "../ui/Table.tsx";
import { Time } from "../ui/Time.tsx";
import { AccessPart } from "./AccessPart.tsx";

interface TokensProps {
  ui: Ui;
  tokens: TokenView[];
  /** Where a token's first letters are sent to revoke it, and none to revoke all. */
  revoke: string;
  /** What comes before the list: a new token, and the form that makes one. */
  children?: ComponentChildren;
}

/** The API tokens of an account by their first letters, and buttons that revoke them. */
export function Tokens({ ui, tokens, revoke, children }: TokensProps) {
  const title = ui.t("tokens.title");
  const revokeAll = tokens.length > 0 && (
    <form method="post" action={revoke}>
      <Button kind="danger">{ui.t("tokens.revoke_all")}</Button>
    </form>
  );
  return (
    <AccessPart id="tokens" title={title} actions={revokeAll}>
      {children}
      <Table
        caption={title}
        rows={tokens}
        rowId={({ id }) => `token-${id}`}
        empty={<p class="text-muted m-0">{ui.t("tokens.none")}</p>}
        columns={[
          {
            label: ui.t("tokens.token"),
            kind: "main",
            cell: ({ id, expired }) => (
              <>
                <code>{`${id}…`}</code>
                {expired && ` (${ui.t("tokens.expired")})`}
              </>
            ),
          },
          { label: ui.t("tokens.name"), kind: "text", cell: ({ name }) => name || <Dash /> },
          {
            label: ui.t("tokens.created"),
            named: true,
            cell: ({ created }) => <Time ui={ui} at={created} />,
          },
          {
            label: ui.t("tokens.last_used"),
            named: true,
            cell: ({ last_used }) => <Time ui={ui} at={last_used} />,
          },
          {
            label: ui.t("tokens.expires"),
            named: true,
            cell: ({ expires_at }) => <Time ui={ui} at={expires_at} />,
          },
          {
            label: ui.t("lists.actions"),
            kind: "actions",
            cell: ({ id }) => (
              <form method="post" action={revoke}>
                <Button name="token" value={id}>{ui.t("tokens.revoke")}</Button>
              </form>
            ),
          },
        ]}
      />
    </AccessPart>
  );
}
