import type { FormState } from "../../lib/web/forms/form.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { KEY_TYPES, type KeyView } from "../../lib/resources/keys/schema.ts";
import { signerLabels, SourceFields, sourceLabels } from "../secret_storages/SourceFields.tsx";
import { Alert } from "../ui/Alert.tsx";
import { Checkbox, namedOptions, Segments, Select } from "../ui/forms/Choice.tsx";
import { Field, TextArea } from "../ui/forms/Field.tsx";
import { FoldedSection } from "../ui/forms/FoldedSection.tsx";
import { Sentence } from "../ui/Sentence.tsx";

export const keyLabels = (ui: Ui): Record<string, string> => ({
  name: ui.t("keys.name"),
  type: ui.t("keys.type"),
  override_secret: ui.t("keys.override"),
  "login_password.login": ui.t("keys.login"),
  "login_password.password": ui.t("keys.password"),
  string: ui.t("keys.types.string"),
  generate: ui.t("keys.generate"),
  "ssh.login": ui.t("keys.username"),
  "ssh.private_key": ui.t("keys.private_key"),
  "ssh.passphrase": ui.t("keys.passphrase"),
  certificate: ui.t("keys.certificate"),
  "ssh_options.user": ui.t("key_options.user"),
  "ssh_options.port": ui.t("key_options.port"),
  "ssh_options.jump.host": ui.t("key_options.jump_host"),
  "ssh_options.jump.port": ui.t("key_options.jump_port"),
  "ssh_options.jump.user": ui.t("key_options.jump_user"),
  "ssh_options.jump.key_id": ui.t("key_options.jump_key"),
  ...sourceLabels(ui, "source"),
  ...signerLabels(ui, "certificate_source"),
});

interface KeyFieldsProps {
  ui: Ui;
  form: FormState;
  /** Type of the stored key; missing for a new one. */
  stored?: KeyView["type"];
  /** Keys for a jump host. */
  keys: { id: number; name: string }[];
  storages: readonly { id: number; name: string }[];
  /** The storages that sign keys. */
  signers: readonly { id: number; name: string }[];
}

/** A key's name, type and secrets. Stored secrets stay unchanged unless "Override" is ticked. */
export function KeyFields({ ui, form, stored, keys, storages, signers }: KeyFieldsProps) {
  const labels = keyLabels(ui);
  const field = (name: string) => ({ ui, form, name, label: labels[name] });
  return (
    <div class="key-fields grid grid-cols-1 gap-4">
      <Field {...field("name")} required autofocus />
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
          {stored === "ssh" && <CertificateField ui={ui} form={form} signers={signers} />}
          {stored === "ssh" && <OptionFields ui={ui} form={form} keys={keys} />}
          <Checkbox {...field("override_secret")} hint={ui.t("keys.override_hint")} />
        </>
      )}
      <div class={`grid grid-cols-1 gap-4 ${stored ? "key-secrets" : ""}`}>
        <Segments
          {...field("type")}
          options={KEY_TYPES.map((value) => ({ value, label: ui.t(`keys.types.${value}`) }))}
        />
        <div class="for-secrets source-place grid grid-cols-1 gap-4">
          <SourceFields ui={ui} form={form} name="source" storages={storages} />
        </div>
        <LoginFields ui={ui} form={form} />
        <TextArea {...field("string")} class="for-string" required code secret rows={3} />
        <div class="for-ssh grid grid-cols-1 gap-4">
          <Checkbox {...field("generate")} hint={ui.t("keys.generate_hint")} />
          <TextArea
            class="for-pasted"
            {...field("ssh.private_key")}
            required
            code
            secret
            rows={6}
            placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
          />
          <div class="form-fields">
            <Field {...field("ssh.login")} class="half" autocomplete="off" />
            <Field
              {...field("ssh.passphrase")}
              class="half for-pasted"
              type="password"
              autocomplete="new-password"
            />
          </div>
        </div>
        {stored !== "ssh" && (
          <div class="for-any-ssh grid grid-cols-1 gap-4">
            <CertificateField ui={ui} form={form} signers={signers} />
            <OptionFields ui={ui} form={form} keys={keys} />
          </div>
        )}
        <Alert class="for-none">{ui.t("keys.none_hint")}</Alert>
      </div>
    </div>
  );
}

function CertificateField({ ui, form, signers }: Pick<KeyFieldsProps, "ui" | "form" | "signers">) {
  const label = ui.t("keys.certificate");
  return (
    <FoldedSection
      ui={ui}
      form={form}
      id="key-certificate"
      title={label}
      fields={[
        { name: "certificate", text: "{{value}}" },
        { name: "certificate_source.path", text: "{{value}}" },
      ]}
    >
      <TextArea
        ui={ui}
        form={form}
        name="certificate"
        label={label}
        class="for-pasted"
        code
        rows={2}
        hint={ui.t("keys.certificate_hint")}
      />
      <div class="source-place grid grid-cols-1 gap-4">
        <SourceFields ui={ui} form={form} name="certificate_source" storages={signers} signs />
      </div>
    </FoldedSection>
  );
}

/** Fields for the way to the hosts of an SSH key. */
function OptionFields({ ui, form, keys }: Pick<KeyFieldsProps, "ui" | "form" | "keys">) {
  const labels = keyLabels(ui);
  const field = (name: string) => ({ ui, form, name, label: labels[name] });
  const port = { type: "number", min: 1, max: 65_535, class: "half" } as const;
  const word = { autocomplete: "off", class: "half" } as const;
  return (
    <FoldedSection
      ui={ui}
      form={form}
      id="ssh-options"
      title={ui.t("key_options.title")}
      fields={(["ssh_options.user", "ssh_options.port", "ssh_options.jump.host"] as const).map(
        (name) => ({ name, text: ui.labelled(labels[name], "{{value}}") }),
      )}
      holds={["ssh_options"]}
    >
      <Field
        {...field("ssh_options.user")}
        {...word}
        hint={ui.t("key_options.user_hint")}
      />
      <Field
        {...field("ssh_options.port")}
        {...port}
        hint={ui.t("key_options.port_hint")}
      />
      <Field
        {...field("ssh_options.jump.host")}
        {...word}
        hint={ui.t("key_options.jump_hint")}
      />
      <Field {...field("ssh_options.jump.port")} {...port} placeholder="22" />
      <Field {...field("ssh_options.jump.user")} {...word} />
      <Select
        {...field("ssh_options.jump.key_id")}
        class="half"
        blank={ui.t("key_options.this_key")}
        options={namedOptions(ui, keys)}
      />
    </FoldedSection>
  );
}

function LoginFields({ ui, form }: Pick<KeyFieldsProps, "ui" | "form">) {
  const labels = keyLabels(ui);
  const field = (name: string) => ({ ui, form, name, label: labels[name] });
  return (
    <div class="for-login_password grid grid-cols-1 gap-4">
      <Field {...field("login_password.login")} autocomplete="off" />
      <Field
        {...field("login_password.password")}
        type="password"
        required
        autocomplete="new-password"
      />
    </div>
  );
}
