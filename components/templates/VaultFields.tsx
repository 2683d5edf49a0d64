import { Button, IconButton } from "@/components/ui/Button.tsx";
import { Select } from "@/components/ui/Choice.tsx";
import { Field } from "@/components/ui/Field.tsx";
import type { FormState } from "@/lib/web/forms/form.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { options, type TemplateChoices } from "./template_choices.ts";

interface VaultFieldsProps {
  ui: Ui;
  form: FormState;
  choices: Pick<TemplateChoices, "vaultKeys">;
}

/** The buttons that add a vault password, and take one away ("remove.3"), in a form's `vault`. */
export const ADD_VAULT = "add";
export const REMOVE_VAULT = "remove.";

/** The numbers under which a form holds vault passwords, in order. */
export function vaultRows(values: FormState["values"]): number[] {
  const numbers = Object.keys(values).flatMap((name) => {
    const match = /^vaults\.(\d{1,3})\./.exec(name);
    return match ? [Number(match[1])] : [];
  });
  return [...new Set(numbers)].toSorted((a, b) => a - b);
}

/** The same; there is always a row for the first one. */
export function vaultNumbers({ values }: Pick<FormState, "values">): number[] {
  const rows = vaultRows(values);
  return rows.length === 0 ? [0] : rows;
}

/**
 * The passwords that open vaults, each for the vault id that it is named by. Adding and removing
 * sends the form, so that no script is needed.
 */
export function VaultFields({ ui, form, choices }: VaultFieldsProps) {
  const numbers = vaultNumbers(form);
  const isAlone = numbers.length === 1;
  return (
    <fieldset id="vaults" class="vaults">
      <legend>{ui.t("vault_fields.title")}</legend>
      {numbers.map((number, index) => {
        const position = index + 1;
        return (
          <div class="vault-row" id={`vault-${number}`}>
            <Select
              ui={ui}
              form={form}
              name={`vaults.${number}.vault_key_id`}
              label={isAlone ? ui.t("vault_fields.key") : ui.t("vault_fields.key_of", { position })}
              options={options(choices.vaultKeys)}
              blank={ui.t("templates.none")}
            />
            <Field
              ui={ui}
              form={form}
              name={`vaults.${number}.name`}
              label={isAlone
                ? ui.t("vault_fields.name")
                : ui.t("vault_fields.name_of", { position })}
              placeholder="default"
              maxLength={100}
              autocomplete="off"
            />
            {!isAlone && (
              <IconButton
                icon="delete"
                label={ui.t("vault_fields.remove", { position })}
                name="vault"
                value={`${REMOVE_VAULT}${number}`}
                formNoValidate
                data-stay
              />
            )}
          </div>
        );
      })}
      <p class="field-hint m-0">{ui.t("vault_fields.hint")}</p>
      <Button name="vault" value={ADD_VAULT} icon="plus" formNoValidate data-stay>
        {ui.t("vault_fields.add")}
      </Button>
    </fieldset>
  );
}
