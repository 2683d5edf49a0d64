import { paths } from "../../lib/base/paths.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { MaintenanceView } from "../../lib/maintenance/mode/schema.ts";
import type { FormState } from "../../lib/web/forms/form.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button } from "../ui/Button.tsx";
import { Field } from "../ui/forms/Field.tsx";
import { Form } from "../ui/forms/Form.tsx";
import { AdminHeader } from "./AdminHeader.tsx";

interface MaintenancePageProps {
  ui: Ui;
  maintenance: MaintenanceView;
  form: FormState;
}

/** Begins, plans and ends maintenance, and shows for which tasks the server still waits. */
export function MaintenancePage({ ui, maintenance, form }: MaintenancePageProps) {
  const { state } = maintenance;
  const labels = {
    message: ui.t("maintenance.message"),
    begins: ui.t("maintenance.begins"),
    ends: ui.t("maintenance.ends"),
  };
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  return (
    <>
      <AdminHeader ui={ui} title={ui.t("maintenance.title")} />
      <div class="grid grid-cols-1 gap-6 max-w-2xl">
        <p class="m-0">{ui.t("maintenance.about")}</p>
        {state !== "off" && <Current ui={ui} {...maintenance} />}
        <section class="card">
          <Form
            ui={ui}
            form={form}
            labels={labels}
            action={ui.href(paths.adminMaintenance())}
            save={ui.t(state === "off" ? "maintenance.begin" : "actions.save")}
          >
            <Field
              {...field("message")}
              hint={ui.t("maintenance.message_hint")}
              autocomplete="off"
            />
            <Field
              {...field("begins")}
              type="datetime-local"
              hint={ui.t("maintenance.begins_hint", { zone: ui.timeZone })}
            />
            <Field
              {...field("ends")}
              type="datetime-local"
              hint={ui.t("maintenance.ends_hint")}
            />
          </Form>
        </section>
      </div>
    </>
  );
}

/** The progress of the tasks that still run, and the button that ends maintenance. */
const Current = ({ ui, state, running, drained }: { ui: Ui } & MaintenanceView) => (
  <section class="card" aria-labelledby="current">
    <h2 id="current" class="m-0">{ui.t(`maintenance.states.${state}`)}</h2>
    <div class="grid gap-3 mt-3" role="status">
      {drained ? <Alert kind="success" title={ui.t("maintenance.drained")} /> : (
        <p class="m-0">
          <a href={ui.href(paths.queue())}>{ui.t("maintenance.running", { running })}</a>
        </p>
      )}
    </div>
    <form method="post" action={ui.href(paths.adminMaintenance("/end"))} class="mt-4">
      <Button kind={state === "on" ? "primary" : "secondary"}>
        {ui.t(state === "on" ? "maintenance.end" : "maintenance.cancel")}
      </Button>
    </form>
  </section>
);
