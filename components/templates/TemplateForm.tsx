import { approvalLabels } from "@/components/approvals/ApprovalFields.tsx";
import { ruleLabels, RuleSection } from "@/components/access/RuleSection.tsx";
import { timeLabels, type UpcomingRuns } from "@/components/schedules/WhenFields.tsx";
import { FoldedSections } from "@/components/ui/forms/FoldedSection.tsx";
import { surveyLabels } from "@/components/surveys/SurveyFields.tsx";
import { KEY_LIST, keyRowLabels } from "@/components/keys/KeyRows.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import { ASKING } from "@/lib/tasks/personal.ts";
import type { FormState } from "@/lib/web/forms/form.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ScheduleView } from "@/lib/triggers/schedules/schema.ts";
import { AUTO_FIX } from "./ChecksFields.tsx";
import { RunFields } from "./RunFields.tsx";
import { BehaviorSection, DetailsSection, KeysSection, LimitsSection } from "./RunSections.tsx";
import {
  BeforeSection,
  OverridesSection,
  ruleTexts,
  ScheduleSection,
  SurveySection,
} from "./StartSections.tsx";
import type { TemplateChoices } from "./template_choices.ts";
import { vaultLabels } from "./VaultFields.tsx";

interface TemplateFormProps {
  ui: Ui;
  form: FormState;
  /** Errors for the list above the form. The next runs show errors only at the fields. */
  errors: FormState["errors"];
  choices: TemplateChoices;
  /** Schedules that the form cannot represent, and so must not change. */
  untyped: ScheduleView[];
  /** List whose section is open, because one of its buttons was pressed. */
  opened?: string;
  /** Next runs of its schedule; null while it has none. */
  upcoming: UpcomingRuns | null;
  action: string;
  cancel: string;
  isNew: boolean;
}

/** All settings of a template. Style rules hide the fields of other types than the chosen one. */
export function TemplateForm(props: TemplateFormProps) {
  const { ui, form, errors, choices, untyped, opened, upcoming, action, cancel, isNew } = props;
  const common = { ui, form };
  return (
    <Form
      ui={ui}
      form={{ ...form, errors }}
      action={action}
      cancel={cancel}
      save={ui.t(isNew ? "actions.create" : "actions.save")}
      labels={labelsOf(ui, form)}
    >
      <RunFields {...common} choices={choices} />
      <FoldedSections>
        <DetailsSection {...common} choices={choices} />
        <LimitsSection {...common} choices={choices} />
        <KeysSection
          {...common}
          choices={choices}
          open={opened === KEY_LIST || opened === "vaults"}
        />
        <SurveySection {...common} open={opened === "survey_vars"} />
        <BeforeSection {...common} choices={choices} />
        <OverridesSection {...common} />
        <ScheduleSection
          {...common}
          choices={choices}
          untyped={untyped}
          upcoming={upcoming}
          open={opened === "schedule"}
        />
        <BehaviorSection {...common} choices={choices} />
        <RuleSection
          {...common}
          people={choices.people}
          roles={choices.roles}
          hint={ui.t("access.view_hint")}
        />
      </FoldedSections>
    </Form>
  );
}

/** Labels of the fields, for the list of errors above the form. */
const labelsOf = (ui: Ui, form: FormState): Record<string, string> => ({
  type: ui.t("templates.type_label"),
  name: ui.t("templates.name"),
  start_version: ui.t("templates.start_version"),
  build_template_id: ui.t("templates.build_template"),
  autorun: ui.t("templates.autorun"),
  repository_id: ui.t("templates.repository"),
  playbook: ui.t("templates.playbook_filename"),
  working_directory: ui.t("templates.working_directory"),
  keep_paths: ui.t("keep_paths.label"),
  inventory_id: ui.t("templates.inventory"),
  environment_id: ui.t("templates.environment"),
  description: ui.t("templates.description"),
  view_id: ui.t("templates.view"),
  git_branch: ui.t("templates.branch"),
  "task_params.limit": ui.t("template_params.limit"),
  "task_params.tags": ui.t("template_params.tags"),
  "task_params.skip_tags": ui.t("template_params.skip_tags"),
  arguments: ui.t("templates.arguments"),
  runner_tag: ui.t("placement.labels"),
  ...vaultLabels(ui, form),
  ...keyRowLabels(ui, form, 0),
  survey_vars: ui.t("survey.title"),
  ...surveyLabels(ui, form),
  start_warning: ui.t("templates.start_warning"),
  ...Object.fromEntries(ASKING.map((name) => [name, ui.t(`templates.${name}`)])),
  require_confirmation: ui.t("templates.require_confirmation"),
  preview_first: ui.t("templates.preview_first"),
  preview_end_unchanged: ui.t("templates.preview_end_unchanged"),
  ...approvalLabels(ui, "approval.", ruleTexts(ui)),
  allow_override_args_in_task: ui.t("templates.allow_arguments"),
  cron_format: ui.t("schedules.schedule"),
  ...timeLabels(ui),
  cron_repository_id: ui.t("schedules.new_commits"),
  check_cron: ui.t("template_checks.cron"),
  ...Object.fromEntries(
    AUTO_FIX.map((name) => [`auto_fix.${name}`, ui.t(`template_checks.auto_fix_${name}`)]),
  ),
  allow_parallel_tasks: ui.t("templates.allow_parallel_tasks"),
  suppress_full_results: ui.t("templates.suppress_full_results"),
  suppress_success_alerts: ui.t("templates.suppress_success_alerts"),
  suppress_error_alerts: ui.t("templates.suppress_error_alerts"),
  retry_attempts: ui.t("templates.retry_attempts"),
  retry_minutes: ui.t("templates.retry_minutes"),
  muted: ui.t("templates.muted"),
  task_identity: ui.t("templates.task_identity"),
  task_identity_audience: ui.t("templates.task_identity_audience"),
  ...ruleLabels(ui),
});
