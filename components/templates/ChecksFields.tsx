import { Checkbox, Select } from "@/components/ui/forms/Choice.tsx";
import { Field } from "@/components/ui/forms/Field.tsx";
import { FormSection } from "@/components/ui/forms/Form.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { FormState } from "@/lib/web/forms/form.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";

/** Times that name a period. Each template has its own time in it. */
const PERIODS = ["@hourly", "@every 6h", "@daily", "@weekly"] as const;
const CUSTOM = "custom";

const periodTexts = (ui: Ui): Record<(typeof PERIODS)[number], string> => ({
  "@hourly": ui.t("schedules.presets.hourly"),
  "@every 6h": ui.t("template_checks.every_6h"),
  "@daily": ui.t("schedules.presets.daily"),
  "@weekly": ui.t("schedules.presets.weekly"),
});

/** Returns the fields of the times of a template's checks. */
export function checkFields(cron: string | null): { check_every: string; check_cron: string } {
  if (cron === null) return { check_every: "", check_cron: "" };
  return PERIODS.some((period) => period === cron)
    ? { check_every: cron, check_cron: "" }
    : { check_every: CUSTOM, check_cron: cron };
}

/** Returns the form with the chosen times as the cron format of its checks. */
export const withCheckTimes = ({ check_every, ...values }: FormValues): FormValues =>
  check_every === undefined || check_every === CUSTOM
    ? values
    : { ...values, check_cron: check_every };

/** Lists of what may be fixed automatically. */
export const AUTO_FIX = ["hosts", "tags"] as const;

const checkTimes = (ui: Ui) => {
  const texts = periodTexts(ui);
  return [
    ...PERIODS.map((value) => ({ value, label: texts[value] })),
    { value: CUSTOM, label: ui.t("schedules.presets.custom") },
  ];
};

/** Returns the fields of checks, for the summary of the section that they are in. */
export const checkSummary = (ui: Ui) => [
  {
    name: "check_every",
    text: ui.labelled(ui.t("template_checks.times"), "{{value}}"),
    options: checkTimes(ui),
  },
  { name: "check_cron", text: "{{value}}" },
  { name: "check_after_commit", text: ui.t("template_checks.after_commit") },
  ...AUTO_FIX.map((name) => ({
    name: `auto_fix.${name}`,
    text: ui.labelled(ui.t(`template_checks.auto_fix_${name}`), "{{value}}"),
  })),
];

/** When the hosts of a template are checked for drift. */
export function ChecksFields({ ui, form }: { ui: Ui; form: FormState }) {
  const common = { ui, form };
  return (
    <FormSection id="template-checks" title={ui.t("template_checks.title")}>
      <Select
        {...common}
        name="check_every"
        label={ui.t("template_checks.times")}
        blank={ui.t("templates.none")}
        options={checkTimes(ui)}
        hint={ui.t("template_checks.hint")}
      />
      <Field
        {...common}
        class="for-check-cron"
        name="check_cron"
        label={ui.t("template_checks.cron")}
        placeholder={ui.t("schedules.cron_example")}
        hint={ui.t("schedules.cron_form_hint")}
        autocomplete="off"
      />
      <Checkbox
        {...common}
        name="check_after_commit"
        label={ui.t("template_checks.after_commit")}
        hint={ui.t("template_checks.after_commit_hint")}
      />
      {AUTO_FIX.map((name, n) => (
        <Field
          key={n}
          {...common}
          name={`auto_fix.${name}`}
          label={ui.t(`template_checks.auto_fix_${name}`)}
          hint={ui.t(`template_checks.auto_fix_${name}_hint`)}
          autocomplete="off"
        />
      ))}
    </FormSection>
  );
}
