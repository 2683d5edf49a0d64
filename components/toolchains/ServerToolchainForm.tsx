import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { FormState } from "../../lib/web/forms/form.ts";
import { Checkbox } from "../ui/forms/Choice.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Form } from "../ui/forms/Form.tsx";
import { Breadcrumb, Title } from "../ui/Page.tsx";
import { ToolchainFields, toolchainLabels } from "./ToolchainFields.tsx";

interface ServerToolchainFormProps {
  ui: Ui;
  /** The toolchain to change; null for a new one. */
  item: { id: number; name: string } | null;
  form: FormState;
}

/** The form of a toolchain of the server. */
export function ServerToolchainForm({ ui, item, form }: ServerToolchainFormProps) {
  const list = ui.href(paths.serverToolchains());
  const title = ui.t(`resources.toolchains.${item ? "edit" : "new"}`);
  const label = ui.t("toolchains.default");
  return (
    <>
      <Title ui={ui} parts={[title, item?.name, ui.t("admin.title")]} />
      <Dialog
        ui={ui}
        id="toolchains-form"
        title={title}
        width="wide"
        close={list}
        above={<Breadcrumb ui={ui} crumbs={[{ label: ui.t("sections.toolchains"), href: list }]} />}
      >
        <Form
          ui={ui}
          form={form}
          action={ui.href(paths.serverToolchain(item?.id ?? "new"))}
          cancel={list}
          save={ui.t(item ? "actions.save" : "actions.create")}
          labels={{ ...toolchainLabels(ui), is_default: label }}
        >
          <ToolchainFields ui={ui} form={form} />
          <Checkbox
            ui={ui}
            form={form}
            name="is_default"
            label={label}
            hint={ui.t("toolchains.default_hint")}
          />
        </Form>
      </Dialog>
    </>
  );
}
