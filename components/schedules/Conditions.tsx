import { waitingOptions } from "@/components/tasks/waiting_options.ts";
import { namedOptions, Select } from "@/components/ui/forms/Choice.tsx";
import { Field } from "@/components/ui/forms/Field.tsx";
import { FoldedSection } from "@/components/ui/forms/FoldedSection.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import { OFFSET_DAYS_MAX } from "@/lib/triggers/schedules/schema.ts";
import type { FormState } from "@/lib/web/forms/form.ts";

interface ConditionsProps {
  ui: Ui;
  form: FormState;
  repositories: { id: number; name: string }[];
  isOfWorkflow: boolean;
}

/** When a schedule starts nothing, or on another day. */
export function Conditions({ ui, form, repositories, isOfWorkflow }: ConditionsProps) {
  const common = { ui, form };
  const commits = namedOptions(ui, repositories);
  const missed = ["skip", "run_once"].map((value) => ({
    value,
    label: ui.t(`schedules.missed_${value}`),
  }));
  const waiting = waitingOptions(ui);
  return (
    <FoldedSection
      {...common}
      id="schedule-conditions"
      title={ui.t("schedules.conditions")}
      fields={[
        {
          name: "repository_id",
          text: ui.labelled(ui.t("schedules.new_commits_of"), "{{value}}"),
          options: commits,
        },
        { name: "missed", text: "{{value}}", options: missed, blank: missed[0].label },
        { name: "if_waiting", text: "{{value}}", options: waiting, blank: waiting[0].label },
        { name: "offset_days", text: ui.labelled(ui.t("schedules.offset_days"), "{{value}}") },
      ]}
    >
      <Select
        {...common}
        name="repository_id"
        label={ui.t("schedules.new_commits")}
        blank={ui.t("schedules.every_time")}
        options={commits}
        hint={ui.t("schedules.new_commits_hint")}
      />
      <Select {...common} name="missed" label={ui.t("schedules.missed")} options={missed} />
      <Select
        {...common}
        name="if_waiting"
        label={ui.t("if_waiting.label")}
        options={waiting}
        hint={isOfWorkflow && ui.t("if_waiting.run_hint")}
      />
      <Field
        {...common}
        class="for-cron"
        name="offset_days"
        type="number"
        min={-OFFSET_DAYS_MAX}
        max={OFFSET_DAYS_MAX}
        label={ui.t("schedules.offset_days")}
        hint={ui.t("schedules.offset_days_hint")}
      />
    </FoldedSection>
  );
}
