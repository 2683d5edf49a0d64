import { roleLabel } from "@/lib/model/role_label.ts";
import type { RoleChoice } from "../../lib/people/roles/choices.ts";
import type { Sentence } from "../../lib/base/errors.ts";
import { personWith } from "@/lib/base/person.ts";
import { paths } from "../../lib/base/paths.ts";
import type { TableState } from "../../lib/base/lists/table_state.ts";
import { may, type Shell } from "../../lib/web/shell.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { MemberView } from "../../lib/people/team/schema.ts";
import type { FormState } from "../../lib/web/forms/form.ts";
import { Button, IconLink } from "../ui/Button.tsx";
import { actionsColumn, nameColumn } from "../ui/lists/columns.tsx";
import { StoredVersion } from "../ui/forms/Conflict.tsx";
import type { ListColumn } from "../ui/lists/arrange_rows.ts";
import { FilteredTable } from "../ui/lists/FilteredTable.tsx";
import { Form } from "../ui/forms/Form.tsx";

interface TeamTableProps {
  ui: Ui;
  shell: Shell;
  members: MemberView[];
  /** The roles that members can have. */
  roles: readonly RoleChoice[];
  state: TableState;
  /** The stored form of each member's role. */
  stored: Map<number, FormState>;
  /** The form of a role that was not stored, with its errors. */
  refused: FormState;
  /** Id of the reader's account. */
  ownId: number | null;
}

/**
 * The members of a project. People who can manage them get controls to change roles and to remove
 * members.
 */
export function TeamTable(props: TeamTableProps) {
  const { ui, shell, members, roles, state, stored, refused, ownId } = props;
  const roleOf = new Map(roles.map((role) => [role.slug, role]));
  const nameOf = (slug: string) => roleLabel(ui, slug, roleOf.get(slug)?.name);
  // A role that was deleted may do nothing.
  const mayTake = ({ role }: MemberView) => roleOf.get(role)?.mayGive ?? true;
  const mayManage = may(shell, "add_people");
  const team = ui.href(paths.section(shell.project.id, "team"));
  const columns: ListColumn<MemberView>[] = [
    nameColumn(ui, "team.name", ({ name }) => name),
    {
      id: "username",
      label: ui.t("team.username"),
      kind: "text",
      value: ({ username }) => username,
      cell: ({ username }) => username,
    },
    {
      id: "role",
      label: ui.t("team.role"),
      value: ({ role }) => nameOf(role),
      cell: (member) =>
        mayManage && mayTake(member)
          ? (
            <RoleForm
              ui={ui}
              member={member}
              form={stored.get(member.id)!}
              error={isOf(member, refused) ? Object.values(refused.errors).at(0) : undefined}
              action={team}
              isOwn={member.id === ownId}
              roles={roles}
            />
          )
          : nameOf(member.role),
    },
  ];
  const actions = actionsColumn<MemberView>(
    ui,
    (member) =>
      mayTake(member) && (
        <IconLink
          icon="delete"
          label={ui.t("team.remove_named", { name: ui.person(personWith(member)) })}
          href={`${team}/${member.id}/delete`}
          over
        />
      ),
  );
  return (
    <FilteredTable
      ui={ui}
      id="team"
      path={team}
      state={state}
      noMatch="team.no_match"
      caption={ui.t("sections.team")}
      rows={members}
      rowId={({ id }) => `member-${id}`}
      columns={mayManage ? [...columns, actions] : columns}
    />
  );
}

/** Whether a form was sent for the member's role. */
export const isOf = ({ id }: MemberView, { values }: FormState): boolean =>
  values.user_id === String(id);

interface RoleFormProps {
  ui: Ui;
  member: MemberView;
  form: FormState;
  /** Why another role was not stored. */
  error?: Sentence;
  action: string;
  isOwn: boolean;
  roles: readonly RoleChoice[];
}

/**
 * Changes a role. A script sends it once a role is chosen, and offers to take it back. People who
 * change their own role may lose the right to do so, and press the button, which style rules show
 * beside a changed role.
 */
function RoleForm({ ui, member, form, error, action, isOwn, roles }: RoleFormProps) {
  const id = `role-${member.id}`;
  return (
    <form
      id={`${id}-form`}
      method="post"
      action={action}
      class="role-form"
      data-stay
      data-undo={isOwn ? undefined : ui.t("actions.undo")}
    >
      <StoredVersion form={form} />
      <input type="hidden" name="user_id" value={member.id} />
      <select
        id={id}
        name="role"
        aria-label={ui.t("team.role_of", { name: ui.person(personWith(member)) })}
        aria-invalid={error ? "true" : undefined}
        aria-describedby={error && `${id}-error`}
        autofocus={error !== undefined}
      >
        {roles.filter(({ mayGive }) => mayGive).map(({ slug, name }) => (
          <option value={slug} selected={slug === member.role}>{roleLabel(ui, slug, name)}</option>
        ))}
      </select>
      <Button>{ui.t("actions.save")}</Button>
      {error && <p id={`${id}-error`} class="field-error" role="alert">{ui.tell(error)}</p>}
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
