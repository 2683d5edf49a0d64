import type { RuleView } from "@/lib/alerts/rules/schema.ts";
import type { AlertEvent } from "@/lib/alerts/schema.ts";
import type { TargetTest, TargetView } from "@/lib/alerts/targets/schema.ts";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { FormState } from "@/lib/web/forms/form.ts";
import { Button } from "../ui/Button.tsx";
import { Checklist } from "../ui/forms/Checklist.tsx";
import { Checkbox, namedOptions, Segments, Select } from "../ui/forms/Choice.tsx";
import type { Option } from "../ui/forms/found_options.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { Field, TextArea } from "../ui/forms/Field.tsx";
import { FoldedSection, FoldedSections } from "../ui/forms/FoldedSection.tsx";
import { Form } from "../ui/forms/Form.tsx";
import { zoneGroups } from "../ui/forms/zone_groups.ts";
import { eventGroups, settingsTargetName, targetName } from "./names.ts";
import { AlertsCrumbs, type AlertsPlace, AlertsTitle } from "./place.tsx";
import { TestResult } from "./TestResult.tsx";

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
  /** Result of the test message that was just sent. */
  result: TargetTest | null;
}

/** Name of the button that sends a test message to the chosen target. */
export const TEST = "test";

/** A rule as a sentence: events, the things that they are about, and a target. */
export function RuleForm(
  { ui, place, rule, form, targets, events, subjects, result }: RuleFormProps,
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
          <Checklist {...field("events")} required options={eventGroups(ui, events)} />
          <FoldedSections>
            <SubjectFields ui={ui} form={form} rule={rule} subjects={subjects} />
          </FoldedSections>
          <Select
            {...field("target_id")}
            required
            blank={form.values.target_id ? undefined : ui.t("lists.choose")}
            options={targetOptions(ui, targets, rule)}
          />
          <Button name={TEST} value="true" icon="bell" class="justify-self-start" data-stay="test">
            {ui.t("alert_targets.send_test")}
          </Button>
          {result && (
            <TestResult ui={ui} result={result} edit={targetHref(ui, place, rule, form, targets)} />
          )}
          <FoldedSections>
            <RepeatFields ui={ui} form={form} />
            <QuietFields ui={ui} form={form} />
            <NameFields ui={ui} form={form} />
          </FoldedSections>
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
  const lists = SUBJECTS.map((name) => ({
    name,
    options: subjectOptions(ui, subjects[name] ?? [], rule?.[name] ?? []),
  }));
  const { hosts } = labelsOf(ui);
  return (
    <FoldedSection
      ui={ui}
      form={form}
      id="rule-subjects"
      title={ui.t("alert_rules.subjects")}
      fields={[
        ...lists.map((list) => ({ ...list, text: "{{value}}" })),
        { name: "hosts", text: ui.labelled(hosts, "{{value}}") },
      ]}
      none={ui.t("alert_rules.everything")}
    >
      <p class="field-hint">{ui.t("alert_rules.subjects_hint")}</p>
      {lists.map(({ name, options }, n) =>
        options.length > 0 && <Checklist key={n} {...field(name)} options={options} scrolls />
      )}
      <TextArea
        {...field("hosts")}
        code
        hint={ui.t("alert_rules.hosts_hint")}
        placeholder="web*"
      />
    </FoldedSection>
  );
}

/** Fields for failures that follow others. */
function RepeatFields({ ui, form }: Pick<RuleFormProps, "ui" | "form">) {
  const field = fieldOf(ui, form);
  const labels = labelsOf(ui);
  const options = ["change", "each"].map((value) => ({
    value,
    label: ui.t(`alert_rules.repeats.${value}`),
  }));
  return (
    <FoldedSection
      ui={ui}
      form={form}
      id="rule-repeat"
      title={labels.repeat}
      fields={[
        { name: "repeat", text: "{{value}}", options },
        { name: "digest", text: labels.digest },
      ]}
    >
      <Segments {...field("repeat")} options={options} />
      <Checkbox {...field("digest")} hint={ui.t("alert_rules.digest_hint")} />
    </FoldedSection>
  );
}

/** Fields for the hours in which alerts wait. */
function QuietFields({ ui, form }: Pick<RuleFormProps, "ui" | "form">) {
  const field = fieldOf(ui, form);
  const part = (name: "quiet.from" | "quiet.to") => ({
    name,
    text: ui.labelled(field(name).label, "{{value}}"),
  });
  return (
    <FoldedSection
      ui={ui}
      form={form}
      id="rule-quiet"
      title={ui.t("alert_rules.quiet")}
      fields={[part("quiet.from"), part("quiet.to")]}
      holds={["quiet"]}
    >
      <p class="field-hint">{ui.t("alert_rules.quiet_hint")}</p>
      <Field {...field("quiet.from")} type="time" class="half" />
      <Field {...field("quiet.to")} type="time" class="half" />
      <Select
        {...field("quiet.timezone")}
        options={zoneGroups(ui, form.values["quiet.timezone"] ?? "")}
        isFixed
      />
    </FoldedSection>
  );
}

/** The name of the rule, and whether it applies. */
function NameFields({ ui, form }: Pick<RuleFormProps, "ui" | "form">) {
  const field = fieldOf(ui, form);
  const { active } = labelsOf(ui);
  return (
    <FoldedSection
      ui={ui}
      form={form}
      id="rule-name"
      title={ui.t("alert_rules.name_and_state")}
      fields={[{ name: "name", text: "{{value}}" }, { name: "active", text: active }]}
    >
      <Field {...field("name")} hint={ui.t("alert_rules.name_hint")} />
      <Checkbox {...field("active")} />
    </FoldedSection>
  );
}

const labelsOf = (ui: Ui) => ({
  events: ui.t("alert_rules.send"),
  project_ids: ui.t("runners.projects"),
  template_ids: ui.t("sections.templates"),
  view_ids: ui.t("alert_rules.views"),
  workflow_ids: ui.t("sections.workflows"),
  hosts: ui.t("alert_rules.hosts"),
  target_id: ui.t("alert_rules.send_to"),
  repeat: ui.t("alert_rules.repeat"),
  digest: ui.t("alert_rules.digest"),
  "quiet.from": ui.t("alert_rules.from"),
  "quiet.to": ui.t("alert_rules.to"),
  "quiet.timezone": ui.t("schedules.timezone"),
  name: ui.t("resources.name"),
  active: ui.t("alert_targets.states.active"),
});

/** Returns the properties that all kinds of fields have. */
function fieldOf(ui: Ui, form: FormState) {
  const labels = labelsOf(ui);
  return (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
}

/**
 * Returns the address of the chosen target's form, which leads back to this one; undefined if
 * people cannot change the target.
 */
function targetHref(
  ui: Ui,
  { projectId }: AlertsPlace,
  rule: RuleView | null,
  form: FormState,
  targets: TargetView[],
) {
  const target = targets.find(({ id }) => String(id) === form.values.target_id);
  return target && !target.from_environment
    ? `${ui.href(paths.alertTarget(projectId, target.id, "/edit"))}?rule=${rule?.id ?? "new"}`
    : undefined;
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
