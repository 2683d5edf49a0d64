import { Alert } from "@/components/ui/Alert.tsx";
import { Select } from "@/components/ui/forms/Choice.tsx";
import { Field } from "@/components/ui/forms/Field.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { AskedPersonal } from "@/lib/queue/inputs/personal_form.ts";
import { needsPerson, personalOf, unattendedKey } from "@/lib/tasks/personal.ts";
import type { Asking } from "@/lib/model/template_row.ts";
import type { FormState } from "@/lib/web/forms/form.ts";

/** Labels of the fields, for the list of errors. */
export const personalLabels = (ui: Ui): Record<string, string> =>
  Object.fromEntries(
    ["own_key_id", "ssh_password", "become_password", "vault_password"]
      .map((name) => [name, ui.t(`start_task.${name}`)]),
  );

/** Asks the person who starts a task for one of their SSH keys, and for passwords. */
export function PersonalFields(
  { ui, form, personal }: { ui: Ui; form: FormState; personal: AskedPersonal },
) {
  const { ownKey, keys, passwords } = personal;
  const label = (name: string) => ui.t(`start_task.${name}`);
  return (
    <>
      {ownKey && keys.length === 0 && (
        <Alert kind="warning">
          {ui.t("errors.personal.no_key")}{" "}
          <a href={ui.href(paths.ownKey("new"))}>{ui.t("own_keys.add")}</a>
        </Alert>
      )}
      {ownKey && keys.length > 0 && (
        <Select
          ui={ui}
          form={form}
          name="own_key_id"
          label={label("own_key_id")}
          options={keys.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      {passwords.map((name, n) => (
        <Field
          key={n}
          ui={ui}
          form={form}
          name={`${name}_password`}
          label={label(`${name}_password`)}
          hint={ui.t("start_task.password_hint")}
          type="password"
          autocomplete="off"
          required
        />
      ))}
    </>
  );
}

interface PersonOnlyProps {
  ui: Ui;
  /** The chosen template. */
  template: Asking & { inventory_id?: number | null } | null | undefined;
  inventories?: readonly (Partial<Pick<Asking, "own_key">> & { id: number })[];
  /** The inventory that replaces the template's, as its field holds it. */
  inventoryId?: string;
}

/** Says that nothing but a person can start the tasks of a template. */
export function PersonOnly({ ui, template, inventories = [], inventoryId }: PersonOnlyProps) {
  if (!template) return null;
  const id = Number(inventoryId) || template.inventory_id;
  const personal = personalOf(template, inventories.find((inventory) => inventory.id === id));
  if (!needsPerson(personal)) return null;
  return <Alert kind="warning">{ui.t(unattendedKey(personal))}</Alert>;
}
