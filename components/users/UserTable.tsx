import { paths } from "../../lib/base/paths.ts";
import { personWith } from "../../lib/base/person.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { ListedUser } from "../../lib/people/users/schema.ts";
import { IconButton, IconLink } from "../ui/Button.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Dash } from "../ui/lists/cells.tsx";
import { actionsColumn, nameColumn } from "../ui/lists/columns.tsx";
import { FilteredTable } from "../ui/lists/FilteredTable.tsx";
import type { TableState } from "../../lib/base/lists/table_state.ts";

interface UserTableProps {
  ui: Ui;
  users: ListedUser[];
  state: TableState;
  /** Users cannot delete their own account. */
  ownId: number;
}

/** The accounts of this server. */
export function UserTable({ ui, users, state, ownId }: UserTableProps) {
  const flag = (name: "alert" | "admin" | "external") => ({
    id: name,
    value: (user: ListedUser) => Number(user[name]),
    usual: "desc" as const,
    label: ui.t(`users.${name}`),
    named: true,
    cell: (user: ListedUser) =>
      user[name] ? <Icon name="check" label={ui.t("users.yes")} /> : <Dash />,
  });
  return (
    <FilteredTable
      ui={ui}
      id="users"
      path={ui.href(paths.users())}
      state={state}
      noMatch="users.no_match"
      caption={ui.t("users.title")}
      rows={users}
      rowId={({ id }) => `user-${id}`}
      columns={[
        nameColumn<ListedUser>(ui, "users.name", ({ name }) => name, {
          href: ({ id }) => ui.href(paths.user(id)),
        }),
        {
          id: "username",
          label: ui.t("users.username"),
          kind: "text",
          value: ({ username }) => username,
          cell: ({ username }) => username,
        },
        {
          id: "email",
          label: ui.t("users.email"),
          kind: "text",
          value: ({ email }) => email || null,
          cell: ({ email }) => email ?? <Dash />,
        },
        flag("alert"),
        flag("admin"),
        flag("external"),
        actions(ui, ownId),
      ]}
    />
  );
}

const actions = (ui: Ui, ownId: number) =>
  actionsColumn<ListedUser>(ui, ({ id, ...user }) => {
    const name = ui.person(personWith({ id, ...user }));
    return (
      <>
        {id === ownId
          ? (
            <IconButton
              type="button"
              icon="delete"
              label={ui.t("users.own_stays")}
              disabled
            />
          )
          : (
            <IconLink
              icon="delete"
              label={ui.t("actions.delete_named", { name })}
              href={`${ui.href(paths.user(id))}/delete`}
              over
            />
          )}{" "}
        <IconLink
          icon="edit"
          label={ui.t("actions.edit_named", { name })}
          href={ui.href(paths.user(id))}
        />
      </>
    );
  });
