import { typeLabel } from "../tasks/TypeIcon.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { TemplateNames } from "@/lib/templates/arrange.ts";
import type { TemplateView } from "@/lib/templates/schema.ts";

interface TemplateFactsProps {
  ui: Ui;
  template: TemplateView;
  names: TemplateNames;
}

/** Settings of a template. */
export function TemplateFacts({ ui, template, names }: TemplateFactsProps) {
  const survey = ui.list(template.survey_vars.map(({ title }) => title));
  const facts: [label: string, value: string | null | undefined][] = [
    [ui.t("templates.playbook"), template.playbook],
    [ui.t("templates.type_label"), typeLabel(ui, template.type)],
    [ui.t("templates.inventory"), names.inventory.get(template.inventory_id ?? 0)],
    [ui.t("templates.environment"), names.environment.get(template.environment_id ?? 0)],
    [ui.t("templates.repository"), names.repository.get(template.repository_id)],
    [ui.t("templates.branch"), template.git_branch],
    [ui.t("templates.start_version"), template.start_version],
    [ui.t("templates.arguments"), template.arguments],
    [ui.t("survey.title"), survey],
  ];
  return (
    <dl class="task-facts mb-4">
      {facts.filter(([, value]) => value).map(([label, value]) => (
        <div>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
