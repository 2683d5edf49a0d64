import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { WaitingView } from "../../lib/people/identities/schema.ts";
import { Button } from "../ui/Button.tsx";
import { actionsColumn, nameColumn, whenColumn } from "../ui/lists/columns.tsx";
import { EmptyState } from "../ui/lists/EmptyState.tsx";
import { Table } from "../ui/lists/Table.tsx";

interface WaitingTableProps {
  ui: Ui;
  people: WaitingView[];
  /** Names of providers, by id. */
  providers: Map<string, string>;
}

/** People who want an account, with buttons that accept or refuse them. */
export const WaitingTable = ({ ui, people, providers }: WaitingTableProps) => (
  <Table<WaitingView>
    caption={ui.t("waiting.title")}
    rows={people}
    rowId={({ id }) => `waiting-${id}`}
    empty={
      <EmptyState icon="user" title={ui.t("waiting.none")}>{ui.t("waiting.about")}</EmptyState>
    }
    columns={[
      nameColumn(ui, "users.name", ({ name }) => name),
      { label: ui.t("users.username"), kind: "text", cell: ({ username }) => username },
      { label: ui.t("users.email"), kind: "text", cell: ({ email }) => email },
      {
        label: ui.t("identities.provider"),
        kind: "text",
        cell: ({ provider }) => providers.get(provider) ?? provider,
      },
      whenColumn(ui, "waiting.asked", "asked"),
      actionsColumn(
        ui,
        ({ id, refused }) => (
          <form method="post" action={ui.href(paths.waitingPeople())} class="flex gap-2">
            <Button name="accept" value={id}>{ui.t("waiting.accept")}</Button>
            {refused
              ? <span class="chip">{ui.t("waiting.refused")}</span>
              : <Button kind="quiet" name="refuse" value={id}>{ui.t("waiting.refuse")}</Button>}
          </form>
        ),
      ),
    ]}
  />
);
