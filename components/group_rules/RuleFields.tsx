import type { FormState } from "../../lib/web/forms/form.ts";
import { ADD_ROW, removeRow, rowNumbers } from "../../lib/web/forms/rows.ts";
import type { Ui } from "../../lib/i18n/ui.ts";
import { roleLabel } from "@/lib/model/role_label.ts";
import { ROLES } from "@/lib/model/roles.ts";
import { isRole, RULE_GIVES } from "../../lib/people/group_rules/schema.ts";
import { Button, IconButton } from "../ui/Button.tsx";
import { Select } from "../ui/forms/Choice.tsx";
import { Field } from "../ui/forms/Field.tsx";

interface RuleFieldsProps {
  ui: Ui;
  form: FormState;
  providers: { id: string; name: string }[];
  projects: { id: number; name: string }[];
  /** Roles that the server and its projects define. */
  roles: { slug: string; name: string }[];
}

export const givesLabel = (ui: Ui, gives: string, name?: string): string =>
  isRole(gives) ? roleLabel(ui, gives, name) : ui.t(`group_rules.gives_${gives}`);

/** The rules, one row each. Adding and removing sends the form, so no script is needed. */
export const RuleFields = ({ ui, form, ...choices }: RuleFieldsProps) => (
  <div id="rules" class="grid gap-4">
    {rowNumbers(form.values, RULES).map((number, index) => (
      <RuleRow key={index} {...{ ui, form, ...choices, number }} position={index + 1} />
    ))}
    <div>
      <Button name="rule" value={ADD_ROW} icon="plus" formaction="#rules" data-stay>
        {ui.t("group_rules.add")}
      </Button>
    </div>
  </div>
);

type RuleRowProps = RuleFieldsProps & { number: number; position: number };

function RuleRow({ ui, form, providers, projects, roles, number, position }: RuleRowProps) {
  const labels = labelsOf(ui);
  const field = (name: keyof typeof labels) => ({
    ui,
    form,
    name: `${RULES}.${number}.${name}`,
    label: labels[name],
  });
  return (
    <fieldset id={`rule-${number}`} class="rule-row">
      <legend>{ui.t("group_rules.rule", { number: position })}</legend>
      <Select
        {...field("provider")}
        blank={ui.t("group_rules.any_provider")}
        options={providers.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Field
        {...field("claim")}
        required
        autocomplete="off"
        hint={position === 1 ? ui.t("group_rules.claim_hint") : undefined}
      />
      <Field
        {...field("value")}
        required
        autocomplete="off"
        hint={position === 1 ? ui.t("group_rules.value_hint") : undefined}
      />
      <Select
        {...field("gives")}
        options={[
          ...[...RULE_GIVES, ...ROLES].map((gives) => ({
            value: gives,
            label: givesLabel(ui, gives),
          })),
          ...roles.map(({ slug, name }) => ({ value: slug, label: givesLabel(ui, slug, name) })),
        ]}
      />
      <Select
        {...field("project_id")}
        blank="—"
        options={projects.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <IconButton
        icon="delete"
        label={ui.t("group_rules.remove", { number: position })}
        name="rule"
        value={removeRow(number)}
        formaction="#rules"
        data-stay
      />
    </fieldset>
  );
}

/** Name of the list in the form. */
export const RULES = "rules";

const labelsOf = (ui: Ui) => ({
  provider: ui.t("group_rules.provider"),
  claim: ui.t("group_rules.claim"),
  value: ui.t("group_rules.value"),
  gives: ui.t("group_rules.gives"),
  project_id: ui.t("group_rules.project"),
});

/** Labels of all rules of a form, each with its position. */
export const ruleLabels = (ui: Ui, { values }: FormState): Record<string, string> =>
  Object.fromEntries(
    rowNumbers(values, RULES).flatMap((number, index) =>
      Object.entries(labelsOf(ui)).map(([field, label]) => [
        `${RULES}.${number}.${field}`,
        `${ui.t("group_rules.rule", { number: index + 1 })}, ${label}`,
      ])
    ),
  );
