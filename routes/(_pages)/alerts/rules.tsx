import { targetName } from "@/components/alerts/names.ts";
import { RuleForm, TEST } from "@/components/alerts/RuleForm.tsx";
import { ruleForm } from "@/lib/alerts/rules/schema.ts";
import { createRule, deleteRule, getRule, updateRule } from "@/lib/alerts/rules/service.ts";
import type { TargetTest } from "@/lib/alerts/targets/schema.ts";
import { listTargets, testTarget } from "@/lib/alerts/targets/service.ts";
import { newForm, parseValues } from "@/lib/web/forms/form.ts";
import { type Again, formPage } from "@/lib/web/pages/form_page.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { routeOf } from "@/lib/web/state.ts";
import { confirmRoute } from "../confirm_page.tsx";
import { alertRights, alertsOf, alertsPath, listErrors, readRule, ruleFormOf } from "./alerts.ts";

const ruleHandlers = formPage({
  rights: alertRights,
  find: async (scope, { params: { ruleId } }) => ({
    rule: ruleId === "new" ? null : await getRule(scope, pageId(ruleId)),
    targets: await listTargets(scope),
  }),
  shown({ rule, targets }, { state: { ui: { timeZone = "UTC" } }, url }) {
    if (rule) return ruleFormOf(rule, timeZone);
    const wanted = url.searchParams.get("target");
    return newForm({
      target_id: targets.find(({ id }) => String(id) === wanted)?.id,
      events: ["failed", "recovered"],
      repeat: "change",
      active: true,
      quiet: { timezone: timeZone },
    });
  },
  async button({ [TEST]: test, ...values }, _found, { state }): Promise<Again<TargetTest> | null> {
    if (!test) return null;
    const form = { values, errors: {} };
    const id = Number(values.target_id);
    if (!id) return { form: { values, errors: { target_id: { key: "errors.required" } } } };
    return { form, extra: await testTarget(await alertsOf(state).manages(), id) };
  },
  parse(typed, { targets }, { state: { ui } }) {
    const target = targets.find(({ id }) => String(id) === typed.target_id);
    return parseValues(readRule(typed, target ? targetName(ui, target) : ""), ruleForm);
  },
  errorsAt: listErrors,
  async save({ scope, value: sent, found: { rule }, expected }) {
    // Browsers do not send unticked checkboxes.
    const value = { ...sent, project_ids: sent.project_ids ?? [] };
    if (rule) await updateRule(scope, rule.id, value, expected);
    else await createRule(scope, value);
  },
  next: ({ value: { name }, found: { rule }, ctx: { state } }) => [
    alertsPath(state),
    rule ? "flash.alert_rules.saved" : "flash.alert_rules.created",
    { name },
  ],
  beside: async (_form, _found, { state }, result) => ({
    subjects: await alertsOf(state).subjects(),
    result: result ?? null,
  }),
});

/** The form of a rule, or of a new one for the id "new". */
export const rulePage = routeOf(ruleHandlers, ({ data, state }) => {
  const { place, events } = alertsOf(state);
  return <RuleForm ui={state.ui} place={place()} events={events} {...data} />;
});

export const deleteRulePage = confirmRoute({
  rights: alertRights,
  find: (scope, { params }) => getRule(scope, pageId(params.ruleId)),
  ask: (ui, { name }, state) => ({
    title: ui.t("alert_rules.delete"),
    parts: [name, ui.t("sections.alerts")],
    question: ui.t("alert_rules.question", { name }),
    cancel: alertsPath(state),
  }),
  act: (scope, { id }) => deleteRule(scope, id),
  next: ({ name }, { state }) => [alertsPath(state), "flash.alert_rules.deleted", { name }],
});
