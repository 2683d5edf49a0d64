import { Button, IconButton } from "@/components/ui/Button.tsx";
import { namedOptions, Select } from "@/components/ui/forms/Choice.tsx";
import { Field } from "@/components/ui/forms/Field.tsx";
import type { FormState } from "@/lib/web/forms/form.ts";
import { ADD_ROW, removeRow, rowNumbers } from "@/lib/web/forms/rows.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TemplateChoices } from "./template_choices.ts";

interface VaultFieldsProps {
  ui: Ui;
  form: FormState;
  choices: Pick<TemplateChoices, "vaultKeys">;
}

/** Returns the numbers of the rows. There is always one for the first vault. */
function vaultNumbers(values: FormState["values"]): number[] {
  const rows = rowNumbers(values, "vaults");
  return rows.length === 0 ? [0] : rows;
}

/** Labels of the rows' fields. */
export const vaultLabels = (ui: Ui, { values }: FormState): Record<string, string> =>
  Object.fromEntries(
    vaultNumbers(values).flatMap((number, index, { length }) =>
      Object.entries(labelsOf(ui, index + 1, length === 1)).map(([field, label]) => [
        `vaults.${number}.${field}`,
        label,
      ])
    ),
  );

const labelsOf = (ui: Ui, position: number, isAlone: boolean) => ({
  vault_key_id: isAlone ? ui.t("vault_fields.key") : ui.t("vault_fields.key_of", { position }),
  name: isAlone ? ui.t("vault_fields.name") : ui.t("vault_fields.name_of", { position }),
});

/**
 * Vault passwords, each with the vault id that it belongs to. Adding and removing sends the form,
 * so no script is needed.
 */
export function VaultFields({ ui, form, choices }: VaultFieldsProps) {
  const numbers = vaultNumbers(form.values);
  const labels = vaultLabels(ui, form);
  const isAlone = numbers.length === 1;
  return (
    <div id="vaults" class="vaults">
      {numbers.map((number, index) => {
        const field = (field: string) => {
          const name = `vaults.${number}.${field}`;
          return { ui, form, name, label: labels[name] };
        };
        return (
          <div class="vault-row" id={`vault-${number}`}>
            <Select
              {...field("vault_key_id")}
              options={namedOptions(ui, choices.vaultKeys)}
              blank={ui.t("templates.none")}
            />
            <Field
              {...field("name")}
              placeholder="default"
              autocomplete="off"
            />
            {!isAlone && (
              <IconButton
                icon="delete"
                label={ui.t("vault_fields.remove", { position: index + 1 })}
                name="vault"
                value={removeRow(number)}
                formNoValidate
                data-stay
              />
            )}
          </div>
        );
      })}
      <p class="field-hint m-0">{ui.t("vault_fields.hint")}</p>
      <Button name="vault" value={ADD_ROW} icon="plus" formNoValidate data-stay>
        {ui.t("vault_fields.add")}
      </Button>
    </div>
  );
}
