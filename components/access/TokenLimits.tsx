import { TOKEN_SCOPES, type TokenScope } from "../../lib/model/token_limits.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { FormState } from "../../lib/web/forms/form.ts";
import { Button } from "../ui/Button.tsx";
import { Checklist } from "../ui/forms/Checklist.tsx";
import { TextArea } from "../ui/forms/Field.tsx";
import type { Option, OptionGroup } from "../ui/forms/found_options.ts";

/** Name of the button that shows the templates of the projects that are ticked. */
export const SHOW_TEMPLATES = "show_templates";

/** The projects and templates that the form of a token offers. */
export interface TokenChoices {
  scopes: readonly TokenScope[];
  /** None for a token that belongs to one project. */
  projects: readonly Option[];
  /** Templates by project, or those of the only one. */
  templates: readonly (Option | OptionGroup)[];
}

export const limitLabels = (ui: Ui) => ({
  scopes: ui.t("tokens.scopes"),
  project_ids: ui.t("tokens.projects"),
  template_ids: ui.t("tokens.templates"),
  networks: ui.t("tokens.networks"),
});

interface LimitFieldsProps {
  ui: Ui;
  form: FormState;
  choices: TokenChoices;
}

/** The fields that narrow a token: what it may do, where, with which templates, and from where. */
export function LimitFields({ ui, form, choices }: LimitFieldsProps) {
  const { scopes, projects, templates } = choices;
  const labels = limitLabels(ui);
  const field = (name: keyof typeof labels) => ({ ui, form, name, label: labels[name] });
  return (
    <>
      <Checklist
        {...field("scopes")}
        required
        options={scopes.map((value) => ({ value, label: ui.t(`tokens.scope_about.${value}`) }))}
      />
      {projects.length > 0 && (
        <Checklist
          {...field("project_ids")}
          options={projects}
          hint={ui.t("tokens.projects_hint")}
          scrolls
        />
      )}
      {templates.length > 0 && (
        <Checklist
          {...field("template_ids")}
          options={templates}
          hint={ui.t("tokens.templates_hint")}
          scrolls
        />
      )}
      {projects.length > 0 && (
        <div>
          <Button name={SHOW_TEMPLATES} value="true" formNoValidate data-stay>
            {ui.t("tokens.show_templates")}
          </Button>
        </div>
      )}
      <TextArea {...field("networks")} hint={ui.t("tokens.networks_hint")} />
    </>
  );
}

/** The limits of a token, as lists show them. */
interface Limited {
  scopes: readonly TokenScope[] | null;
  project_ids?: readonly number[] | null;
  template_ids: readonly number[] | null;
  networks: readonly string[] | null;
}

/** Names of objects by their ids. One that is unknown is shown with its number. */
export type Names = ReadonlyMap<number, string>;

/** The scopes of a token in words. */
export const scopeWords = (ui: Ui, { scopes }: Pick<Limited, "scopes">): string =>
  (scopes ?? TOKEN_SCOPES).map((scope) => ui.t(`tokens.scope.${scope}`)).join(", ");

/** The projects, templates and networks of a token in words; none for one without limits. */
export function limitWords(
  ui: Ui,
  { project_ids, template_ids, networks }: Limited,
  { projects, templates }: { projects: Names; templates: Names },
): string[] {
  const named = (label: string, ids: readonly number[], names: Names) =>
    ui.labelled(label, ids.map((id) => names.get(id) ?? `#${id}`).join(", "));
  return [
    ...project_ids ? [named(ui.t("tokens.projects"), project_ids, projects)] : [],
    ...template_ids ? [named(ui.t("tokens.templates"), template_ids, templates)] : [],
    ...networks ? [ui.labelled(ui.t("tokens.networks"), networks.join(", "))] : [],
  ];
}
