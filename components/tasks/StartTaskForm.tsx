import { may } from "@/lib/web/shell.ts";
import { allowancesFor } from "@/lib/queue/inputs/overrides.ts";
import { CodeField } from "@/components/editor/CodeField.tsx";
import { SurveyAnswers } from "@/components/surveys/SurveyAnswers.tsx";
import { OverrideFields, overrideLabels } from "./OverrideFields.tsx";
import { PersonalFields, personalLabels } from "./PersonalFields.tsx";
import { StartFacts, StartLabel } from "./StartFacts.tsx";
import { runLabel, runOnLabel, runTitle } from "@/components/tasks/TypeIcon.tsx";
import { Alert } from "@/components/ui/Alert.tsx";
import { Checkbox, Select } from "@/components/ui/forms/Choice.tsx";
import type { Option } from "@/components/ui/forms/found_options.ts";
import { Field } from "@/components/ui/forms/Field.tsx";
import { Form } from "@/components/ui/forms/Form.tsx";
import type { FormState } from "@/lib/web/forms/form.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { AskedPersonal } from "@/lib/queue/inputs/personal_form.ts";
import type { TaskView } from "@/lib/tasks/schema.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import type { StartTargets } from "@/lib/uses/start_targets.ts";
import { answerLabels } from "@/lib/surveys/answer_fields.ts";
import type { AskedQuestion } from "@/lib/surveys/choices.ts";

interface StartTaskFormProps {
  ui: Ui;
  form: FormState;
  template: TemplateView;
  asked: AskedQuestion[];
  targets: StartTargets;
  personal: AskedPersonal;
  /** Builds that a deploy can use, latest first. */
  builds: TaskView[];
  inventories: readonly Option[];
  /** Branches and tags to suggest. */
  branches: string[];
  /** The permissions of the starter. */
  permissions: number;
  /** Whether the starter may have requirements installed again. */
  mayRenew: boolean;
  action: string;
  cancel: string;
}

/** Says what a new task runs, and asks for its values: answers to its survey, and options. */
export function StartTaskForm(
  props: StartTaskFormProps,
) {
  const { ui, form, template, asked, targets, personal, builds, inventories, branches } = props;
  const { mayRenew, action, cancel, permissions } = props;
  const common = { ui, form };
  const { type } = template;
  const survey = template.survey_vars;
  return (
    <Form
      ui={ui}
      form={form}
      action={action}
      cancel={cancel}
      save={
        <StartLabel
          plain={runLabel(ui, type)}
          counted={targets.hosts === null ? null : runOnLabel(ui, type, targets.hosts)}
          title={runTitle(ui, template)}
        />
      }
      labels={{
        build_task_id: ui.t("start_task.build_version"),
        message: ui.t("start_task.message"),
        ...overrideLabels(ui),
        ...answerLabels(survey),
        ...personalLabels(ui),
        arguments: ui.t("templates.arguments"),
      }}
    >
      <input type="hidden" name="back" value={form.values.back} />
      <StartFacts ui={ui} template={template} targets={targets} />
      {type === "deploy" && (
        <BuildField
          {...common}
          builds={builds}
          blank={builds.length === 0 ? ui.t("start_task.no_builds") : undefined}
          required
        />
      )}
      <Field
        {...common}
        name="message"
        label={ui.t("start_task.message")}
        autofocus
      />
      <SurveyAnswers {...common} survey={survey} asked={asked} />
      <PersonalFields {...common} personal={personal} />
      <ModeFields
        {...common}
        mayDebug={may({ permissions }, "override_runs")}
        mayRenew={mayRenew}
      />
      <OverrideFields {...common} {...{ template, inventories, branches, permissions }} />
      {(may({ permissions }, "override_runs") || form.values.arguments) && (
        <ArgumentsField {...common} {...{ template, permissions }} />
      )}
    </Form>
  );
}

/** Arguments of one task, or why it takes none. */
function ArgumentsField(
  { template, permissions, ...common }: Pick<
    StartTaskFormProps,
    "ui" | "form" | "template" | "permissions"
  >,
) {
  const { ui, form } = common;
  return (
    <details class="reveal" open={"arguments" in form.errors}>
      <summary class="text-accent">{ui.t("start_task.advanced")}</summary>
      {allowancesFor({ permissions }, template).arguments || form.values.arguments
        ? (
          <CodeField
            {...common}
            name="arguments"
            label={ui.t("templates.arguments")}
            hint={ui.t("templates.arguments_hint")}
            class="mt-3"
            mode="json"
            takes="strings"
            rows={4}
            placeholder='["--limit", "web1"]'
          />
        )
        : <Alert class="mt-3">{ui.t("start_task.arguments_not_allowed")}</Alert>}
    </details>
  );
}

interface BuildFieldProps {
  ui: Ui;
  form: FormState;
  /** Latest first. */
  builds: TaskView[];
  blank?: string;
  required?: boolean;
}

/** The build that a deploy uses. */
export const BuildField = ({ builds, ...props }: BuildFieldProps) => (
  <Select
    {...props}
    name="build_task_id"
    label={props.ui.t("start_task.build_version")}
    options={builds.map(({ id, version, message }) => ({
      value: id,
      label: [version ?? `#${id}`, message].filter(Boolean).join(" — "),
    }))}
  />
);

/** How Ansible runs the playbook. */
export const ModeFields = (
  { mayDebug, mayRenew, ...common }: {
    ui: Ui;
    form: FormState;
    mayDebug: boolean;
    mayRenew: boolean;
  },
) => (
  <div class="grid grid-cols-2 gap-2">
    {mayDebug && (
      <Checkbox {...common} name="debug" label={`${common.ui.t("start_task.debug")} (-vvvv)`} />
    )}
    <Checkbox {...common} name="dry_run" label={`${common.ui.t("start_task.dry_run")} (--check)`} />
    <Checkbox {...common} name="diff" label={`${common.ui.t("start_task.diff")} (--diff)`} />
    {mayRenew && (
      <Checkbox
        {...common}
        name="force_galaxy_install"
        label={common.ui.t("start_task.force_galaxy_install")}
      />
    )}
  </div>
);
