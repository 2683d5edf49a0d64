import { Certificate } from "@/components/keys/Certificate.tsx";
import { KeyFields, keyLabels } from "@/components/keys/KeyFields.tsx";
import { PublicKey } from "@/components/keys/PublicKey.tsx";
import {
  atSource,
  readSourceFields,
  shownSource,
} from "@/components/secret_storages/SourceFields.tsx";
import { ResourceForm } from "@/components/resources/ResourceForm.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { keyChangeForm, keyForm } from "@/lib/resources/keys/schema.ts";
import { keyService } from "@/lib/resources/keys/service.ts";
import { listSigners, secretStorageService } from "@/lib/resources/secret_storages/service.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";
import { define } from "@/lib/web/state.ts";
import { resourceFormHandlers } from "@/routes/(_pages)/resources/form.ts";

export const handler = resourceFormHandlers({
  noun: "keys",
  param: "keyId",
  service: keyService,
  form: keyForm,
  changeForm: () => keyChangeForm,
  // The user needs the public half of a newly generated pair next.
  next: ({ generate }, path) => generate ? path : null,
  beside: async (scope, key) => ({
    storages: await secretStorageService.list(scope),
    signers: await listSigners(scope),
    keys: (await keyService.list(scope)).filter(({ id, type }) => type === "ssh" && id !== key?.id),
  }),
  choices: ({ keys }) => ({ "ssh_options.jump.key_id": keys }),
  shown: (key) =>
    key
      ? {
        name: key.name,
        type: key.type,
        // The place is shown, and changes with the other fields.
        override_secret: key.empty || key.source !== null,
        certificate: key.certificate,
        certificate_source: shownSource(key.certificate_source) ?? undefined,
        ssh_options: key.ssh_options,
        source: shownSource(key.source) ?? undefined,
      }
      : { type: "ssh" },
  read: (values) => ({
    values: readSigner(readSourceFields(values, "source")),
    errorsAt: atSource,
  }),
});

/** Sends a form without a signer as such, because a missing one would stay. */
const readSigner = (values: FormValues): FormValues => ({
  "certificate_source.path": "",
  ...readSourceFields(values, "certificate_source"),
});

export default define.page<typeof handler>(({ data, state: { ui, shell, deps } }) => (
  <ResourceForm ui={ui} shell={shell} noun="keys" labels={keyLabels(ui)} {...data}>
    {data.item?.empty && <Alert kind="warning">{ui.t("keys.empty_hint")}</Alert>}
    {data.item?.public_key && <PublicKey ui={ui} line={data.item.public_key} />}
    {data.item?.certificate && (
      <Certificate
        ui={ui}
        line={data.item.certificate}
        now={deps.clock.now().getTime()}
      />
    )}
    <KeyFields
      ui={ui}
      form={data.form}
      stored={data.item?.type}
      keys={data.keys}
      storages={data.storages}
      signers={data.signers}
    />
  </ResourceForm>
));
