import { Fragment } from "preact";
import { ROLES } from "@/lib/model/roles.ts";
import type { KindField } from "@/lib/alerts/kinds/kind.ts";
import type { TargetKind } from "@/lib/alerts/schema.ts";
import { paths } from "@/lib/base/paths.ts";
import { catalogs } from "@/lib/i18n/catalogs.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { FormState } from "@/lib/web/forms/form.ts";
import { AllowPrivate } from "../ui/forms/AllowPrivate.tsx";
import { Checklist } from "../ui/forms/Checklist.tsx";
import { Checkbox, Select } from "../ui/forms/Choice.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Field, TextArea } from "../ui/forms/Field.tsx";
import { Form } from "../ui/forms/Form.tsx";
import { kindName } from "./names.ts";
import { AlertsCrumbs, type AlertsPlace, AlertsTitle } from "./place.tsx";

interface TargetFormProps {
  ui: Ui;
  place: AlertsPlace;
  kind: TargetKind;
  /** The fields of its kind. */
  fields: readonly KindField[];
  /** The target to change; null for a new one. */
  target: { id: number; name: string; secrets: string[] } | null;
  /** The rule whose form led here and follows. */
  rule?: number | "new" | null;
  form: FormState;
}

/** The form of a target with the fields of its kind. */
export function TargetForm(props: TargetFormProps) {
  const { ui, place, kind, fields, target, form } = props;
  const { projectId } = place;
  const title = ui.t(target ? "alert_targets.edit" : "alert_targets.new");
  const { action, cancel } = addressesOf(props);
  const labels: Record<string, string> = {
    name: ui.t("resources.name"),
    ...Object.fromEntries(
      fields.map(({ name }) => [`settings.${name}`, settingLabel(ui, kind, name)]),
    ),
    language: ui.t("alert_targets.language"),
    active: ui.t("alert_targets.states.active"),
    allow_private: ui.t("alert_targets.allow_private"),
  };
  const field = (name: string) => ({ ui, form, name, label: labels[name] });
  const address = place.mayAllowPrivate && fields.find(({ type }) => type === "url");
  const languages = [...catalogs].map(([value, { name }]) => ({ value, label: name }));
  return (
    <>
      <AlertsTitle ui={ui} place={place} parts={[title]} />
      <Dialog
        ui={ui}
        id="target-form"
        title={`${title} (${kindName(ui, kind)})`}
        width="medium"
        above={<AlertsCrumbs ui={ui} place={place} />}
        close={ui.href(cancel)}
      >
        <Form
          ui={ui}
          form={form}
          action={ui.href(action)}
          cancel={ui.href(cancel)}
          save={ui.t(target ? "actions.save" : "actions.create")}
          labels={labels}
        >
          <div class="grid grid-cols-1 gap-4">
            <input type="hidden" name="kind" value={kind} />
            <Field {...field("name")} required autofocus />
            {fields.map((setting, n) => (
              <Fragment key={n}>
                <Setting
                  ui={ui}
                  form={form}
                  kind={kind}
                  setting={setting}
                  label={labels[`settings.${setting.name}`]}
                  isStored={target?.secrets.includes(setting.name) ?? false}
                  isServer={projectId === null}
                />
                {setting === address && (
                  <AllowPrivate
                    {...field("allow_private")}
                    hint={ui.t("alert_targets.private_hint")}
                  />
                )}
              </Fragment>
            ))}
            <Select {...field("language")} options={languages} />
            <Checkbox {...field("active")} />
          </div>
        </Form>
      </Dialog>
    </>
  );
}

/** Returns the path that follows a change of a target: that of the rule's form that led to it. */
export function afterTarget(
  { projectId }: AlertsPlace,
  targetId: number,
  rule: number | "new" | null,
): string {
  if (rule === null) return paths.alertTarget(projectId, targetId);
  const path = paths.alertRule(projectId, rule);
  return rule === "new" ? `${path}?target=${targetId}` : path;
}

/** Returns where the form is sent, and where "Cancel" leads. */
function addressesOf({ place, target, rule = null }: TargetFormProps) {
  const { projectId } = place;
  if (!target) {
    return { action: paths.alertTarget(projectId, "new"), cancel: paths.alerts(projectId) };
  }
  const query = rule === null ? "" : `?rule=${rule}`;
  return {
    action: paths.alertTarget(projectId, target.id, "/edit") + query,
    cancel: afterTarget(place, target.id, rule),
  };
}

/** Names that services give to their fields. */
const OWN_LABELS: Record<string, string> = {
  "pagerduty.token": "routing_key",
  "opsgenie.token": "api_key",
};

function settingLabel(ui: Ui, kind: TargetKind, name: string): string {
  const label = OWN_LABELS[`${kind}.${name}`] ?? name;
  return ui.t(`alert_targets.fields.${label}`);
}

interface SettingProps {
  ui: Ui;
  form: FormState;
  kind: TargetKind;
  setting: KindField;
  label: string;
  /** Whether a secret is stored. */
  isStored: boolean;
  isServer: boolean;
}

function Setting({ ui, form, kind, setting, label, isStored, isServer }: SettingProps) {
  const { name, secret, required, type, choices, fallback } = setting;
  const field = { ui, form, name: `settings.${name}`, label };
  if (kind === "email" && name === "roles") {
    const options = isServer
      ? [{ value: "owner", label: ui.t("alert_targets.admins") }]
      : ROLES.map((value) => ({ value, label: ui.t(`roles.${value}`) }));
    return <Checklist {...field} options={options} hint={ui.t("alert_targets.roles_hint")} />;
  }
  if (secret) {
    return (
      <>
        <Field
          {...field}
          type="password"
          required={required && !isStored}
          hint={isStored && ui.t(`alert_targets.${type === "url" ? "keep_url" : "keep_secret"}`)}
          autocomplete="new-password"
        />
        {isStored && !required && (
          <Checkbox
            ui={ui}
            form={form}
            name={`remove.${name}`}
            label={ui.labelled(label, ui.t("alert_targets.remove_secret"))}
          />
        )}
      </>
    );
  }
  if (choices) {
    const options = choices.map((value) => ({ value, label: value.toUpperCase() }));
    return <Select {...field} options={options} />;
  }
  if (type === "area") {
    return (
      <TextArea
        {...field}
        code={name === "body"}
        rows={name === "body" ? 6 : 2}
        hint={ui.t(`alert_targets.${name}_hint`)}
      />
    );
  }
  return (
    <Field
      {...field}
      required={required}
      placeholder={fallback}
      autocomplete="off"
    />
  );
}
