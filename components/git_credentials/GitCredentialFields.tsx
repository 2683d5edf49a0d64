import type { FormState } from "../../lib/web/forms/form.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { CREDENTIAL_TYPES } from "../../lib/execution/git/credential_site.ts";
import type { KeyView } from "../../lib/resources/keys/schema.ts";
import { namedOptions, Segments, Select } from "../ui/forms/Choice.tsx";
import { Field } from "../ui/forms/Field.tsx";

export const gitCredentialLabels = (ui: Ui) => ({
  type: ui.t("git_credentials.type"),
  host: ui.t("git_credentials.host"),
  ssh_key_id: ui.t("git_credentials.key"),
});

interface GitCredentialFieldsProps {
  ui: Ui;
  form: FormState;
  keys: KeyView[];
}

/** A host or the beginning of an address, and the key for it. */
export function GitCredentialFields({ ui, form, keys }: GitCredentialFieldsProps) {
  const labels = gitCredentialLabels(ui);
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  return (
    <>
      <Segments
        {...field("type")}
        options={CREDENTIAL_TYPES.map((value) => ({
          value,
          label: ui.t(`git_credentials.types.${value}`),
        }))}
      />
      <Field
        {...field("host")}
        required
        autofocus
        placeholder="https://git.example.com/team"
        hint={ui.t("git_credentials.host_hint")}
      />
      <Select
        {...field("ssh_key_id")}
        required
        blank={ui.t("lists.choose")}
        options={namedOptions(ui, keys)}
        hint={ui.t("git_credentials.key_hint")}
      />
    </>
  );
}
