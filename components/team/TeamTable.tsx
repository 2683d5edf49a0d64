import { ROLES } from "../../lib/access/permissions.ts";
import { paths } from "../../lib/base/paths.ts";
import { may, type Shell } from "../../lib/web/pages/shell.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { MemberView } from "../../lib/people/team/schema.ts";
import { Button, IconLink } from "../ui/Button.tsx";
import { type Column, Table } from "../ui/Table.tsx";

interface TeamTableProps {
  ui: Ui;
  shell: Shell;
  members: MemberView[];
}

/** Who works in the project; for those who may, with ways to change roles and to remove. */
export function TeamTable({ ui, shell, members }: TeamTableProps) {
  const mayManage = may(shell, "manage_users");
  const team = ui.href(paths.section(shell.project.id, "team"));
  const columns: Column<MemberView>[] = [
    { label: ui.t("team.name"), kind: "main", cell: ({ name }) => name },
    { label: ui.t("team.username"), cell: ({ username }) => username },
    {
      label: ui.t("team.role"),
      cell: (member) =>
        mayManage
          ? <RoleForm ui={ui} member={member} action={team} />
          : ui.t(`roles.${member.role}`),
    },
  ];
  const actions: Column<MemberView> = {
    label: ui.t("lists.actions"),
    kind: "actions",
    cell: ({ id, name }) => (
      <IconLink
        icon="delete"
        label={ui.t("team.remove_named", { name })}
        href={`${team}/${id}/delete`}
        over
      />
    ),
  };
  return (
    <Table
      caption={ui.t("sections.team")}
      rows={members}
      columns={mayManage ? [...columns, actions] : columns}
    />
  );
}

function RoleForm({ ui, member, action }: { ui: Ui; member: MemberView; action: string }) {
  return (
    <form method="post" action={action} class="role-form" data-stay>
      <input type="hidden" name="user_id" value={member.id} />
      <select name="role" aria-label={ui.t("team.role_of", { name: member.name })}>
        {ROLES.map((role) => (
          <option value={role} selected={role === member.role}>{ui.t(`roles.${role}`)}</option>
        ))}
      </select>
      <Button>{ui.t("actions.save")}</Button>
    </form>
  );
}
