import { RUN_PERMISSIONS } from "@/lib/access/permissions.ts";
import { ApprovalFields, approvalLabels } from "@/components/approvals/ApprovalFields.tsx";
import { SurveyAnswers } from "@/components/surveys/SurveyAnswers.tsx";
import { PersonOnly } from "@/components/tasks/PersonalFields.tsx";
import { ModeFields } from "@/components/tasks/StartTaskForm.tsx";
import { OverrideFields, overrideLabels } from "@/components/tasks/OverrideFields.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";
import { answerName } from "@/lib/surveys/answer_fields.ts";
import type { AskedQuestion } from "@/lib/surveys/choices.ts";
import type { SurveyVar } from "@/lib/surveys/schema.ts";
import type { FormState } from "@/lib/web/forms/form.ts";
import { CONDITIONS, type Step, type StepKind, type WorkflowView } from "@/lib/workflows/schema.ts";
import { namedOptions, Segments, Select } from "../ui/forms/Choice.tsx";
import type { Option } from "../ui/forms/found_options.ts";
import { Field } from "../ui/forms/Field.tsx";
import { FoldedSection, FoldedSections } from "../ui/forms/FoldedSection.tsx";
import { Form, FormSection } from "../ui/forms/Form.tsx";
import { openSurvey, stepLabels } from "./step_labels.ts";

interface Named {
  id: number;
  name: string;
}

interface StepFormProps {
  ui: Ui;
  form: FormState;
  kind: StepKind;
  /** Workflow without the step itself. */
  workflow: WorkflowView;
  /** The steps that can come before it. */
  earlier: readonly Step[];
  /** The chosen template of a step that runs one; null for another kind. */
  template: TemplateView | null;
  /** Workflows that a step may run. */
  workflows: Named[];
  /** Questions of the step's template or workflow. */
  survey: SurveyVar[];
  /** The questions of the template that are asked with the answers in the form. */
  asked: AskedQuestion[];
  inventories: Named[];
  /** Branches and tags to suggest. */
  branches: string[];
  /** Members of the project, who can approve. */
  people: Named[];
  roles: { slug: string; name: string }[];
  action: string;
  cancel: string;
  isNew: boolean;
}

/** The form of a step. Its fields depend on the kind of the step. */
export function StepForm(props: StepFormProps) {
  const { ui, form, kind, workflow, survey, action, cancel, isNew } = props;
  return (
    <Form
      ui={ui}
      form={form}
      action={action}
      cancel={cancel}
      save={ui.t(isNew ? "workflows.add_step" : "actions.save")}
      labels={{
        ...stepLabels(ui, workflow, survey),
        ...kind === "approval" ? approvalLabels(ui, "", excluded(ui)) : {},
      }}
    >
      <input type="hidden" name="kind" value={kind} />
      <Field
        ui={ui}
        form={form}
        name="name"
        label={ui.t("resources.name")}
        hint={kind === "template" ? ui.t("workflows.name_hint") : undefined}
        required={kind !== "template"}
        autofocus
        autocomplete="off"
      />
      <PersonOnly
        ui={ui}
        template={props.template}
        inventories={props.inventories}
        inventoryId={form.values.inventory_id}
      />
      <KindFields {...props} />
      <FoldedSections>
        <StartFields {...props} />
        <StartValues {...props} />
        <ValueFields {...props} />
      </FoldedSections>
    </Form>
  );
}

/** Labels of the fields that exclude people from an approval. */
const excluded = (ui: Ui) => ({
  notStarter: ui.t("approvals.not_starter"),
  notEditor: ui.t("approvals.not_editor"),
});

/** The outputs that the message can include, with the numbers of the steps that report them. */
function messageHint({ ui, earlier }: StepFormProps): string {
  const hint = ui.t("approvals.message_hint");
  const sources = earlier.filter(({ kind }) => kind === "template")
    .map(({ id, name }) => ui.labelled(String(id), name));
  return sources.length === 0
    ? hint
    : `${hint} ${ui.t("approvals.numbers", { list: ui.list(sources) })}`;
}

/** Start of a step: after the one above, at the start of the run, or after chosen steps. */
function StartFields({ ui, form, earlier }: StepFormProps) {
  const common = { ui, form };
  const starts = ["previous", "first", "chosen"].map((value) => ({
    value,
    label: ui.t(`workflows.start_choice.${value}`),
  }));
  const conditions = CONDITIONS.map((when) => ({
    value: when,
    label: ui.t(`workflows.when.${when}`),
  }));
  return (
    <FoldedSection
      {...common}
      id="step-start"
      title={ui.t("workflows.starts")}
      fields={[
        { name: "starts", text: "{{value}}", options: starts },
        ...earlier.map(({ id, name }) => ({
          name: `links.${id}`,
          text: ui.labelled(name, "{{value}}"),
          options: conditions,
        })),
      ]}
      holds={["starts", "links", "join"]}
    >
      <div class="wf-start">
        <Segments {...common} name="starts" label={ui.t("workflows.starts")} options={starts} />
        <div class="wf-links">
          {earlier.map(({ id, name }) => (
            <Select
              key={id}
              {...common}
              name={`links.${id}`}
              label={ui.t("workflows.after_step", { name })}
              blank={ui.t("workflows.no_link")}
              options={conditions}
            />
          ))}
          <Segments
            {...common}
            name="join"
            label={ui.t("workflows.join")}
            options={["all", "any"].map((value) => ({
              value,
              label: ui.t(`workflows.join_choice.${value}`),
            }))}
          />
        </div>
      </div>
    </FoldedSection>
  );
}

function KindFields(props: StepFormProps) {
  const { ui, form, kind, workflows } = props;
  const common = { ui, form };
  switch (kind) {
    case "template":
      return props.template && <input type="hidden" name="template_id" value={props.template.id} />;
    case "workflow":
      return (
        <Select
          {...common}
          name="workflow_id"
          label={ui.t("workflows.kind.workflow")}
          options={namedOptions(ui, workflows)}
          blank={ui.t("lists.choose")}
          required
        />
      );
    case "wait":
      return (
        <Field
          {...common}
          name="minutes"
          label={ui.t("workflows.minutes_label")}
          type="number"
          min={1}
          max={43_200}
          required
        />
      );
    case "approval":
      return (
        <FormSection id="step-approval" title={ui.t("approvals.who")}>
          <ApprovalFields {...props} {...excluded(ui)} messageHint={messageHint(props)} />
        </FormSection>
      );
  }
}

/** Values that the step's tasks start with, as in the dialog that starts a task. */
function StartValues(props: StepFormProps) {
  const { ui, form, template, survey, asked, inventories, branches } = props;
  if (!template) return null;
  const common = { ui, form };
  const message = ui.t("start_task.message");
  const overrides = overrideLabels(ui);
  const open = openSurvey(survey);
  const modes = ["debug", "dry_run", "diff", "force_galaxy_install"];
  const fields = [
    { name: "message", text: ui.labelled(message, "{{value}}") },
    ...open.map(({ name, title }) => ({ name: answerName(name), text: title })),
    ...Object.entries(overrides).map(([name, label]) => ({ name, text: label })),
    ...modes.map((name) => ({ name, text: ui.t(`start_task.${name}`) })),
  ];
  return (
    <FoldedSection {...common} id="step-values" title={ui.t("workflows.values")} fields={fields}>
      <Field {...common} name="message" label={message} />
      <SurveyAnswers {...common} survey={open} asked={asked} />
      <OverrideFields
        {...common}
        {...{ template, branches }}
        permissions={RUN_PERMISSIONS}
        inventories={namedOptions(ui, inventories)}
      />
      <ModeFields {...common} mayDebug mayRenew />
    </FoldedSection>
  );
}

/** Source of the answer to each question, if the fields above do not have it. */
function ValueFields({ ui, form, kind, workflow, earlier, survey }: StepFormProps) {
  if (survey.length === 0 || !["template", "workflow"].includes(kind)) return null;
  const common = { ui, form };
  const sources: Option[] = [
    ...workflow.survey_vars.map(({ name, title }) => ({
      value: `answer:${name}`,
      label: ui.t("workflows.from_answer", { title }),
    })),
    ...earlier.filter(({ kind }) => kind === "template")
      .map(({ id, name }) => ({
        value: `step:${id}`,
        label: ui.t("workflows.from_step", { name }),
      })),
  ];
  return (
    <FoldedSection
      {...common}
      id="step-mapping"
      title={ui.t("workflows.mapping")}
      fields={survey.map(({ name, title }) => ({
        name: `values.${name}.from`,
        text: ui.labelled(title, "{{value}}"),
        options: sources,
      }))}
      holds={["values"]}
    >
      <p class="field-hint">{ui.t("workflows.mapping_hint")}</p>
      {survey.map(({ name, title }, n) => (
        <div key={n} class="grid gap-3 sm:grid-cols-2">
          <Select
            {...common}
            name={`values.${name}.from`}
            label={title}
            blank={ui.t("workflows.not_mapped")}
            options={sources}
          />
          <Field
            {...common}
            name={`values.${name}.name`}
            label={ui.t("workflows.output_name")}
            placeholder={name}
            autocomplete="off"
          />
        </div>
      ))}
    </FoldedSection>
  );
}
