import { ruleLabels, RuleSection } from "@/components/access/RuleSection.tsx";
import type { ListedPerson, ListedRole } from "@/components/ui/forms/CheckLists.tsx";
import { SurveyFields, surveyLabels } from "@/components/surveys/SurveyFields.tsx";
import { paths } from "@/lib/base/paths.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { FormState } from "@/lib/web/forms/form.ts";
import type { Shell } from "@/lib/web/shell.ts";
import type { WorkflowView } from "@/lib/workflows/schema.ts";
import { namedOptions, Select } from "../ui/forms/Choice.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Field, TextArea } from "../ui/forms/Field.tsx";
import { FoldedSections } from "../ui/forms/FoldedSection.tsx";
import { Form, FormSection } from "../ui/forms/Form.tsx";
import { Breadcrumb, Title } from "../ui/Page.tsx";

interface WorkflowFormProps {
  ui: Ui;
  shell: Shell;
  /** Null for a new one. */
  workflow: WorkflowView | null;
  /** Templates that build something. */
  builds: { id: number; name: string }[];
  /** Members of the project. */
  people: readonly ListedPerson[];
  roles: readonly ListedRole[];
  form: FormState;
}

/** The name, the description and the survey of a workflow. Its steps have forms of their own. */
export function WorkflowForm(
  { ui, shell, workflow, builds, people, roles, form }: WorkflowFormProps,
) {
  const { id: projectId, name } = shell.project;
  const list = ui.href(paths.section(projectId, "workflows"));
  const end = workflow ? ui.href(paths.workflow(projectId, workflow.id)) : list;
  const title = ui.t(workflow ? "workflows.edit_title" : "workflows.new");
  const common = { ui, form };
  const labels = {
    name: ui.t("resources.name"),
    description: ui.t("templates.description"),
    start_warning: ui.t("templates.start_warning"),
    build_template_id: ui.t("workflows.after_builds"),
    ...surveyLabels(ui, form),
    ...ruleLabels(ui),
  };
  return (
    <>
      <Title ui={ui} parts={[title, workflow?.name, name]} />
      <Dialog
        ui={ui}
        id="workflow-form"
        title={title}
        width="medium"
        above={<Breadcrumb ui={ui} crumbs={[{ label: ui.t("sections.workflows"), href: list }]} />}
        close={end}
      >
        <Form
          ui={ui}
          form={form}
          action={ui.href(paths.workflow(projectId, workflow?.id ?? "new", "/edit"))}
          cancel={end}
          save={ui.t(workflow ? "actions.save" : "actions.create")}
          labels={labels}
        >
          <Field {...common} name="name" label={labels.name} required autofocus />
          <TextArea {...common} name="description" label={labels.description} />
          <TextArea
            {...common}
            name="start_warning"
            label={labels.start_warning}
            hint={ui.t("workflows.start_warning_hint")}
          />
          {builds.length > 0 && (
            <Select
              {...common}
              name="build_template_id"
              label={labels.build_template_id}
              blank={ui.t("forms.not_set")}
              options={namedOptions(ui, builds)}
              hint={ui.t("workflows.after_builds_hint")}
            />
          )}
          <FormSection
            id="survey"
            title={ui.t("survey.title")}
            hint={ui.t("workflows.survey_hint")}
          >
            <SurveyFields ui={ui} form={form} />
          </FormSection>
          <FoldedSections>
            <RuleSection {...{ ui, form, people, roles }} />
          </FoldedSections>
        </Form>
      </Dialog>
    </>
  );
}
