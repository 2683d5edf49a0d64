import { type AccessRule, RULED_ACTIONS } from "@/lib/model/access_rule.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { FormState } from "@/lib/web/forms/form.ts";
import {
  CheckList,
  chosenBoxes,
  type ListedPerson,
  type ListedRole,
  peopleBoxes,
  roleBoxes,
} from "../ui/forms/CheckLists.tsx";
import { Segments } from "../ui/forms/Choice.tsx";
import { FoldedSection } from "../ui/forms/FoldedSection.tsx";

interface RuleSectionProps {
  ui: Ui;
  form: FormState;
  /** Members of the project. */
  people: readonly ListedPerson[];
  /** Roles that the project and the server define. */
  roles: readonly ListedRole[];
  /** Relation to the rule of the view of a template, or to the templates of a view. */
  hint?: string;
}

/** Value of the field that says whether an audience is chosen. It is empty for everyone. */
const CHOSEN = "chosen";

/** Folded fields of the rule about who sees, runs and edits an object. */
export const RuleSection = ({ ui, form, people, roles, hint }: RuleSectionProps) => (
  <FoldedSection
    ui={ui}
    form={form}
    id="access"
    title={ui.t("access.title")}
    fields={RULED_ACTIONS.map((action) => ({
      name: `${action}.who`,
      text: ui.t(`access.brief.${action}`),
    }))}
    holds={RULED_ACTIONS}
    none={ui.t("access.everyone")}
  >
    <p class="field-hint">{[ui.t("access.always"), hint].filter(Boolean).join(" ")}</p>
    {RULED_ACTIONS.map((action, n) => (
      <div key={n} class="rule-part">
        <Segments
          ui={ui}
          form={form}
          name={`${action}.who`}
          label={ui.t(`access.action.${action}`)}
          hint={ui.t(`access.hint.${action}`)}
          options={[
            { value: "", label: ui.t("access.everyone") },
            { value: CHOSEN, label: ui.t("access.chosen") },
          ]}
        />
        <div class="approval-lists rule-lists">
          <CheckList
            ui={ui}
            form={form}
            name={`${action}.roles`}
            label={ui.t("approvals.roles")}
            options={roleBoxes(ui, form, `${action}.roles`, roles)}
          />
          <CheckList
            ui={ui}
            form={form}
            name={`${action}.user_ids`}
            label={ui.t("approvals.people")}
            options={peopleBoxes(ui, form, `${action}.user_ids`, people)}
          />
        </div>
      </div>
    ))}
  </FoldedSection>
);

/** Names the fields of the section, for the list of errors above a form. */
export const ruleLabels = (ui: Ui): Record<string, string> =>
  Object.fromEntries(
    RULED_ACTIONS.flatMap((action) =>
      ["who", "roles", "user_ids"].map((
        list,
      ) => [`${action}.${list}`, ui.t(`access.action.${action}`)])
    ),
  );

/** Returns a rule for the fields of the section. */
export const ruleFormObject = (rule: AccessRule): object =>
  Object.fromEntries(RULED_ACTIONS.map((action) => {
    const audience = rule[action];
    return [action, audience ? { who: CHOSEN, ...chosenBoxes(audience) } : null];
  }));

/** Returns the rule of a form that was read with the schema of the API. */
export const typedRule = (
  values: Readonly<Record<string, string>>,
  rule: AccessRule,
): AccessRule =>
  Object.fromEntries(RULED_ACTIONS.flatMap((action) => {
    const who = values[`${action}.who`];
    return who === undefined ? [] : [[action, who === CHOSEN ? rule[action] : null]];
  }));
