import type { FormState } from "../../lib/web/forms/form.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { ListedUser } from "../../lib/people/users/schema.ts";
import type { RoleChoice } from "../../lib/people/roles/choices.ts";
import { isFixedRole } from "../../lib/model/roles.ts";
import { permissionList } from "./permission_list.ts";
import { roleLabel } from "@/lib/model/role_label.ts";
import { Checkbox, Segments, Select } from "../ui/forms/Choice.tsx";
import { Field, fieldId } from "../ui/forms/Field.tsx";

export const memberLabels = (ui: Ui) => ({
  user_id: ui.t("team.user"),
  name: ui.t("users.name"),
  email: ui.t("users.email"),
  role: ui.t("team.role"),
});

interface MemberFieldsProps {
  ui: Ui;
  form: FormState;
  labels: ReturnType<typeof memberLabels>;
  /** The roles that the reader may give. */
  roles: readonly RoleChoice[];
  /** The accounts that are not in the team. */
  others: readonly ListedUser[];
  /** Whether the reader may add someone who has no account. */
  mayAddNew: boolean;
  /** Whether the server can mail links. */
  mails: boolean;
  /** Whether people sign in with passwords. Otherwise accounts come from a provider. */
  hasPasswords: boolean;
}

/** A new member: someone with an account, or someone new, and the role. */
export function MemberFields(
  { ui, form, labels, roles, others, mayAddNew, mails, hasPasswords }: MemberFieldsProps,
) {
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  return (
    <div class="member-fields grid grid-cols-1 gap-4">
      {mayAddNew && (
        <>
          <Segments
            {...{ ui, form }}
            name="who"
            label={ui.t("team.who")}
            options={[
              { value: "new", label: ui.t("team.has_none") },
              { value: "known", label: ui.t("team.has_account") },
            ]}
          />
          <div class="for-new grid grid-cols-1 gap-4">
            <Field {...field("name")} required autocomplete="off" />
            <Field {...field("email")} type="email" required autocomplete="off" />
            {mails && <Checkbox {...{ ui, form }} name="mail" label={ui.t("first_link.mail")} />}
          </div>
        </>
      )}
      <Select
        {...field("user_id")}
        class="for-known"
        required
        autofocus
        blank={ui.t("lists.choose")}
        options={others.map(({ id, username, name }) => ({
          value: id,
          label: `${username} (${name})`,
        }))}
        hint={mayAddNew ? undefined : ui.t(hasPasswords ? "team.ask_admin" : "team.from_provider")}
      />
      <RoleField ui={ui} form={form} label={labels.role} roles={roles} />
    </div>
  );
}

/** A role, each with a line about what it may do. */
export function RoleField(
  { ui, form, label, roles }: Pick<MemberFieldsProps, "ui" | "form" | "roles"> & { label: string },
) {
  const id = fieldId(form, "role");
  const error = form.errors.role;
  return (
    <fieldset class="field" aria-describedby={error && `${id}-error`}>
      <legend class="required">{label}</legend>
      {roles.filter(({ mayGive }) => mayGive).map(({ slug, name, granted }, n) => (
        <label key={n} class="check">
          <input
            id={n === 0 ? id : undefined}
            type="radio"
            name="role"
            value={slug}
            checked={form.values.role === slug}
            required
          />
          <span>
            {roleLabel(ui, slug, name)}
            <span class="field-hint block">
              {isFixedRole(slug) ? ui.t(`role_hints.${slug}`) : permissionList(ui, granted)}
            </span>
          </span>
        </label>
      ))}
      {error && <p id={`${id}-error`} class="field-error">{ui.tell(error)}</p>}
    </fieldset>
  );
}
