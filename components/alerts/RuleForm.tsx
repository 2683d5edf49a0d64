import type { RuleView } from "@/lib/alerts/rules/schema.ts";
import type { AlertEvent } from "@/lib/alerts/schema.ts";
import type { TargetView } from "@/lib/alerts/targets/schema.ts";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { FormState } from "@/lib/web/forms/form.ts";
import { Checklist } from "../ui/forms/Checklist.tsx";
import { Checkbox, namedOptions, Segments, Select } from "../ui/forms/Choice.tsx";
import type { Option } from "../ui/forms/found_options.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { Field, TextArea } from "../ui/forms/Field.tsx";
import { Form, FormSection } from "../ui/forms/Form.tsx";
import { zoneGroups } from "../ui/forms/zone_groups.ts";
import { settingsTargetName, targetName } from "./names.ts";
import { AlertsCrumbs, type AlertsPlace, AlertsTitle } from "./place.tsx";

interface Named {
  id: number;
  name: string;
}

const SUBJECTS = ["project_ids", "template_ids", "view_ids", "workflow_ids"] as const;

/** Things that a rule can be for. Only rules of the server are for projects, and only for these. */
export type RuleSubjects = Partial<Record<typeof SUBJECTS[number], readonly Named[]>>;

interface RuleFormProps {
  ui: Ui;
  place: AlertsPlace;
  /** The rule to change; null for a new one. */
  rule: RuleView | null;
  form: FormState;
  targets: TargetView[];
  events: readonly AlertEvent[];
  subjects: RuleSubjects;
}

/** The events, the target and the times of a rule. */
export function RuleForm(
  { ui, place, rule, form, targets, events, subjects }: RuleFormProps,
) {
  const { projectId } = place;
  const title = ui.t(rule ? "alert_rules.edit" : "alert_rules.new");
  const cancel = ui.href(paths.alerts(projectId));
  const labels = labelsOf(ui);
  const field = fieldOf(ui, form);
  return (
    <>
      <AlertsTitle ui={ui} place={place} parts={rule ? [rule.name, title] : [title]} />
      <Dialog
        ui={ui}
        id="rule-form"
        title={title}
        width="large"
        above={<AlertsCrumbs ui={ui} place={place} />}
        close={cancel}
      >
        <Form
          ui={ui}
          form={form}
          action={ui.href(paths.alertRule(projectId, rule?.id ?? "new"))}
          cancel={cancel}
          save={ui.t(rule ? "actions.save" : "actions.create")}
          labels={labels}
        >
          <div class="grid grid-cols-1 gap-4">
            <Field {...field("name")} required maxLength={100} autofocus />
            <Select
              {...field("target_id")}
              required
              blank={form.values.target_id ? undefined : ui.t("lists.choose")}
              options={targetOptions(ui, targets, rule)}
            />
            <Checklist
              {...field("events")}
              required
              options={events.map((value) => ({ value, label: ui.t(`alert_events.${value}`) }))}
            />
            <Segments
              {...field("repeat")}
              options={["change", "each"].map((value) => ({
                value,
                label: ui.t(`alert_rules.repeats.${value}`),
              }))}
            />
            <Checkbox {...field("digest")} hint={ui.t("alert_rules.digest_hint")} />
            <Checkbox {...field("active")} />
          </div>
          <SubjectFields ui={ui} form={form} rule={rule} subjects={subjects} />
          <QuietFields ui={ui} form={form} />
        </Form>
      </Dialog>
    </>
  );
}

/** Fields for the things that a rule is for. */
function SubjectFields(
  { ui, form, rule, subjects }: Pick<RuleFormProps, "ui" | "form" | "rule" | "subjects">,
) {
  const field = fieldOf(ui, form);
  return (
    <FormSection
      id="rule-subjects"
      title={ui.t("alert_rules.subjects")}
      hint={ui.t("alert_rules.subjects_hint")}
    >
      {SUBJECTS.map((name, n) => {
        const options = subjectOptions(ui, subjects[name] ?? [], rule?.[name] ?? []);
        return options.length > 0 &&
          <Checklist key={n} {...field(name)} options={options} scrolls />;
      })}
      <TextArea
        {...field("hosts")}
        code
        hint={ui.t("alert_rules.hosts_hint")}
        placeholder="web*"
      />
    </FormSection>
  );
}

/** Fields for the hours in which alerts wait. */
function QuietFields({ ui, form }: Pick<RuleFormProps, "ui" | "form">) {
  const field = fieldOf(ui, form);
  return (
    <FormSection
      id="rule-quiet"
      title={ui.t("alert_rules.quiet")}
      hint={ui.t("alert_rules.quiet_hint")}
    >
      <Field {...field("quiet.from")} type="time" class="half" />
      <Field {...field("quiet.to")} type="time" class="half" />
      <Select
        {...field("quiet.timezone")}
        options={zoneGroups(ui, form.values["quiet.timezone"] ?? "")}
        isFixed
      />
    </FormSection>
  );
}

const labelsOf = (ui: Ui) => ({
  name: ui.t("resources.name"),
  target_id: ui.t("alert_rules.target"),
  events: ui.t("alert_rules.events"),
  repeat: ui.t("alert_rules.repeat"),
  digest: ui.t("alert_rules.digest"),
  active: ui.t("alert_targets.states.active"),
  project_ids: ui.t("runners.projects"),
  template_ids: ui.t("sections.templates"),
  view_ids: ui.t("alert_rules.views"),
  workflow_ids: ui.t("sections.workflows"),
  hosts: ui.t("alert_rules.hosts"),
  "quiet.from": ui.t("alert_rules.from"),
  "quiet.to": ui.t("alert_rules.to"),
  "quiet.timezone": ui.t("schedules.timezone"),
});

/** Returns the properties that all kinds of fields have. */
function fieldOf(ui: Ui, form: FormState) {
  const labels = labelsOf(ui);
  return (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
}

/** A target of the settings that is no longer set up stays a choice of the rules that name it. */
function targetOptions(ui: Ui, targets: TargetView[], rule: RuleView | null): Option[] {
  const options = targets.map((target) => ({ value: target.id, label: targetName(ui, target) }));
  if (!rule || targets.some(({ id }) => id === rule.target_id)) return options;
  return [...options, { value: rule.target_id, label: settingsTargetName(ui, rule.target_id) }];
}

/** Deleted things stay chosen: without them, a rule for one template would be for all. */
function subjectOptions(ui: Ui, known: readonly Named[], chosen: number[]): Option[] {
  const gone = chosen.filter((id) => known.every((one) => one.id !== id));
  return [
    ...namedOptions(ui, known),
    ...gone.map((id) => ({ value: id, label: ui.t("alert_rules.gone", { id }) })),
  ];
}
