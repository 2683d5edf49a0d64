import { ROLES } from "../../lib/access/permissions.ts";
import { paths } from "../../lib/base/paths.ts";
import { may, type Shell } from "../../lib/web/shell.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { MemberView } from "../../lib/people/team/schema.ts";
import type { FormState } from "../../lib/web/forms/form.ts";
import { Button, IconLink } from "../ui/Button.tsx";
import { StoredVersion } from "../ui/Conflict.tsx";
import { type Column, Table } from "../ui/Table.tsx";
import { Form } from "../ui/Form.tsx";

interface TeamTableProps {
  ui: Ui;
  shell: Shell;
  members: MemberView[];
  /** The stored form of each member's role. */
  stored: Map<number, FormState>;
}

/**
 * The members of a project. People who can manage them get controls to change roles and to remove
 * members.
 */
export function TeamTable({ ui, shell, members, stored }: TeamTableProps) {
  const mayManage = may(shell, "manage_users");
  const team = ui.href(paths.section(shell.project.id, "team"));
  const columns: Column<MemberView>[] = [
    { label: ui.t("team.name"), kind: "main", cell: ({ name }) => name },
    { label: ui.t("team.username"), cell: ({ username }) => username },
    {
      label: ui.t("team.role"),
      cell: (member) =>
        mayManage
          ? <RoleForm ui={ui} member={member} form={stored.get(member.id)!} action={team} />
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
      rowId={({ id }) => `member-${id}`}
      columns={mayManage ? [...columns, actions] : columns}
    />
  );
}

interface RoleFormProps {
  ui: Ui;
  member: MemberView;
  form: FormState;
  action: string;
}

function RoleForm({ ui, member, form, action }: RoleFormProps) {
  return (
    <form method="post" action={action} class="role-form" data-stay>
      <StoredVersion form={form} />
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

/** A role that someone else has changed in the meantime. */
export const LaterRole = (
  { ui, form, action }: { ui: Ui; form: FormState; action: string },
) => (
  <section class="card">
    <Form
      ui={ui}
      form={form}
      action={action}
      cancel={action}
      save={ui.t("actions.save")}
      labels={{ role: ui.t("team.role") }}
    >
      <input type="hidden" name="user_id" value={form.values.user_id} />
      <input type="hidden" name="role" value={form.values.role} />
    </Form>
  </section>
);
