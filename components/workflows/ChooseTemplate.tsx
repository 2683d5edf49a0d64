import { findField } from "../../lib/base/lists/find_choice.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import { Button } from "../ui/Button.tsx";
import { namedOptions, Select } from "../ui/forms/Choice.tsx";

interface Named {
  id: number;
  name: string;
}

interface ChooseTemplateProps {
  ui: Ui;
  /** Address of the step's form. */
  action: string;
  templates: readonly Named[];
  template: Named | null;
  /** Words that the templates are searched for. */
  words: string;
}

/** Chooses the template of a step. The fields below it depend on the choice. */
export const ChooseTemplate = ({ ui, action, templates, template, words }: ChooseTemplateProps) => (
  <form method="get" action={action} class="wf-choose" data-stay>
    <input type="hidden" name="kind" value="template" />
    <Select
      ui={ui}
      form={{
        values: { template: String(template?.id ?? ""), [findField("template")]: words },
        errors: {},
        idPrefix: "choose",
      }}
      name="template"
      label={ui.t("workflows.template")}
      options={namedOptions(ui, templates)}
      blank={template ? undefined : ui.t("lists.choose")}
      autofocus={!template}
      required
    />
    <Button>{ui.t(template ? "workflows.use_template" : "workflows.continue")}</Button>
  </form>
);
