import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { FormState } from "@/lib/web/forms/form.ts";
import { IconLink } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Form } from "../ui/forms/Form.tsx";
import { AlertFields, alertLabels } from "./AlertFields.tsx";
import { AlertsCrumbs, type AlertsPlace, AlertsTitle } from "./place.tsx";
import { ActiveState } from "./TargetState.tsx";

const formOf = (ui: Ui, projectId: number) => `${ui.href(paths.alerts(projectId))}/default`;

/** Whether a project sends alerts while it has no rules. Its owners can change that. */
export function DefaultAlerts({ ui, place }: { ui: Ui; place: AlertsPlace }) {
  const { projectId, alert, mayChange } = place;
  const title = ui.t("alert_rules.without");
  return (
    <section aria-labelledby="default-alerts-title" class="mb-8">
      <header class="page-header">
        <h2 id="default-alerts-title">{title}</h2>
        {mayChange && (
          <div class="page-actions">
            <IconLink
              icon="edit"
              label={ui.t("actions.edit_named", { name: title })}
              href={formOf(ui, projectId!)}
              over
            />
          </div>
        )}
      </header>
      <p>
        <ActiveState ui={ui} active={alert} /> {ui.t("projects.form.alert_hint")}
      </p>
    </section>
  );
}

/** The form of these alerts. */
export function DefaultAlertsForm(
  { ui, place, form }: { ui: Ui; place: AlertsPlace; form: FormState },
) {
  const projectId = place.projectId!;
  const title = ui.t("alert_rules.without");
  const cancel = ui.href(paths.alerts(projectId));
  return (
    <>
      <AlertsTitle ui={ui} place={place} parts={[title]} />
      <Dialog
        ui={ui}
        id="default-alerts-form"
        title={title}
        above={<AlertsCrumbs ui={ui} place={place} />}
        close={cancel}
      >
        <Form
          ui={ui}
          form={form}
          action={formOf(ui, projectId)}
          cancel={cancel}
          save={ui.t("actions.save")}
          labels={alertLabels(ui)}
        >
          <AlertFields ui={ui} form={form} />
        </Form>
      </Dialog>
    </>
  );
}
