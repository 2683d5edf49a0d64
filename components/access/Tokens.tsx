import type { ComponentChildren } from "preact";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { TokenView } from "../../lib/people/tokens/schema.ts";
import { Button } from "../ui/Button.tsx";
import { Dash } from "../ui/lists/cells.tsx";
import { endColumn, nameColumn, whenColumn } from "../ui/lists/columns.tsx";
import { Table } from "../ui/lists/Table.tsx";
import { Time } from "../ui/Time.tsx";
import { AccessPart } from "./AccessPart.tsx";
import { limitWords, type Names, scopeWords } from "./TokenLimits.tsx";

const UNNAMED = { projects: new Map(), templates: new Map() };

interface TokensProps {
  ui: Ui;
  tokens: TokenView[];
  /**
   * Address that a token's prefix is sent to in order to revoke it. Without one, all are revoked.
   */
  revoke: string;
  /** Names of the projects and templates that tokens are limited to, as far as they are known. */
  names?: { projects: Names; templates: Names };
  /** Content before the list: a new token, and the form that creates one. */
  children?: ComponentChildren;
}

/** The API tokens of an account by their prefixes, with buttons that revoke them. */
export function Tokens({ ui, tokens, revoke, names = UNNAMED, children }: TokensProps) {
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
          { label: ui.t("tokens.scopes"), named: true, cell: (row) => scopeWords(ui, row) },
          {
            label: ui.t("tokens.limits"),
            kind: "text",
            cell: (row) => <Limits words={limitWords(ui, row, names)} />,
          },
          whenColumn(ui, "tokens.created", "created"),
          {
            label: ui.t("tokens.last_used"),
            named: true,
            cell: ({ last_used, last_address }) => (
              <LastUse ui={ui} at={last_used} address={last_address} />
            ),
          },
          whenColumn(ui, "tokens.expires", "expires_at"),
          endColumn(ui, { action: revoke, name: "token", label: ui.t("tokens.revoke") }),
        ]}
      />
    </AccessPart>
  );
}

/** The limits of a token, each on a line of its own. */
export const Limits = ({ words }: { words: string[] }) =>
  words.length > 0
    ? <>{words.map((text, n) => <span key={n} class="block break-words">{text}</span>)}</>
    : <Dash />;

/** When a token was last used, and from where. */
export const LastUse = (
  { ui, at, address }: { ui: Ui; at: string | null; address: string | null },
) => (
  <>
    <Time ui={ui} at={at} />
    {address && (
      <span class="block text-muted text-sm break-all">{ui.t("tokens.from", { address })}</span>
    )}
  </>
);
