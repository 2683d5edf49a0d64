import { namedOptions, Select } from "@/components/ui/forms/Choice.tsx";
import type { FieldProps } from "@/components/ui/forms/Field.tsx";
import { workflowValue } from "@/lib/triggers/trigger_target.ts";

interface Named {
  id: number;
  name: string;
}

type TargetFieldProps = Omit<FieldProps, "name"> & {
  templates: readonly Named[];
  workflows: Named[];
  blank?: string;
};

/** The template or workflow that a trigger starts. Errors of both members show here. */
export function TargetField({ templates, workflows, ...props }: TargetFieldProps) {
  const { ui, form } = props;
  const error = form.errors.template_id ?? form.errors.workflow_id;
  const errors = error ? { ...form.errors, template_id: error } : form.errors;
  const ofTemplates = namedOptions(ui, templates);
  return (
    <Select
      {...props}
      form={{ ...form, errors }}
      name="template_id"
      required
      options={workflows.length === 0 ? ofTemplates : [
        { label: ui.t("sections.templates"), options: ofTemplates },
        {
          label: ui.t("sections.workflows"),
          options: namedOptions(ui, workflows)
            .map(({ value, label }) => ({ value: workflowValue(Number(value)), label })),
        },
      ]}
    />
  );
}
