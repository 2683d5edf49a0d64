import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { OwnKeyView } from "../../lib/resources/own_keys/schema.ts";
import type { FormState } from "../../lib/web/forms/form.ts";
import { AccessPart } from "../access/AccessPart.tsx";
import { keyLabels } from "../keys/KeyFields.tsx";
import { PublicKey } from "../keys/PublicKey.tsx";
import { ButtonLink } from "../ui/Button.tsx";
import { Dash } from "../ui/lists/cells.tsx";
import { Checkbox } from "../ui/forms/Choice.tsx";
import { endColumn, nameColumn, whenColumn } from "../ui/lists/columns.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Field, TextArea } from "../ui/forms/Field.tsx";
import { Form } from "../ui/forms/Form.tsx";
import { Table } from "../ui/lists/Table.tsx";

/** The SSH keys of one's own account. */
export function OwnKeys({ ui, keys }: { ui: Ui; keys: OwnKeyView[] }) {
  const title = ui.t("own_keys.title");
  const add = (
    <ButtonLink href={ui.href(paths.ownKey("new"))} over>{ui.t("own_keys.add")}</ButtonLink>
  );
  const remove = ui.href(paths.ownKey("remove"));
  return (
    <AccessPart id="own-keys" title={title} actions={add}>
      <p class="m-0">{ui.t("own_keys.what")}</p>
      <Table<OwnKeyView>
        caption={title}
        rows={keys}
        rowId={({ id }) => `own-key-${id}`}
        empty={<p class="text-muted m-0">{ui.t("own_keys.none")}</p>}
        columns={[
          nameColumn(ui, "keys.name", ({ name }) => name, {
            href: ({ id }) => ui.href(paths.ownKey(id)),
            over: true,
          }),
          {
            label: ui.t("keys.public.title"),
            kind: "text",
            cell: ({ public_key }) => public_key ? <code>{public_key}</code> : <Dash />,
          },
          whenColumn(ui, "tokens.created", "created"),
          endColumn(ui, { action: remove, name: "key", label: ui.t("passkeys.remove") }),
        ]}
      />
    </AccessPart>
  );
}

/** The number of someone else's keys, which is all that admins see of them. */
export const OwnKeyCount = ({ ui, count }: { ui: Ui; count: number }) => (
  <AccessPart id="own-keys" title={ui.t("own_keys.theirs")} actions={null}>
    <p class="m-0">{ui.t("own_keys.count", { count })}</p>
  </AccessPart>
);

/** Adds or changes an SSH key of one's own account. */
export function OwnKeyDialog(
  { ui, item, form }: { ui: Ui; item: OwnKeyView | null; form: FormState },
) {
  const labels = keyLabels(ui);
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  const account = ui.href(paths.account("keys"));
  return (
    <Dialog
      ui={ui}
      id="own-key-form"
      title={ui.t(item ? "own_keys.edit" : "own_keys.add")}
      close={account}
    >
      <Form
        ui={ui}
        form={form}
        action={ui.href(paths.ownKey(item?.id ?? "new"))}
        cancel={account}
        save={ui.t("actions.save")}
        labels={labels}
      >
        {item?.public_key && <PublicKey ui={ui} line={item.public_key} />}
        <div class="key-fields grid grid-cols-1 gap-4">
          <Field {...field("name")} required autofocus />
          <Field {...field("ssh.login")} autocomplete="off" />
          <Checkbox {...field("generate")} hint={ui.t("keys.generate_hint")} />
          <TextArea
            class="for-pasted"
            {...field("ssh.private_key")}
            required={!item}
            hint={item ? ui.t("own_keys.keep_hint") : undefined}
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
        </div>
      </Form>
    </Dialog>
  );
}
