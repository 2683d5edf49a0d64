import { ApprovalFields } from "@/components/approvals/ApprovalFields.tsx";
import { ScheduleCell } from "@/components/schedules/ScheduleCell.tsx";
import {
  RepeatFields,
  TIME_FIELDS,
  Upcoming,
  type UpcomingRuns,
} from "@/components/schedules/WhenFields.tsx";
import { SurveyFields } from "@/components/surveys/SurveyFields.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { namedOptions, Select } from "@/components/ui/forms/Choice.tsx";
import { TextArea } from "@/components/ui/forms/Field.tsx";
import { FoldedSection } from "@/components/ui/forms/FoldedSection.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { ASKING } from "@/lib/tasks/personal.ts";
import type { ScheduleView } from "@/lib/triggers/schedules/schema.ts";
import type { FormState } from "@/lib/web/forms/form.ts";
import { ChecksFields, checkSummary } from "./ChecksFields.tsx";
import { FlagsSection } from "./FlagsSection.tsx";
import type { TemplateChoices } from "./template_choices.ts";

interface SectionProps {
  ui: Ui;
  form: FormState;
}

/** The survey, whose questions are asked before each task. */
export function SurveySection({ ui, form, open }: SectionProps & { open: boolean }) {
  return (
    <FoldedSection
      ui={ui}
      form={form}
      id="survey"
      title={ui.t("survey.title")}
      fields={[{ name: "survey_vars.*.title", text: "{{value}}" }]}
      holds={["survey_vars"]}
      open={open}
    >
      <p class="field-hint">{ui.t("survey.hint")}</p>
      <SurveyFields ui={ui} form={form} />
    </FoldedSection>
  );
}

const BEFORE = [
  ...ASKING,
  "require_confirmation",
  "preview_first",
  "preview_end_unchanged",
] as const;

/** The rule of a confirmation has its own fields, shown if there is one. */
const RULE = "approval.";

export const ruleTexts = (ui: Ui) => ({
  notStarter: ui.t("approvals.except_starter.task"),
  notEditor: ui.t("approvals.except_editor.task"),
});

/** A warning and questions to people before the tasks of a template change anything. */
export function BeforeSection({ ui, form, choices }: SectionProps & { choices: TemplateChoices }) {
  const hints: Record<string, string> = {
    preview_first: [
      ui.t("templates.preview_first_hint"),
      ui.t("preview.runs"),
      ui.t("preview.vault_diffs"),
    ].join(" "),
    preview_end_unchanged: ui.t("templates.preview_end_unchanged_hint"),
    own_key: ui.t("templates.own_key_hint"),
    ask_ssh_password: ui.t("templates.ask_hint"),
  };
  return (
    <FlagsSection
      ui={ui}
      form={form}
      id="template-before"
      title={ui.t("templates.sections.before")}
      fields={[{ name: "start_warning", text: ui.t("templates.start_warning") }]}
      holds={["approval"]}
      more={
        <div
          class="form-section for-confirmation"
          role="group"
          aria-labelledby="template-approval"
        >
          <h2 id="template-approval">{ui.t("approvals.who")}</h2>
          <div class="form-fields">
            <ApprovalFields
              {...{ ui, form }}
              {...ruleTexts(ui)}
              prefix={RULE}
              roles={choices.roles}
              people={choices.people}
            />
          </div>
        </div>
      }
      flags={BEFORE.map((name) => ({
        name,
        label: ui.t(`templates.${name}`),
        brief: ui.t(`templates.briefs.${name}`),
        hint: hints[name],
      }))}
    >
      <TextArea
        ui={ui}
        form={form}
        name="start_warning"
        label={ui.t("templates.start_warning")}
        hint={ui.t("templates.start_warning_hint")}
        rows={2}
      />
    </FlagsSection>
  );
}

/** Settings of a template that each task may override, with their labels. */
const OVERRIDES = [
  ["task_params.allow_override_limit", "start_task.override.limit"],
  ["task_params.allow_override_tags", "start_task.override.tags"],
  ["task_params.allow_override_skip_tags", "start_task.override.skip_tags"],
  ["task_params.allow_override_skip_galaxy_install", "start_task.override.skip_galaxy_install"],
  ["task_params.allow_override_inventory", "start_task.override.inventory_id"],
  ["allow_override_branch_in_task", "start_task.override.git_branch"],
  ["allow_override_args_in_task", "start_task.override.arguments"],
  ["refuse_debug", "templates.briefs.refuse_debug"],
] as const;

/** Settings that people can choose for a single task. */
export const OverridesSection = ({ ui, form }: SectionProps) => (
  <FlagsSection
    ui={ui}
    form={form}
    id="template-overrides"
    title={ui.t("templates.sections.overrides")}
    flags={OVERRIDES.map(([name, brief]) => ({
      name,
      label: name === "allow_override_args_in_task"
        ? ui.t("templates.allow_arguments")
        : ui.t(`template_params.${name.replace("task_params.", "")}`),
      brief: ui.t(brief),
    }))}
  />
);

interface ScheduleSectionProps extends SectionProps {
  choices: TemplateChoices;
  /** Schedules that the fields cannot represent. They are listed instead. */
  untyped: ScheduleView[];
  upcoming: UpcomingRuns | null;
  open: boolean;
}

/** Schedule of a template, or a note that other schedules exist, and its checks for drift. */
export function ScheduleSection(props: ScheduleSectionProps) {
  const { ui, form, choices, untyped, upcoming, open } = props;
  const repositories = namedOptions(ui, choices.repositories);
  const whenOf = ({ name, cron_format, run_at }: ScheduleView) =>
    name || (run_at ? ui.minute(run_at) : cron_format);
  const checks = checkSummary(ui);
  const commits = ui.labelled(ui.t("schedules.new_commits_of"), "{{value}}");
  return (
    <FoldedSection
      ui={ui}
      form={form}
      id="template-schedule"
      title={ui.t("templates.sections.schedule")}
      fields={[
        ...untyped.map((schedule) => ({ name: "", text: whenOf(schedule) })),
        { name: "cron_format", text: "{{value}}" },
        { name: "cron_repository_id", text: commits, options: repositories },
        ...checks,
      ]}
      holds={[
        "cron_format",
        "cron_repository_id",
        ...TIME_FIELDS,
        ...checks.map(({ name }) => name),
      ]}
      open={open}
    >
      {untyped.length > 0 ? <Untyped ui={ui} untyped={untyped} /> : (
        <>
          <RepeatFields ui={ui} form={form} blank={ui.t("templates.none")} />
          <Upcoming ui={ui} upcoming={upcoming} formaction="#template-schedule" />
          <Select
            ui={ui}
            form={form}
            name="cron_repository_id"
            label={ui.t("schedules.new_commits")}
            blank={ui.t("schedules.every_time")}
            options={repositories}
          />
        </>
      )}
      <ChecksFields ui={ui} form={form} />
    </FoldedSection>
  );
}

const Untyped = ({ ui, untyped }: { ui: Ui; untyped: ScheduleView[] }) => (
  <Alert title={ui.t("schedules.title")}>
    <p>{ui.t("schedules.untyped", { count: untyped.length })}</p>
    <ul class="m-0 mt-1 pl-5">
      {untyped.map((schedule) => (
        <li>
          <ScheduleCell
            ui={ui}
            schedule={schedule}
            href={ui.href(paths.schedule(schedule.project_id, schedule.id))}
          />
        </li>
      ))}
    </ul>
  </Alert>
);
