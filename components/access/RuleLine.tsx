import { paths } from "@/lib/base/paths.ts";
import { personWith } from "@/lib/base/person.ts";
import type { Ui } from "@/lib/i18n/ui.ts";
import type { ShownAudience, ShownRules } from "@/lib/rights/shown_rule.ts";
import { roleLabel } from "@/lib/model/role_label.ts";
import { Alert } from "../ui/Alert.tsx";

interface RuleLineProps {
  ui: Ui;
  projectId: number;
  rules: ShownRules;
  /** Page that says who can run it. */
  who: string;
}

/** Says who sees, runs and edits an object, unless everyone in the project does. */
export function RuleLine({ ui, projectId, rules, who }: RuleLineProps) {
  const { own, view, isStale, mayAsk } = rules;
  if (own.length === 0 && !view && !mayAsk) return null;
  return (
    <>
      <p class="rule-line">
        {own.map((audience, n) => <span key={n}>{audienceText(ui, audience)}</span>)}
        {view && (
          <span>
            <ViewName ui={ui} projectId={projectId} view={view} />{" "}
            {ui.list(view.audiences.map((audience) => audienceText(ui, audience)))}
          </span>
        )}
        {mayAsk && <a href={ui.href(who)}>{ui.t("access.who")}</a>}
      </p>
      {isStale && <Alert class="mb-4">{ui.t("access.gone")}</Alert>}
    </>
  );
}

function ViewName(
  { ui, projectId, view }: Omit<RuleLineProps, "rules" | "who"> & {
    view: NonNullable<ShownRules["view"]>;
  },
) {
  const text = ui.t("access.of_view", { title: view.title });
  const path = view.mayEdit
    ? paths.editView(projectId, view.id)
    : paths.templates(projectId, view.id);
  return <a href={ui.href(path)}>{text}</a>;
}

/** Returns whom a rule allows an action: "Who runs it: Manager, Bob". */
function audienceText(ui: Ui, { action, roles, people }: ShownAudience): string {
  const names = [
    ...roles.map(({ slug: role, isGone }) =>
      isGone ? ui.t("access.former_role", { role }) : roleLabel(ui, role)
    ),
    ...people.map(({ id, name }) =>
      name === null ? ui.t("approvals.former", { id }) : ui.person(personWith({ id, name }))
    ),
  ];
  const text = names.length === 0 ? ui.t("access.nobody") : ui.list(names);
  return ui.labelled(ui.t(`access.action.${action}`), text);
}
