import { page } from "fresh";
import { AlertsTitle } from "@/components/alerts/place.tsx";
import { RuleForm } from "@/components/alerts/RuleForm.tsx";
import { Confirm } from "@/components/ui/forms/Confirm.tsx";
import { ruleForm, type RuleView } from "@/lib/alerts/rules/schema.ts";
import { createRule, deleteRule, getRule, updateRule } from "@/lib/alerts/rules/service.ts";
import { listTargets } from "@/lib/alerts/targets/service.ts";
import { paths } from "@/lib/base/paths.ts";
import { expectedOf, refusedForm, withChoices } from "@/lib/web/forms/conflict.ts";
import { type FormState, newForm, parseValues, saveForm } from "@/lib/web/forms/form.ts";
import { readForm } from "@/lib/web/forms/read_form.ts";
import { restoredForm } from "@/lib/web/pages/form_draft.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { seeOther } from "@/lib/web/pages/see_other.ts";
import { routeOf, type State } from "@/lib/web/state.ts";
import { alertsOf, listErrors, readRule, ruleFormOf } from "./alerts.ts";

/** The form of a rule, or of a new one for the id "new". */
export const rulePage = routeOf({
  async GET({ state, params }) {
    const rule = await findRule(state, params.ruleId);
    return await formPage(state, rule, restoredForm(state) ?? stored(state, rule));
  },

  async POST(ctx) {
    const { state, req, params } = ctx;
    const alerts = alertsOf(state);
    const rule = await findRule(state, params.ruleId);
    const typed = withChoices(await readForm(req), stored(state, rule));
    const form = await saveForm(parseValues(readRule(typed), ruleForm), async (sent) => {
      const scope = await alerts.manages();
      // Browsers do not send unticked checkboxes.
      const value = { ...sent, project_ids: sent.project_ids ?? [] };
      if (rule) await updateRule(scope, rule.id, value, expectedOf(typed));
      else await createRule(scope, value);
      return value;
    });
    if (!form.ok) {
      const readNow = async () => stored(state, await findRule(state, params.ruleId));
      const refused = await refusedForm(typed, listErrors(form.errors), readNow);
      return await formPage(state, rule, refused.form, refused.status);
    }
    const { projectId } = alerts.place();
    const done = rule ? "flash.alert_rules.saved" : "flash.alert_rules.created";
    return seeOther(ctx, paths.alerts(projectId), done, { name: form.result.name });
  },
}, ({ data, state }) => {
  const { place, events } = alertsOf(state);
  return <RuleForm ui={state.ui} place={place()} events={events} {...data} />;
});

async function findRule(state: State, id: string): Promise<RuleView | null> {
  const scope = alertsOf(state).sees();
  return id === "new" ? null : await getRule(scope, pageId(id));
}

function stored({ ui: { timeZone = "UTC" } }: State, rule: RuleView | null): FormState {
  if (rule) return ruleFormOf(rule, timeZone);
  return newForm({
    events: ["failed", "recovered"],
    repeat: "change",
    active: true,
    quiet: { timezone: timeZone },
  });
}

async function formPage(state: State, rule: RuleView | null, form: FormState, status = 200) {
  const alerts = alertsOf(state);
  const [targets, subjects] = await Promise.all([listTargets(alerts.sees()), alerts.subjects()]);
  return page({ rule, form, targets, subjects }, { status });
}

/** Asks for confirmation before a rule is deleted. */
export const deleteRulePage = routeOf({
  GET: async ({ state, params }) =>
    page({ rule: await getRule(alertsOf(state).sees(), pageId(params.ruleId)) }),

  async POST(ctx) {
    const alerts = alertsOf(ctx.state);
    const scope = await alerts.manages();
    const { id, name } = await getRule(scope, pageId(ctx.params.ruleId));
    await deleteRule(scope, id);
    const next = paths.alerts(alerts.place().projectId);
    return seeOther(ctx, next, "flash.alert_rules.deleted", { name });
  },
}, ({ data: { rule: { id, name } }, state }) => {
  const { ui } = state;
  const place = alertsOf(state).place();
  const title = ui.t("alert_rules.delete");
  return (
    <>
      <AlertsTitle ui={ui} place={place} parts={[title, name]} />
      <Confirm
        ui={ui}
        title={title}
        question={ui.t("alert_rules.question", { name })}
        action={ui.href(paths.alertRule(place.projectId, id, "/delete"))}
        cancel={ui.href(paths.alerts(place.projectId))}
        yes={ui.t("actions.delete")}
      />
    </>
  );
});
