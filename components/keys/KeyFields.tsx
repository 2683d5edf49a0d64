import type { FormState } from "../../lib/web/forms/form.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { KEY_TYPES, type KeyView } from "../../lib/resources/keys/schema.ts";
import { Alert } from "../ui/Alert.tsx";
import { Checkbox, Segments } from "../ui/Choice.tsx";
import { Field, TextArea } from "../ui/Field.tsx";
import { Sentence } from "../ui/Sentence.tsx";

export const keyLabels = (ui: Ui) => ({
  name: ui.t("keys.name"),
  type: ui.t("keys.type"),
  override_secret: ui.t("keys.override"),
  "login_password.login": ui.t("keys.login"),
  "login_password.password": ui.t("keys.password"),
  generate: ui.t("keys.generate"),
  "ssh.login": ui.t("keys.username"),
  "ssh.private_key": ui.t("keys.private_key"),
  "ssh.passphrase": ui.t("keys.passphrase"),
  certificate: ui.t("keys.certificate"),
});

interface KeyFieldsProps {
  ui: Ui;
  form: FormState;
  /** Type of the stored key; missing for a new one. */
  stored?: KeyView["type"];
}

/** A key's name, type and secrets. Stored secrets stay unchanged unless "Override" is ticked. */
export function KeyFields({ ui, form, stored }: KeyFieldsProps) {
  const labels = keyLabels(ui);
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  const certificate = (
    <TextArea
      {...field("certificate")}
      class="for-pasted"
      code
      rows={2}
      hint={ui.t("keys.certificate_hint")}
    />
  );
  return (
    <div class="key-fields grid grid-cols-1 gap-4">
      <Field {...field("name")} required maxLength={200} autofocus />
      {stored && (
        <>
          <p class="key-type">
            <Sentence
              ui={ui}
              of="lists.labelled"
              params={{ label: labels.type }}
              parts={{ value: <strong>{ui.t(`keys.types.${stored}`)}</strong> }}
            />
          </p>
          {stored === "ssh" && certificate}
          <Checkbox {...field("override_secret")} hint={ui.t("keys.override_hint")} />
        </>
      )}
      <div class={`grid grid-cols-1 gap-4 ${stored ? "key-secrets" : ""}`}>
        <Segments
          {...field("type")}
          options={KEY_TYPES.map((value) => ({ value, label: ui.t(`keys.types.${value}`) }))}
        />
        <div class="for-login_password grid grid-cols-1 gap-4">
          <Field {...field("login_password.login")} autocomplete="off" />
          <Field
            {...field("login_password.password")}
            type="password"
            required
            autocomplete="new-password"
          />
        </div>
        <div class="for-ssh grid grid-cols-1 gap-4">
          <Checkbox {...field("generate")} hint={ui.t("keys.generate_hint")} />
          <Field {...field("ssh.login")} autocomplete="off" />
          <TextArea
            class="for-pasted"
            {...field("ssh.private_key")}
            required
            code
            secret
            rows={8}
            placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
          />
          <Field
            {...field("ssh.passphrase")}
            class="for-pasted"
            type="password"
            autocomplete="new-password"
          />
          {stored !== "ssh" && certificate}
        </div>
        <Alert class="for-none">{ui.t("keys.none_hint")}</Alert>
      </div>
    </div>
  );
}
