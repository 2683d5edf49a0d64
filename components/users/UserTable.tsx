import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { ListedUser } from "../../lib/people/users/schema.ts";
import { IconButton, IconLink } from "../ui/Button.tsx";
import { Icon } from "../ui/Icon.tsx";
import { Dash } from "../ui/cells.tsx";
import { Table } from "../ui/Table.tsx";

interface UserTableProps {
  ui: Ui;
  users: ListedUser[];
  /** Users cannot delete their own account. */
  ownId: number;
}

/** The accounts of this server. */
export function UserTable({ ui, users, ownId }: UserTableProps) {
  const href = (id: number) => ui.href(paths.user(id));
  const flag = (name: "alert" | "admin" | "external") => ({
    label: ui.t(`users.${name}`),
    named: true,
    cell: (user: ListedUser) =>
      user[name] ? <Icon name="check" label={ui.t("users.yes")} /> : <Dash />,
  });
  return (
    <Table
      caption={ui.t("users.title")}
      rows={users}
      rowId={({ id }) => `user-${id}`}
      columns={[
        {
          label: ui.t("users.name"),
          kind: "main",
          cell: ({ id, name }) => (
            <a class="clamp font-semibold" title={name} href={href(id)}>{name}</a>
          ),
        },
        { label: ui.t("users.username"), cell: ({ username }) => username },
        { label: ui.t("users.email"), cell: ({ email }) => email ?? <Dash /> },
        flag("alert"),
        flag("admin"),
        flag("external"),
        {
          label: ui.t("lists.actions"),
          kind: "actions",
          cell: ({ id, name }) => (
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
                    href={`${href(id)}/delete`}
                    over
                  />
                )}{" "}
              <IconLink
                icon="edit"
                label={ui.t("actions.edit_named", { name })}
                href={href(id)}
              />
            </>
          ),
        },
      ]}
    />
  );
}
