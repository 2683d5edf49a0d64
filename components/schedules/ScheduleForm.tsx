import { RUN_PERMISSIONS } from "@/lib/access/permissions.ts";
import type { ComponentChildren } from "preact";
import { Conditions } from "./Conditions.tsx";
import { timeLabels, type UpcomingRuns, WhenFields } from "./WhenFields.tsx";
import { TargetField } from "@/components/tasks/TargetField.tsx";
import { Checkbox, namedOptions } from "@/components/ui/forms/Choice.tsx";
import { Field } from "@/components/ui/forms/Field.tsx";
import { FoldedSection, FoldedSections } from "@/components/ui/forms/FoldedSection.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import { answerLabels } from "@/lib/surveys/answer_fields.ts";
import type { AskedQuestion } from "@/lib/surveys/choices.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import type { SurveyVar } from "@/lib/surveys/schema.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import type { WorkflowView } from "@/lib/workflows/schema.ts";
import type { FormState } from "@/lib/web/forms/form.ts";
import { OverrideFields, overrideLabels } from "@/components/tasks/OverrideFields.tsx";
import { SurveyAnswers } from "@/components/surveys/SurveyAnswers.tsx";
import { PersonOnly } from "@/components/tasks/PersonalFields.tsx";
import { BuildField, ModeFields } from "@/components/tasks/StartTaskForm.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { allowancesOf } from "@/lib/queue/inputs/overrides.ts";

interface Named {
  id: number;
  name: string;
}

interface ScheduleFormProps {
  ui: Ui;
  form: FormState;
  /** Errors for the list above the form. A preview shows errors only at the fields. */
  errors: FormState["errors"];
  templates: readonly Named[];
  workflows: Named[];
  /** The currently chosen template, or else the workflow. */
  template: TemplateView | null;
  workflow: WorkflowView | null;
  repositories: Named[];
  /** Questions that its survey asks with the answers in the form. */
  asked: AskedQuestion[];
  inventories: Named[];
  /** Branches and tags to suggest. */
  branches: string[];
  /** Builds that a deploy can use, latest first. */
  builds: TaskView[];
  /** Next runs; null while its times are invalid. */
  upcoming: UpcomingRuns | null;
  action: string;
  cancel: string;
  isNew: boolean;
}

/** The template or workflow, the times and the values of a schedule. */
export function ScheduleForm(props: ScheduleFormProps) {
  const { ui, form, errors, templates, workflows, template, workflow, repositories } = props;
  const { upcoming, action, cancel, isNew } = props;
  const common = { ui, form };
  const isChosen = template !== null || workflow !== null;
  const labels = labelsOf(props);
  return (
    <Form
      ui={ui}
      form={{ ...form, errors }}
      action={action}
      cancel={cancel}
      save={ui.t(isNew ? "actions.create" : "actions.save")}
      labels={labels}
    >
      <div class="schedule-fields grid grid-cols-1 gap-4">
        <TargetField
          {...common}
          label={labels.template_id}
          {...{ templates, workflows }}
          blank={isChosen ? undefined : ui.t("lists.choose")}
          autofocus={!isChosen}
        />
        <Field
          {...common}
          name="name"
          label={ui.t("schedules.name")}
          hint={ui.t("schedules.name_hint")}
          autocomplete="off"
          autofocus={isChosen && isNew}
        />
        <WhenFields {...common} upcoming={upcoming} />
        <Checkbox
          {...common}
          name="check"
          label={ui.t("schedules.check")}
          hint={ui.t("schedules.check_hint")}
        />
        <Checkbox {...common} name="active" label={ui.t("schedules.active")} />
        <FoldedSections>
          <Conditions {...common} repositories={repositories} isOfWorkflow={workflow !== null} />
          {template && <RunFields {...props} template={template} />}
          {workflow && <WorkflowFields {...props} workflow={workflow} />}
        </FoldedSections>
      </div>
    </Form>
  );
}

/** The values that runs start with. Questions are in sight. */
function RunSection(
  { ui, form, survey, children }: Pick<RunFieldsProps, "ui" | "form"> & {
    survey: SurveyVar[];
    children: ComponentChildren;
  },
) {
  const labels = runLabels(ui, { survey_vars: survey });
  const modes = ["debug", "dry_run", "diff", "force_galaxy_install"] as const;
  return (
    <FoldedSection
      ui={ui}
      form={form}
      id="schedule-run"
      title={ui.t("schedules.each_run")}
      fields={[
        { name: "message", text: "{{value}}" },
        ...Object.entries(overrideLabels(ui)).filter(([name]) => name in form.values)
          .map(([name, label]) => ({ name, text: label })),
        ...modes.map((name) => ({ name, text: ui.t(`start_task.${name}`) })),
      ]}
      holds={Object.keys(labels)}
      open={survey.length > 0}
    >
      {children}
    </FoldedSection>
  );
}

/** Labels of the fields, for the list of errors. */
const labelsOf = (
  { ui, template, workflow, workflows }: Pick<
    ScheduleFormProps,
    "ui" | "template" | "workflow" | "workflows"
  >,
): Record<string, string> => ({
  template_id: ui.t(workflows.length > 0 ? "schedules.target" : "schedules.template"),
  name: ui.t("schedules.name"),
  ...timeLabels(ui),
  cron_format: ui.t("schedules.cron"),
  timezone: ui.t("schedules.timezone"),
  offset_days: ui.t("schedules.offset_days"),
  run_at: ui.t("schedules.run_at"),
  repository_id: ui.t("schedules.new_commits"),
  if_waiting: ui.t("if_waiting.label"),
  ...runLabels(ui, template ?? workflow),
});

interface RunFieldsProps {
  ui: Ui;
  form: FormState;
  template: TemplateView;
  asked: AskedQuestion[];
  inventories: Named[];
  branches: string[];
  /** Builds that a deploy can use, latest first. */
  builds: TaskView[];
}

/** Values that a schedule's tasks start with, as in the dialog that starts a task. */
function RunFields(
  { ui, form, template, asked, inventories, branches, builds }: RunFieldsProps,
) {
  const common = { ui, form };
  const survey = template.survey_vars;
  const allowed = allowancesOf(template);
  return (
    <RunSection {...common} survey={survey}>
      <SecretWarning ui={ui} survey={survey} of="schedules.secret_asked" />
      <PersonOnly {...{ ui, template, inventories }} inventoryId={form.values.inventory_id} />
      {template.type === "deploy" && (
        <BuildField {...common} builds={builds} blank={ui.t("schedules.newest_build")} />
      )}
      <Field {...common} name="message" label={ui.t("start_task.message")} />
      <SurveyAnswers
        {...common}
        survey={survey.filter(({ type }) => type !== "secret")}
        asked={asked}
      />
      <OverrideFields
        {...common}
        {...{ template, branches }}
        permissions={RUN_PERMISSIONS}
        inventories={namedOptions(ui, inventories)}
      />
      {(allowed.arguments || form.values.arguments) && (
        <Field
          {...common}
          name="arguments"
          label={ui.t("templates.arguments")}
          placeholder='["--forks", "20"]'
          autocomplete="off"
        />
      )}
      <ModeFields {...common} mayDebug={allowed.debug} mayRenew />
    </RunSection>
  );
}

/** Warns if a required answer is secret, because a schedule cannot give it. */
function SecretWarning(
  { ui, survey, of }: { ui: Ui; survey: readonly SurveyVar[]; of: string },
) {
  const secrets = survey.filter(({ type }) => type === "secret");
  return secrets.some(({ required }) => required) && (
    <Alert kind="warning">
      {ui.t(of, { title: ui.list(secrets.map(({ title }) => title)) })}
    </Alert>
  );
}

/** Values that a schedule's runs of a workflow start with. */
function WorkflowFields(
  { ui, form, workflow, asked }: Omit<RunFieldsProps, "template"> & { workflow: WorkflowView },
) {
  const survey = workflow.survey_vars;
  return (
    <RunSection {...{ ui, form, survey }}>
      <SecretWarning ui={ui} survey={survey} of="schedules.secret_asked_run" />
      <Field
        {...{ ui, form }}
        name="message"
        label={ui.t("start_task.message")}
      />
      <SurveyAnswers
        {...{ ui, form }}
        survey={survey.filter(({ type }) => type !== "secret")}
        asked={asked}
      />
    </RunSection>
  );
}

/** Labels of those fields, for the list of errors. */
const runLabels = (
  ui: Ui,
  template: Pick<TemplateView, "survey_vars"> | null,
): Record<string, string> => ({
  message: ui.t("start_task.message"),
  build_task_id: ui.t("start_task.build_version"),
  ...overrideLabels(ui),
  ...answerLabels(template?.survey_vars ?? []),
});
