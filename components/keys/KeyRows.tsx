import { Alert } from "@/components/ui/Alert.tsx";
import { Button, IconButton } from "@/components/ui/Button.tsx";
import { namedOptions, Select } from "@/components/ui/forms/Choice.tsx";
import { Field } from "@/components/ui/forms/Field.tsx";
import type { FormState } from "@/lib/web/forms/form.ts";
import { ADD_ROW, removeRow, rowNumbers } from "@/lib/web/forms/rows.ts";
import type { Ui } from "@/lib/i18n/ui.ts";

/** The list of further keys in forms, and the field with the patterns of the first one. */
export const KEY_LIST = "ssh_keys";
export const FIRST_PATTERNS = "ssh_key_patterns";

interface KeyRowsProps {
  ui: Ui;
  form: FormState;
  keys: { id: number; name: string }[];
  /** Number of keys that the form has in another field in front of the list. */
  before: 0 | 1;
}

/** Labels of the list's fields. */
export function keyRowLabels(
  ui: Ui,
  { values }: FormState,
  before: KeyRowsProps["before"],
): Record<string, string> {
  const rows = rowNumbers(values, KEY_LIST).flatMap((number, index) => {
    const position = index + before + 1;
    return [
      [`${KEY_LIST}.${number}.id`, ui.t("ssh_keys.key_of", { position })],
      [`${KEY_LIST}.${number}.hosts`, ui.t("ssh_keys.hosts_of", { position })],
    ];
  });
  const first = before ? { [FIRST_PATTERNS]: ui.t("ssh_keys.hosts_of", { position: 1 }) } : {};
  return { [KEY_LIST]: ui.t("ssh_keys.title"), ...first, ...Object.fromEntries(rows) };
}

/** Returns the list's fields, for the summary of the section that it is in. */
export const keyRowSummary = (ui: Ui, { values }: FormState, keys: KeyRowsProps["keys"]) => {
  const options = namedOptions(ui, keys);
  return rowNumbers(values, KEY_LIST).flatMap((number) => [
    { name: `${KEY_LIST}.${number}.id`, text: "{{value}}", options },
    { name: `${KEY_LIST}.${number}.hosts`, text: "{{value}}" },
  ]);
};

/** Most servers close a connection after this many keys. */
const TRIES_MAX = 6;

/**
 * Keys that are offered to hosts in this order, each with the hosts that it is for. Adding and
 * removing sends the form, so no script is needed.
 */
export function KeyRows({ ui, form, keys, before }: KeyRowsProps) {
  const { values } = form;
  const numbers = rowNumbers(values, KEY_LIST);
  const labels = keyRowLabels(ui, form, before);
  const field = (name: string) => ({ ui, form, name, label: labels[name] });
  const hasRules = numbers.length > 0 || Boolean(values[FIRST_PATTERNS]);
  const forAll = numbers.filter((number) => !values[`${KEY_LIST}.${number}.hosts`]?.trim()).length +
    (before && !values[FIRST_PATTERNS]?.trim() ? 1 : 0);
  return (
    <div id="ssh-keys" class="key-rows">
      {before === 1 && hasRules && <Field {...field(FIRST_PATTERNS)} {...PATTERNS} />}
      {numbers.map((number, index) => (
        <div class="key-row" id={`ssh-key-${number}`}>
          <Select
            {...field(`${KEY_LIST}.${number}.id`)}
            options={namedOptions(ui, keys)}
            blank={ui.t("lists.choose")}
          />
          <Field {...field(`${KEY_LIST}.${number}.hosts`)} {...PATTERNS} />
          <IconButton
            icon="delete"
            label={ui.t("ssh_keys.remove", { position: index + before + 1 })}
            name="ssh_key"
            value={removeRow(number)}
            formNoValidate
            data-stay
          />
        </div>
      ))}
      {hasRules && <p class="field-hint m-0">{ui.t("ssh_keys.hosts_hint")}</p>}
      {forAll >= TRIES_MAX && <Alert>{ui.t("ssh_keys.many")}</Alert>}
      <Button name="ssh_key" value={ADD_ROW} icon="plus" formNoValidate data-stay>
        {ui.t("ssh_keys.add")}
      </Button>
    </div>
  );
}

const PATTERNS = { placeholder: "web*, dbservers", autocomplete: "off" } as const;
