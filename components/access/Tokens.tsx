import type { ComponentChildren } from "preact";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { TokenView } from "../../lib/people/tokens/schema.ts";
import { Button } from "../ui/Button.tsx";
import { Dash } from "../ui/lists/cells.tsx";
import { endColumn, nameColumn, whenColumn } from "../ui/lists/columns.tsx";
import { Table } from "../ui/lists/Table.tsx";
import { AccessPart } from "./AccessPart.tsx";

interface TokensProps {
  ui: Ui;
  tokens: TokenView[];
  /**
   * Address that a token's prefix is sent to in order to revoke it. Without one, all are revoked.
   */
  revoke: string;
  /** Content before the list: a new token, and the form that creates one. */
  children?: ComponentChildren;
}

/** The API tokens of an account by their prefixes, with buttons that revoke them. */
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
      <Table<TokenView>
        caption={title}
        rows={tokens}
        rowId={({ id }) => `token-${id}`}
        empty={<p class="text-muted m-0">{ui.t("tokens.none")}</p>}
        columns={[
          nameColumn(ui, "tokens.token", ({ id, expired }) => (
            <>
              <code>{`${id}…`}</code>
              {expired && ` (${ui.t("tokens.expired")})`}
            </>
          )),
          { label: ui.t("tokens.name"), kind: "text", cell: ({ name }) => name || <Dash /> },
          whenColumn(ui, "tokens.created", "created"),
          whenColumn(ui, "tokens.last_used", "last_used"),
          whenColumn(ui, "tokens.expires", "expires_at"),
          endColumn(ui, { action: revoke, name: "token", label: ui.t("tokens.revoke") }),
        ]}
      />
    </AccessPart>
  );
}
